/* placing.c - items on nodes, and the loads that they put on links, kept while items move */
#include "algo/map/placing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
			int peer = comm->peer[e];

			if (peer == i)
				continue;
			s->ends[next[i]++] = (struct placing_end){peer, true, comm->bytes[e]};
			s->ends[next[peer]++] = (struct placing_end){i, false, comm->bytes[e]};
		}
	free(next);
}

/* ---- loads ---- */

static void fit_channels(struct placing *s)
{
	while (s->load.n < s->routes->channels.n) {
		vec_push(&s->load, 0);
		vec_push(&s->change, 0);
	}
}

static void touch(struct placing *s, int32_t c, double bytes)
{
	if (s->change.at[c] == 0)
		vec_push(&s->touched, c);
	s->change.at[c] += bytes;
}

/* bytes more on the way from node a to node b, booked as a change */
static void book(struct placing *s, int a, int b, double bytes)
{
	const int32_t *route;
	const double *share;

	if (a == b)
		return;
	route = routes_rest(s->routes, a, b);
	share = routes_shares(s->routes, route);
	if (s->load.n < s->routes->channels.n)
		fit_channels(s);
	if (s->routes->up[a] >= 0)
		touch(s, s->routes->up[a], bytes);
	for (int i = 1; i <= route[0]; i++)
		touch(s, route[i], share != NULL ? bytes * share[i - 1] : bytes);
}

static double cost(const struct placing *s, double load)
{
	double over = load - s->limit;

	return over > 0 ? load + s->weight * over * over : load;
}

double placing_gain(const struct placing *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->touched.n; i++) {
		int c = s->touched.at[i];
		double per_byte = s->routes->per_byte.at[c];

		if (s->change.at[c] != 0)
			sum += cost(s, (s->load.at[c] + s->change.at[c]) * per_byte) -
			       cost(s, s->load.at[c] * per_byte);
	}
	return sum;
}

static void settle(struct placing *s, bool keep)
{
	for (size_t i = 0; i < s->touched.n; i++) {
		int c = s->touched.at[i];

		if (keep)
			s->load.at[c] += s->change.at[c];
		s->change.at[c] = 0;
	}
	s->touched.n = 0;
}

/* Books that item i goes to node there, and item j (or -1) to the node of i. */
static void book_item(struct placing *s, int i, int there, int j, int back)
{
	int here = s->node_of[i];

	for (int64_t e = s->first[i]; e < s->first[i + 1]; e++) {
		const struct placing_end *end = &s->ends[e];
		int peer_old = s->node_of[end->peer];
		int peer_new = end->peer == j ? back : peer_old;

		if (end->is_out) {
			book(s, here, peer_old, -end->bytes);
			book(s, there, peer_new, end->bytes);
		} else {
			book(s, peer_old, here, -end->bytes);
			book(s, peer_new, there, end->bytes);
		}
	}
}

/* The edges between j and i were booked with i. */
static void book_other(struct placing *s, int j, int there, int i)
{
	int here = s->node_of[j];

	for (int64_t e = s->first[j]; e < s->first[j + 1]; e++) {
		const struct placing_end *end = &s->ends[e];
		int peer = s->node_of[end->peer];

		if (end->peer == i)
			continue;
		if (end->is_out) {
			book(s, here, peer, -end->bytes);
			book(s, there, peer, end->bytes);
		} else {
			book(s, peer, here, -end->bytes);
			book(s, peer, there, end->bytes);
		}
	}
}

static void put(struct placing *s, int item, int place, int node)
{
	s->items[place] = item;
	s->place_of[item] = place;
	s->node_of[item] = node;
}

int64_t placing_book(struct placing *s, int i, int j, int there)
{
	book_item(s, i, there, j, s->node_of[i]);
	if (j >= 0)
		book_other(s, j, s->node_of[i], i);
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

double placing_greatest(const struct placing *s)
{
	double max = 0;

	for (size_t c = 0; c < s->load.n; c++)
		if (s->load.at[c] * s->routes->per_byte.at[c] > max)
			max = s->load.at[c] * s->routes->per_byte.at[c];
	return max;
}

double placing_sum(const struct placing *s)
{
	double sum = 0;

	for (size_t c = 0; c < s->load.n; c++)
		sum += s->load.at[c] * s->routes->per_byte.at[c];
	return sum;
}

/* Loads from nothing. */
static void count(struct placing *s)
{
	for (size_t c = 0; c < s->load.n; c++)
		s->load.at[c] = 0;
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
	make_ends(s, comm);
	s->first_room = xcalloc((size_t)routes->nnodes + 1, sizeof(*s->first_room));
	s->nheld = xcalloc((size_t)routes->nnodes, sizeof(*s->nheld));
	for (int v = 0; v < routes->nnodes; v++) {
		s->first_room[v] = nrooms;
		nrooms += room[v];
	}
	s->items = xcalloc((size_t)nrooms, sizeof(*s->items));
	s->place_of = xcalloc((size_t)s->nitems, sizeof(*s->place_of));
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
	free(s->load.at);
	free(s->change.at);
	free(s->touched.at);
}

bool placing_is_right(struct placing *s)
{
	size_t n = s->load.n;
	double *kept = xmalloc((n + 1) * sizeof(*kept)), most = placing_greatest(s);
	bool is_right = true;

	memcpy(kept, s->load.at, n * sizeof(*kept));
	count(s);
	for (size_t c = 0; c < n && is_right; c++)
		is_right = fabs(kept[c] - s->load.at[c]) * s->routes->per_byte.at[c] <= 1e-9 * most;
	for (size_t c = 0; c < n; c++)
		s->load.at[c] = kept[c];
	free(kept);
	return is_right;
}
