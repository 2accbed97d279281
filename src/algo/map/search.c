/* search.c - moving items between nodes to lower the most loaded links */
#include "algo/map/search.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

enum { ROUNDS_IDLE = 64 }; /* rounds without a move, after which no more are to be hoped for */

static const double mu = 10; /* weight of the excess: 1 leaves more load on the hottest links */

/* One direction of an edge, as the item at one end sees it. */
struct end {
	int32_t peer;
	bool is_out;
	double bytes;
};

struct state {
	const struct search *search;
	struct routes *routes;
	int nitems;
	int64_t *first; /* [nitems + 1] */
	struct end *ends;
	int *node_of;
	int *items; /* of node v: items[first_room[v]] … , nheld[v] of them */
	int64_t *first_room;
	int *nheld, *place_of; /* place_of: index into items */

	VEC(double) load;   /* by dense channel */
	VEC(double) change; /* of the trial */
	VEC(int32_t) touched;
	double limit;
	struct rng rng;
	int64_t ntrials, nmoves;
};

/* ---- the item graph, both directions at each end ---- */

static void make_ends(struct state *s, const struct comm *comm)
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
			s->ends[next[i]++] = (struct end){peer, true, comm->bytes[e]};
			s->ends[next[peer]++] = (struct end){i, false, comm->bytes[e]};
		}
	free(next);
}

/* ---- loads ---- */

static void fit_channels(struct state *s)
{
	while (s->load.n < s->routes->channels.n) {
		vec_push(&s->load, 0);
		vec_push(&s->change, 0);
	}
}

/* bytes more on the way from node a to node b, booked as a change */
static void book(struct state *s, int a, int b, double bytes)
{
	const int32_t *route = routes_get(s->routes, a, b);
	const double *share = routes_shares(s->routes, route);

	if (s->load.n < s->routes->channels.n)
		fit_channels(s);
	for (int i = 1; i <= route[0]; i++) {
		int c = route[i];

		if (s->change.at[c] == 0)
			vec_push(&s->touched, c);
		s->change.at[c] += share != NULL ? bytes * share[i - 1] : bytes;
	}
}

static double cost(const struct state *s, double load)
{
	double over = load - s->limit;

	return over > 0 ? load + mu * over * over : load;
}

/* What the booked changes do to the objective. */
static double gain(const struct state *s)
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

static void settle(struct state *s, bool keep)
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
static void book_item(struct state *s, int i, int there, int j, int back)
{
	int here = s->node_of[i];

	for (int64_t e = s->first[i]; e < s->first[i + 1]; e++) {
		const struct end *end = &s->ends[e];
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
static void book_other(struct state *s, int j, int there, int i)
{
	int here = s->node_of[j];

	for (int64_t e = s->first[j]; e < s->first[j + 1]; e++) {
		const struct end *end = &s->ends[e];
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

static void put(struct state *s, int item, int place, int node)
{
	s->items[place] = item;
	s->place_of[item] = place;
	s->node_of[item] = node;
}

/* Tries to exchange item i with item j, or (j < 0) to move it to node there. */
static bool try(struct state *s, int i, int j, int there)
{
	int here = s->node_of[i];
	bool good;

	s->ntrials++;
	book_item(s, i, there, j, here);
	if (j >= 0)
		book_other(s, j, here, i);
	good = gain(s) < -1e-9;
	settle(s, good);
	if (!good)
		return false;
	s->nmoves++;
	if (j >= 0) {
		int place = s->place_of[i];

		put(s, i, s->place_of[j], there);
		put(s, j, place, here);
	} else {
		int64_t last = s->first_room[here] + --s->nheld[here];

		put(s, s->items[last], s->place_of[i], here);
		put(s, i, (int)(s->first_room[there] + s->nheld[there]++), there);
	}
	return true;
}

/* ---- choosing ---- */

/* Tries to bring item i to a node, against one of those there. */
static bool try_node(struct state *s, int i, int there)
{
	int n = s->nheld[there];
	int64_t at = s->first_room[there];

	if (there == s->node_of[i])
		return false;
	if (n < s->search->room[there] && try(s, i, -1, there))
		return true;
	if (n == 0)
		return false;
	return try(s, i, s->items[at + (int64_t)rng_below(&s->rng, (uint64_t)n)], there);
}

static double greatest(const struct state *s)
{
	double max = 0;

	for (size_t c = 0; c < s->load.n; c++)
		if (s->load.at[c] * s->routes->per_byte.at[c] > max)
			max = s->load.at[c] * s->routes->per_byte.at[c];
	return max;
}

static double sum_of(const struct state *s)
{
	double sum = 0;

	for (size_t c = 0; c < s->load.n; c++)
		sum += s->load.at[c] * s->routes->per_byte.at[c];
	return sum;
}

/* The items with an edge on a link whose load is above the level, each once. */
static void find_hot(struct state *s, double level, int_vec *hot)
{
	hot->n = 0;
	for (int i = 0; i < s->nitems; i++) {
		bool is_hot = false;

		for (int64_t e = s->first[i]; e < s->first[i + 1] && !is_hot; e++) {
			const struct end *end = &s->ends[e];
			int a = s->node_of[i], b = s->node_of[end->peer];
			const int32_t *route = end->is_out ? routes_get(s->routes, a, b)
							   : routes_get(s->routes, b, a);

			for (int k = 1; k <= route[0] && !is_hot; k++)
				is_hot = s->load.at[route[k]] * s->routes->per_byte.at[route[k]] >=
					 level;
		}
		if (is_hot)
			vec_push(hot, i);
	}
}

static int random_peer(struct state *s, int i)
{
	int64_t n = s->first[i + 1] - s->first[i];

	return n > 0 ? s->ends[s->first[i] + (int64_t)rng_below(&s->rng, (uint64_t)n)].peer : i;
}

/* A node worth trying for item i: a partner's, that of a partner's partner, or any. */
static int candidate(struct state *s, int i)
{
	uint64_t choice = rng_below(&s->rng, 8);

	if (choice < 2)
		return s->node_of[random_peer(s, i)];
	if (choice < 5)
		return s->node_of[random_peer(s, random_peer(s, i))];
	return (int)rng_below(&s->rng, (uint64_t)s->routes->nnodes);
}

static void start(struct state *s, const struct search *search)
{
	int64_t nrooms = 0;

	*s = (struct state){.search = search, .routes = search->routes, .node_of = search->node_of};
	s->rng = rng_make(search->seed, "mapping-search", NULL, NULL);
	make_ends(s, search->comm);
	s->first_room = xcalloc((size_t)s->routes->nnodes + 1, sizeof(*s->first_room));
	s->nheld = xcalloc((size_t)s->routes->nnodes, sizeof(*s->nheld));
	for (int v = 0; v < s->routes->nnodes; v++) {
		s->first_room[v] = nrooms;
		nrooms += search->room[v];
	}
	s->items = xcalloc((size_t)nrooms, sizeof(*s->items));
	s->place_of = xcalloc((size_t)s->nitems, sizeof(*s->place_of));
	for (int i = 0; i < s->nitems; i++) {
		int v = s->node_of[i];

		put(s, i, (int)(s->first_room[v] + s->nheld[v]++), v);
	}
	for (int i = 0; i < s->nitems; i++)
		for (int64_t e = s->first[i]; e < s->first[i + 1]; e++)
			if (s->ends[e].is_out)
				book(s, s->node_of[i], s->node_of[s->ends[e].peer],
				     s->ends[e].bytes);
	settle(s, true);
}

static void finish(struct state *s)
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

struct search_result search_run(const struct search *search)
{
	struct state s;
	struct search_result result = {0};
	int_vec hot = {0};
	int *best;
	double best_max, best_sum;
	int nidle = 0;

	start(&s, search);
	best = xmalloc((size_t)s.nitems * sizeof(*best));
	memcpy(best, s.node_of, (size_t)s.nitems * sizeof(*best));
	result.max_before = best_max = greatest(&s);
	result.sum_before = best_sum = sum_of(&s);
	while (s.ntrials < search->ntrials && nidle < ROUNDS_IDLE) {
		double max = greatest(&s);
		int64_t moves = s.nmoves;

		s.limit = search->below * max;
		find_hot(&s, s.limit, &hot);
		rng_shuffle(&s.rng, hot.at, hot.n);
		for (size_t k = 0; k < hot.n; k++)
			for (int t = 0; t < 8; t++)
				if (try_node(&s, hot.at[k], candidate(&s, hot.at[k])))
					break;
		for (int k = 0; k < s.nitems / 4; k++) {
			int i = (int)rng_below(&s.rng, (uint64_t)s.nitems);

			try_node(&s, i, candidate(&s, i));
		}
		max = greatest(&s);
		if (max < best_max || (max == best_max && sum_of(&s) < best_sum)) {
			best_max = max;
			best_sum = sum_of(&s);
			memcpy(best, s.node_of, (size_t)s.nitems * sizeof(*best));
		}
		nidle = s.nmoves == moves ? nidle + 1 : 0;
	}
	memcpy(search->node_of, best, (size_t)s.nitems * sizeof(*best));
	result.ntrials = s.ntrials;
	result.nmoves = s.nmoves;
	result.max_after = best_max;
	result.sum_after = best_sum;
	free(best);
	free(hot.at);
	finish(&s);
	return result;
}
