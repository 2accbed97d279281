/* placing.c - items on nodes, and the loads that they put on links, kept while items move */
#include "map/search/placing_priv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- loads ---- */

/* What the next byte on a link would add to what is to be small. */
static double price_of(const struct placing *s, size_t c)
{
	double per_byte = s->routes->per_byte.at[c], load = s->links.at[c].load * per_byte, over;

	if (s->is_steep) {
		double part = load / s->limit, power = part * part * part;

		power = power * power * part;
		return per_byte * (1 + 16 * power * power * part);
	}
	over = load - s->limit;
	return per_byte * (1 + 2 * s->weight * (over > 0 ? over : 0));
}

static void add_channels(struct placing *s)
{
	while (s->links.n < s->routes->channels.n) {
		vec_push(&s->links, ((struct placing_link){.seen = -1}));
		vec_push(&s->prices, 0);
		s->prices.at[s->prices.n - 1] = price_of(s, s->prices.n - 1);
	}
}

/* Looking up a route may number new ones. */
static inline void fit_channels(struct placing *s)
{
	if (s->links.n < s->routes->channels.n)
		add_channels(s);
}

static void price_all(struct placing *s)
{
	for (size_t c = 0; c < s->prices.n; c++)
		s->prices.at[c] = price_of(s, c);
}

void placing_aim(struct placing *s, double limit, double weight, bool is_steep)
{
	if (s->limit == limit && s->weight == weight && s->is_steep == is_steep)
		return;
	s->limit = limit;
	s->weight = weight;
	s->is_steep = is_steep;
	price_all(s);
}

/* What is being booked, where a loop finds it without asking the placing each time. */
struct booking {
	struct placing_link *links;
	int32_t *touched; /* with room for all links */
	size_t n;
	int64_t number;
};

static struct booking booking_begin(struct placing *s)
{
	fit_channels(s);
	vec_reserve(&s->touched, s->links.n + 1);
	return (struct booking){s->links.at, s->touched.at, s->touched.n, s->nbooked};
}

static inline void touch(struct booking *booking, int32_t c, double bytes)
{
	struct placing_link *link = &booking->links[c];

	booking->touched[booking->n] = c;
	booking->n += link->seen != booking->number;
	link->seen = booking->number;
	link->change += bytes;
}

/* What leads from one node to another, which may be the same. */
static inline void look_up(struct placing *s, int a, int b, const int32_t **route, int32_t *up)
{
	static const int32_t nothing[] = {0};

	*route = a != b ? routes_rest(s->routes, a, b) : nothing;
	*up = a != b ? s->routes->up[a] : routes_inside(s->routes, a);
}

/* bytes more on the path from node a to node b, booked as a change */
static void book(struct placing *s, int a, int b, double bytes)
{
	const int32_t *route;
	const double *share;
	struct booking booking;
	int32_t up;

	if (bytes == 0)
		return;
	look_up(s, a, b, &route, &up);
	share = route[0] > 0 ? routes_shares(s->routes, route) : NULL;
	booking = booking_begin(s);
	if (up >= 0)
		touch(&booking, up, bytes);
	for (int i = 1; i <= route[0]; i++)
		touch(&booking, route[i],
		      share != NULL ? bytes * (rint(share[i - 1] * PARTS) / PARTS) : bytes);
	s->touched.n = booking.n;
}

static inline void add_detour(struct placing *s, const int from[2], const int to[2], double bytes)
{
	struct placing_detour *detour = &s->detours.at[s->detours.n++];

	look_up(s, from[0], to[0], &detour->old, &detour->old_up);
	look_up(s, from[1], to[1], &detour->new, &detour->new_up);
	detour->bytes = bytes;
}

/* Their ends; what both paths have in common at either end is left out. */
static inline void trim(struct placing_detour *detour)
{
	const int32_t *old = detour->old + 1, *old_end = old + detour->old[0];
	const int32_t *new = detour->new + 1, *new_end = new + detour->new[0];

	while (old < old_end && new < new_end && old_end[-1] == new_end[-1])
		old_end--, new_end--;
	while (old < old_end && new < new_end && old[0] == new[0])
		old++, new ++;
	detour->old = old;
	detour->old_end = old_end;
	detour->new = new;
	detour->new_end = new_end;
}

/* All flows that change their path from node here to there: first they are looked up, then booked,
 * so that neither loop waits for the other. */
static void find_detours(struct placing *s, int here, int there, double between)
{
	const int item[2] = {here, there}, other[2] = {there, here};
	const int32_t *pool;
	int64_t nforgotten;

	vec_reserve(&s->detours, 2 * s->met.n + 1);
	do { /* looking up a route may move others */
		pool = s->routes->pool.at;
		nforgotten = s->routes->nforgotten;
		s->detours.n = 0;
		for (size_t k = 0; k < s->met.n; k++) {
			const struct placing_flow *flow = &s->flows[s->met.at[k]];
			const int peer[2] = {s->met.at[k], s->met.at[k]};

			if (flow->out != 0)
				add_detour(s, item, peer, flow->out);
			if (flow->in != 0)
				add_detour(s, peer, item, flow->in);
		}
		if (between != 0)
			add_detour(s, item, other, between);
	} while (s->routes->pool.at != pool || s->routes->nforgotten != nforgotten);
	for (size_t k = 0; k < s->detours.n; k++)
		trim(&s->detours.at[k]);
}

static inline void take_detour(struct booking *booking, const struct placing_detour *detour)
{
	const double bytes = detour->bytes;

	if (detour->old_up != detour->new_up) {
		if (detour->old_up >= 0)
			touch(booking, detour->old_up, -bytes);
		if (detour->new_up >= 0)
			touch(booking, detour->new_up, bytes);
	}
	for (const int32_t *at = detour->old; at < detour->old_end; at++)
		touch(booking, *at, -bytes);
	for (const int32_t *at = detour->new; at < detour->new_end; at++)
		touch(booking, *at, bytes);
}

static void take_detours(struct placing *s)
{
	struct booking booking = booking_begin(s);

	for (size_t k = 0; k < s->detours.n; k++)
		take_detour(&booking, &s->detours.at[k]);
	s->touched.n = booking.n;
}

/* The same where messages are spread over several paths. */
static void rebook_spread(struct placing *s, int here, int there)
{
	for (size_t k = 0; k < s->met.n; k++) {
		int v = s->met.at[k];

		book(s, here, v, -s->flows[v].out);
		book(s, there, v, s->flows[v].out);
		book(s, v, here, -s->flows[v].in);
		book(s, v, there, s->flows[v].in);
	}
}

/* Without a branch, which nobody could predict. */
static double cost(double limit, double weight, double load)
{
	double over = load - limit;

	over = over > 0 ? over : 0;
	return load + weight * over * over;
}

static double steep_gain(const struct placing *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->touched.n; i++) {
		const struct placing_link *link = &s->links.at[s->touched.at[i]];
		double per_byte = s->routes->per_byte.at[s->touched.at[i]];

		if (link->change != 0)
			sum += placing_steep_cost(s, (link->load + link->change) * per_byte) -
			       placing_steep_cost(s, link->load * per_byte);
	}
	return sum;
}

double placing_gain(const struct placing *s)
{
	const struct placing_link *links = s->links.at;
	const double *per_bytes = s->routes->per_byte.at, limit = s->limit, weight = s->weight;
	double sum = 0;

	if (s->is_steep)
		return steep_gain(s);
	for (size_t i = 0; i < s->touched.n; i++) {
		int32_t c = s->touched.at[i];
		double load = links[c].load, change = links[c].change, per_byte = per_bytes[c];

		sum += cost(limit, weight, (load + change) * per_byte) -
		       cost(limit, weight, load * per_byte);
	}
	return sum;
}

static void settle(struct placing *s, bool keep)
{
	for (size_t i = 0; i < s->touched.n; i++) {
		struct placing_link *link = &s->links.at[s->touched.at[i]];

		if (keep) {
			link->load += link->change;
			s->prices.at[s->touched.at[i]] = price_of(s, (size_t)s->touched.at[i]);
		}
		link->change = 0;
	}
	s->touched.n = 0;
	s->nbooked++;
}

/* Adds up, by the node at the other end, what item i sends and gets; what it sends to the other
 * item, less what it gets from it, is returned. */
static double add_flows(struct placing *s, int i, int other, double sign)
{
	const struct placing_end *end = s->ends + s->first[i], *last = s->ends + s->first[i + 1];
	const int64_t number = s->nbooked;
	const int *node_of = s->node_of;
	int *met = s->met.at;
	size_t nmet = s->met.n;
	double between = 0;

	for (; end < last; end++) {
		int v = node_of[end->peer];
		struct placing_flow *flow = &s->flows[v];

		if (end->peer == other) {
			between = end->out - end->in;
			continue;
		}
		if (flow->seen != number) {
			*flow = (struct placing_flow){.seen = number};
			met[nmet++] = v;
		}
		flow->out += sign * end->out;
		flow->in += sign * end->in;
	}
	s->met.n = nmet;
	return between;
}

static void put(struct placing *s, int item, int place, int node)
{
	s->items[place] = item;
	s->place_of[item] = place;
	s->node_of[item] = node;
}

/* What an exchange takes along, by the nodes at the other end (met); returned as from add_flows. */
static double find_flows(struct placing *s, int i, int j)
{
	double between;

	s->met.n = 0;
	between = add_flows(s, i, j, 1);
	if (j >= 0)
		add_flows(s, j, i, -1);
	return between;
}

static void book_flows(struct placing *s, int here, int there, double between)
{
	if (s->routes->split == NULL) {
		find_detours(s, here, there, between);
		take_detours(s);
		return;
	}
	rebook_spread(s, here, there);
	book(s, here, there, -between);
	book(s, there, here, between);
}

static int64_t degree_of(const struct placing *s, int i, int j)
{
	return s->degree[i] + (j >= 0 ? s->degree[j] : 0) + 1;
}

int64_t placing_book(struct placing *s, int i, int j, int there)
{
	double between = find_flows(s, i, j);

	book_flows(s, s->node_of[i], there, between);
	return degree_of(s, i, j);
}

/* Routes and what the next byte costs on them, where a loop finds them without asking the placing
 * each time. */
struct price_list {
	const uint32_t *dense; /* as of routes */
	const int32_t *pool;
	const double *prices;
};

static inline struct price_list list_prices(struct placing *s)
{
	fit_channels(s);
	return (struct price_list){s->routes->dense, s->routes->pool.at, s->prices.at};
}

/* Where the routes begin of nodes that have a source. */
static inline size_t row_of(const struct placing *s, int node)
{
	return (size_t)s->routes->source_of[node] * (size_t)s->routes->nnodes;
}

/* What the next byte costs from node a, whose row is given, to another one, b, behind a's own link.
 */
static inline double price_behind(struct placing *s, struct price_list *list, size_t row, int a,
				  int b)
{
	uint32_t at = list->dense != NULL ? list->dense[row + (size_t)b] : 0;
	const int32_t *route;
	double sum = 0;

	if (at != 0) {
		route = &list->pool[at - 1];
	} else {
		route = routes_find(s->routes, a, b);
		*list = list_prices(s);
	}
	for (int n = *route++; n > 0; n--)
		sum += list->prices[*route++];
	return sum;
}

static inline double price_at(const struct price_list *list, int32_t link)
{
	return link >= 0 ? list->prices[link] : 0;
}

/* The same from node to node, which may be one. */
static double price_between(struct placing *s, struct price_list *list, int a, int b)
{
	return a == b ? price_at(list, routes_inside(s->routes, a))
		      : price_at(list, s->routes->up[a]) +
				price_behind(s, list, row_of(s, a), a, b);
}

/* What the flows that were found add at least: what is to be small is convex in each load, so a
 * change adds no less than by the price of the next byte. */
static double least_gain(struct placing *s, int here, int there, double between)
{
	struct price_list list = list_prices(s);
	double sum = between != 0 ? between * (price_between(s, &list, there, here) -
					       price_between(s, &list, here, there))
				  : 0;
	double up = price_at(&list, s->routes->up[there]) - price_at(&list, s->routes->up[here]);
	size_t here_row = row_of(s, here), there_row = row_of(s, there);

	for (size_t k = 0; k < s->met.n; k++) {
		int v = s->met.at[k];
		const struct placing_flow *flow = &s->flows[v];
		size_t row = row_of(s, v);

		if (v == here || v == there) {
			sum += flow->out * (price_between(s, &list, there, v) -
					    price_between(s, &list, here, v));
			sum += flow->in * (price_between(s, &list, v, there) -
					   price_between(s, &list, v, here));
			continue;
		}
		if (flow->out != 0 && here_row == there_row) /* the same routes */
			sum += flow->out * up;
		else if (flow->out != 0)
			sum += flow->out * (up + price_behind(s, &list, there_row, there, v) -
					    price_behind(s, &list, here_row, here, v));
		if (flow->in != 0)
			sum += flow->in * (price_behind(s, &list, row, v, there) -
					   price_behind(s, &list, row, v, here));
	}
	return sum;
}

bool placing_try(struct placing *s, int i, int j, int there, double limit, double *gain,
		 int64_t *nedges)
{
	double between = find_flows(s, i, j);
	int here = s->node_of[i];

	*nedges += degree_of(s, i, j);
	if (s->routes->split != NULL || least_gain(s, here, there, between) < limit) {
		book_flows(s, here, there, between);
		*gain = placing_gain(s);
		if (*gain < limit)
			return true;
	}
	placing_forget(s);
	return false;
}

void placing_exchange(struct placing *s, int i, int j, int there)
{
	int here = s->node_of[i];

	settle(s, true);
	s->nsettled++;
	if (j >= 0) {
		int place = s->place_of[i];

		put(s, i, s->place_of[j], there);
		put(s, j, place, here);
	} else {
		int64_t last = s->first_room[here] + --s->nheld[here];

		put(s, s->items[last], s->place_of[i], here);
		put(s, i, (int)(s->first_room[there] + s->nheld[there]++), there);
	}
}

void placing_forget(struct placing *s)
{
	settle(s, false);
}

int64_t placing_undo(struct placing *s, int i, int j, int back, int place)
{
	int64_t work = placing_book(s, i, j, back);

	placing_exchange(s, i, j, back);
	if (s->place_of[i] != place) { /* the last item of the node had taken it */
		put(s, s->items[place], s->place_of[i], back);
		put(s, i, place, back);
	}
	return work;
}

/* Loads from nothing. */
static void count(struct placing *s)
{
	for (size_t c = 0; c < s->links.n; c++)
		s->links.at[c].load = 0;
	for (int i = 0; i < s->nitems; i++)
		for (int64_t e = s->first[i]; e < s->first[i + 1]; e++)
			book(s, s->node_of[i], s->node_of[s->ends[e].peer], s->ends[e].out);
	settle(s, true);
	price_all(s);
}

void placing_set(struct placing *s, const int *node_of)
{
	memset(s->nheld, 0, (size_t)s->routes->nnodes * sizeof(*s->nheld));
	for (int i = 0; i < s->nitems; i++) {
		int v = node_of[i];

		put(s, i, (int)(s->first_room[v] + s->nheld[v]++), v);
	}
	count(s);
}

void placing_open(struct placing *s, const struct comm *comm, const int *room,
		  struct routes *routes, int *node_of)
{
	int64_t nrooms = 0;

	*s = (struct placing){.routes = routes, .room = room, .node_of = node_of};
	placing_make_ends(s, comm);
	s->first_room = xcalloc((size_t)routes->nnodes + 1, sizeof(*s->first_room));
	s->nheld = xcalloc((size_t)routes->nnodes, sizeof(*s->nheld));
	for (int v = 0; v < routes->nnodes; v++) {
		s->first_room[v] = nrooms;
		nrooms += room[v];
	}
	s->items = xcalloc((size_t)nrooms, sizeof(*s->items));
	s->place_of = xcalloc((size_t)s->nitems, sizeof(*s->place_of));
	s->flows = xmalloc((size_t)routes->nnodes * sizeof(*s->flows));
	vec_reserve(&s->met, (size_t)routes->nnodes + 1);
	for (int v = 0; v < routes->nnodes; v++)
		s->flows[v].seen = -1;
	fit_channels(s); /* nodes' own links have numbers already */
	placing_set(s, node_of);
}

void placing_close(struct placing *s)
{
	free(s->first);
	free(s->ends);
	free(s->degree);
	free(s->items);
	free(s->first_room);
	free(s->nheld);
	free(s->place_of);
	free(s->links.at);
	free(s->prices.at);
	free(s->in_order.at);
	free(s->touched.at);
	free(s->flows);
	free(s->met.at);
	free(s->detours.at);
}

bool placing_is_right(struct placing *s)
{
	size_t n = s->links.n;
	double *kept = xmalloc((n + 1) * sizeof(*kept));
	bool is_right = true;

	for (size_t c = 0; c < n; c++)
		kept[c] = s->links.at[c].load;
	count(s);
	for (size_t c = 0; c < n && is_right; c++)
		is_right = kept[c] == s->links.at[c].load;
	free(kept);
	return is_right;
}
