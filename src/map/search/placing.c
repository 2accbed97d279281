/* placing.c - items on nodes, and the loads that they put on links, kept while items move */
#include "map/search/placing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of equal parts of a message that is spread. */
enum { PART_BITS = 12, PARTS = 1 << PART_BITS };

/* ---- the item graph, both directions at each end ---- */

static void make_ends(struct placing *s, const struct comm *comm)
{
	int64_t *next;

	s->nitems = comm->nranks;
	s->first = xcalloc((size_t)s->nitems + 1, sizeof(*s->first));
	for (int i = 0; i < s->nitems; i++)
		for (int64_t e = comm->first[i]; e < comm->first[i + 1]; e++)
			if (comm->peer[e] != i) {
				s->first[i + 1]++;
				s->first[comm->peer[e] + 1]++;
			}
	for (int i = 0; i < s->nitems; i++)
		s->first[i + 1] += s->first[i];
	s->ends = xmalloc((size_t)s->first[s->nitems] * sizeof(*s->ends));
	next = xmalloc((size_t)(s->nitems + 1) * sizeof(*next));
	memcpy(next, s->first, (size_t)(s->nitems + 1) * sizeof(*next));
	for (int i = 0; i < s->nitems; i++)
		for (int64_t e = comm->first[i]; e < comm->first[i + 1]; e++) {
			double bytes = rint(comm->bytes[e] / s->quantum) * s->quantum;
			int peer = comm->peer[e];

			if (peer == i)
				continue;
			s->ends[next[i]++] = (struct placing_end){peer, true, bytes};
			s->ends[next[peer]++] = (struct placing_end){i, false, bytes};
		}
	free(next);
}

/* ---- loads ---- */

/* The power of two of which all bytes together are 2^50 at most, a part of a message counted. */
static double quantum_of(const struct comm *comm, bool is_spread)
{
	double all = 0;
	int exponent;

	for (int64_t e = 0; e < comm->nedges; e++)
		all += comm->bytes[e];
	frexp(all, &exponent);
	return ldexp(1, exponent - 50 + (is_spread ? PART_BITS : 0));
}

static void fit_channels(struct placing *s)
{
	while (s->links.n < s->routes->channels.n)
		vec_push(&s->links, ((struct placing_link){.seen = -1}));
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

/* All flows that change their path from node here to there: first they are looked up, then booked,
 * so that neither loop waits for the other. */
static void find_detours(struct placing *s, int here, int there)
{
	const int item[2] = {here, there};
	const int32_t *pool;
	int64_t nforgotten;

	vec_reserve(&s->detours, 2 * s->met.n);
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
	} while (s->routes->pool.at != pool || s->routes->nforgotten != nforgotten);
}

/* What both paths have in common at either end stays untouched. */
static inline void take_detour(struct booking *booking, const struct placing_detour *detour)
{
	const double bytes = detour->bytes;
	const int32_t *old = detour->old + 1, *old_end = old + detour->old[0];
	const int32_t *new = detour->new + 1, *new_end = new + detour->new[0];

	if (detour->old_up != detour->new_up) {
		if (detour->old_up >= 0)
			touch(booking, detour->old_up, -bytes);
		if (detour->new_up >= 0)
			touch(booking, detour->new_up, bytes);
	}
	while (old < old_end && new < new_end && old_end[-1] == new_end[-1])
		old_end--, new_end--;
	while (old < old_end && new < new_end && old[0] == new[0])
		old++, new ++;
	while (old < old_end)
		touch(booking, *old++, -bytes);
	while (new < new_end)
		touch(booking, *new ++, bytes);
}

/* What goes to and comes from nodes that were met changes its path. */
static void rebook(struct placing *s, int here, int there)
{
	struct booking booking;

	find_detours(s, here, there);
	booking = booking_begin(s);
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

static double steep_cost(const struct placing *s, double load)
{
	double part = load / s->limit, power = part * part;

	power *= power;
	power *= power;
	return load + s->limit * power * power;
}

static double steep_gain(const struct placing *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->touched.n; i++) {
		const struct placing_link *link = &s->links.at[s->touched.at[i]];
		double per_byte = s->routes->per_byte.at[s->touched.at[i]];

		if (link->change != 0)
			sum += steep_cost(s, (link->load + link->change) * per_byte) -
			       steep_cost(s, link->load * per_byte);
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

		if (keep)
			link->load += link->change;
		link->change = 0;
	}
	s->touched.n = 0;
	s->nbooked++;
}

/* Adds up, by the node at the other end, what item i sends and gets; what it sends to the other
 * item, less what it gets from it, is returned. */
static double add_flows(struct placing *s, int i, int other, double sign)
{
	double between = 0;

	for (int64_t e = s->first[i]; e < s->first[i + 1]; e++) {
		const struct placing_end *end = &s->ends[e];
		int v = s->node_of[end->peer];
		struct placing_flow *flow = &s->flows[v];

		if (end->peer == other) {
			between += end->is_out ? end->bytes : -end->bytes;
			continue;
		}
		if (flow->seen != s->nbooked) {
			*flow = (struct placing_flow){.seen = s->nbooked};
			vec_push(&s->met, v);
		}
		if (end->is_out)
			flow->out += sign * end->bytes;
		else
			flow->in += sign * end->bytes;
	}
	return between;
}

static void put(struct placing *s, int item, int place, int node)
{
	s->items[place] = item;
	s->place_of[item] = place;
	s->node_of[item] = node;
}

int64_t placing_book(struct placing *s, int i, int j, int there)
{
	int here = s->node_of[i];
	double between;

	s->met.n = 0;
	between = add_flows(s, i, j, 1);
	if (j >= 0)
		add_flows(s, j, i, -1);
	if (s->routes->split != NULL)
		rebook_spread(s, here, there);
	else
		rebook(s, here, there);
	if (between != 0) {
		book(s, here, there, -between);
		book(s, there, here, between);
	}
	return s->first[i + 1] - s->first[i] + (j >= 0 ? s->first[j + 1] - s->first[j] : 0) + 1;
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

double placing_greatest(const struct placing *s)
{
	double max = 0;

	for (size_t c = 0; c < s->links.n; c++)
		if (placing_load(s, (int32_t)c) > max)
			max = placing_load(s, (int32_t)c);
	return max;
}

static double sum_up(const struct placing *s, bool is_steep)
{
	int64_t nchannels = 2 * topo_graph(s->routes->topo)->nlinks;
	double sum = 0;

	for (int64_t c = 0; c < nchannels; c++) {
		int32_t number = s->routes->number_of[c] - 1;
		double load;

		if (number < 0 || (size_t)number >= s->links.n)
			continue;
		load = placing_load(s, number);
		sum += is_steep ? steep_cost(s, load) : load;
	}
	return sum;
}

double placing_sum(const struct placing *s)
{
	return sum_up(s, false);
}

double placing_steep_sum(const struct placing *s)
{
	return sum_up(s, true);
}

/* Loads from nothing. */
static void count(struct placing *s)
{
	for (size_t c = 0; c < s->links.n; c++)
		s->links.at[c].load = 0;
	for (int i = 0; i < s->nitems; i++)
		for (int64_t e = s->first[i]; e < s->first[i + 1]; e++)
			if (s->ends[e].is_out)
				book(s, s->node_of[i], s->node_of[s->ends[e].peer],
				     s->ends[e].bytes);
	settle(s, true);
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
	s->quantum = quantum_of(comm, routes->split != NULL);
	make_ends(s, comm);
	s->first_room = xcalloc((size_t)routes->nnodes + 1, sizeof(*s->first_room));
	s->nheld = xcalloc((size_t)routes->nnodes, sizeof(*s->nheld));
	for (int v = 0; v < routes->nnodes; v++) {
		s->first_room[v] = nrooms;
		nrooms += room[v];
	}
	s->items = xcalloc((size_t)nrooms, sizeof(*s->items));
	s->place_of = xcalloc((size_t)s->nitems, sizeof(*s->place_of));
	s->flows = xmalloc((size_t)routes->nnodes * sizeof(*s->flows));
	for (int v = 0; v < routes->nnodes; v++)
		s->flows[v].seen = -1;
	placing_set(s, node_of);
}

void placing_close(struct placing *s)
{
	free(s->first);
	free(s->ends);
	free(s->items);
	free(s->first_room);
	free(s->nheld);
	free(s->place_of);
	free(s->links.at);
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
