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

static inline void touch(struct placing *s, int32_t c, double bytes)
{
	struct placing_link *link = &s->links.at[c];

	if (link->seen != s->nbooked) {
		link->seen = s->nbooked;
		vec_push(&s->touched, c);
	}
	link->change += bytes;
}

/* bytes more on the path from node a to node b, booked as a change */
static void book(struct placing *s, int a, int b, double bytes)
{
	const int32_t *route;
	const double *share;

	if (a == b)
		return;
	route = routes_rest(s->routes, a, b);
	share = routes_shares(s->routes, route);
	if (s->links.n < s->routes->channels.n)
		fit_channels(s);
	if (s->routes->up[a] >= 0)
		touch(s, s->routes->up[a], bytes);
	for (int i = 1; i <= route[0]; i++)
		touch(s, route[i],
		      share != NULL ? bytes * (rint(share[i - 1] * PARTS) / PARTS) : bytes);
}

/* Two routes at once: looking up one may move the other. */
static void two_routes(struct routes *routes, const int from[2], const int to[2],
		       const int32_t *route[2])
{
	const int32_t *pool;
	size_t n;

	do {
		route[0] = routes_rest(routes, from[0], to[0]);
		pool = routes->pool.at;
		n = routes->pool.n;
		route[1] = routes_rest(routes, from[1], to[1]);
	} while (routes->pool.at != pool || routes->pool.n < n);
}

/* bytes go from from[1] to to[1], no longer from from[0] to to[0]: what both ways have in common at
 * either end stays untouched */
static inline void rebook(struct placing *s, const int from[2], const int to[2], double bytes)
{
	const int32_t *route[2], *up = s->routes->up;
	int first = 1, nold, nnew;

	if (from[0] == to[0] || from[1] == to[1] || s->routes->split != NULL) {
		book(s, from[0], to[0], -bytes);
		book(s, from[1], to[1], bytes);
		return;
	}
	two_routes(s->routes, from, to, route);
	if (s->links.n < s->routes->channels.n)
		fit_channels(s);
	if (up[from[0]] != up[from[1]]) {
		if (up[from[0]] >= 0)
			touch(s, up[from[0]], -bytes);
		if (up[from[1]] >= 0)
			touch(s, up[from[1]], bytes);
	}
	nold = route[0][0];
	nnew = route[1][0];
	while (nold > 0 && nnew > 0 && route[0][nold] == route[1][nnew])
		nold--, nnew--;
	while (first <= nold && first <= nnew && route[0][first] == route[1][first])
		first++;
	for (int i = first; i <= nold; i++)
		touch(s, route[0][i], -bytes);
	for (int i = first; i <= nnew; i++)
		touch(s, route[1][i], bytes);
}

static double cost(const struct placing *s, double load)
{
	double over = load - s->limit;

	return over > 0 ? load + s->weight * over * over : load;
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
	double sum = 0;

	if (s->is_steep)
		return steep_gain(s);
	for (size_t i = 0; i < s->touched.n; i++) {
		const struct placing_link *link = &s->links.at[s->touched.at[i]];
		double per_byte = s->routes->per_byte.at[s->touched.at[i]];

		if (link->change != 0)
			sum += cost(s, (link->load + link->change) * per_byte) -
			       cost(s, link->load * per_byte);
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
	const int item[2] = {here, there};
	double between;

	s->met.n = 0;
	between = add_flows(s, i, j, 1);
	if (j >= 0)
		add_flows(s, j, i, -1);
	for (size_t k = 0; k < s->met.n; k++) {
		const struct placing_flow *flow = &s->flows[s->met.at[k]];
		const int peer[2] = {s->met.at[k], s->met.at[k]};

		if (flow->out != 0)
			rebook(s, item, peer, flow->out);
		if (flow->in != 0)
			rebook(s, peer, item, flow->in);
	}
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
