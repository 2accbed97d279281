/* search.c - moving items between nodes to lower the most loaded links */
#include "algo/map/search.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "algo/map/placing.h"
#include "base/mem.h"
#include "base/rng.h"

enum {
	ROUND_ITEMS = 256, /* between two looks at what is the maximum now */
	ITEM_TRIES = 8,    /* nodes that an item on a hot link tries, one after the other */
	KICKS_LEAST = 4,   /* exchanges that lead out of a dead end */
	KICKS_OF = 512,    /* and one for so many items */
	HOPELESS = 500,    /* trials for a move */
	PROBE = 150000,    /* work, after which that can be told */
	CHECK_EDGES = 4000 /* under the sanitizer: of larger graphs every 1 024th move is checked */
};

/*
 * μ: what an excess of the whole way from T to the greatest load costs, in greatest loads. Less
 * leaves more on the hottest links; more is deaf to the sum.
 */
static const double mu = 40;

struct state {
	const struct search *search;
	struct routes *routes;
	struct placing placing;
	int *first_mate, *mates; /* nodes by source: those of one router */
	struct rng rng;
	int64_t ntrials, nmoves, work;
};

/* Under the sanitizer: that what was kept up move by move is what it should be. */
static void check(struct state *s)
{
#ifdef __SANITIZE_ADDRESS__
	if (s->placing.first[s->placing.nitems] > CHECK_EDGES && s->placing.nsettled % 1024 != 0)
		return;
	if (!placing_is_right(&s->placing))
		abort();
#else
	(void)s;
#endif
}

/* Exchanges item i with item j, or (j < 0) moves it to node there, if that is good. */
static bool try(struct state *s, int i, int j, int there)
{
	s->ntrials++;
	s->work += placing_book(&s->placing, i, j, there);
	if (placing_gain(&s->placing) >= -1e-9 * s->placing.limit) {
		placing_forget(&s->placing);
		return false;
	}
	s->nmoves++;
	placing_exchange(&s->placing, i, j, there);
	check(s);
	return true;
}

/* One of those on a node; -1: none. */
static int random_item(struct state *s, int node)
{
	int n = s->placing.nheld[node];

	return n > 0 ? s->placing.items[s->placing.first_room[node] +
					(int64_t)rng_below(&s->rng, (uint64_t)n)]
		     : -1;
}

/* Tries to bring item i to a node, into free room or against one of those there. */
static bool try_node(struct state *s, int i, int there)
{
	int j;

	if (there == s->placing.node_of[i])
		return false;
	if (s->placing.nheld[there] < s->search->room[there] && try(s, i, -1, there))
		return true;
	j = random_item(s, there);
	return j >= 0 && try(s, i, j, there);
}

/* The items with an edge on a link whose load is above the level, each once. */
static void find_hot(struct state *s, double level, int_vec *hot)
{
	hot->n = 0;
	for (int i = 0; i < s->placing.nitems; i++) {
		bool is_hot = false;

		for (int64_t e = s->placing.first[i]; e < s->placing.first[i + 1] && !is_hot; e++) {
			const struct placing_end *end = &s->placing.ends[e];
			int a = s->placing.node_of[i], b = s->placing.node_of[end->peer];
			const int32_t *route = end->is_out ? routes_get(s->routes, a, b)
							   : routes_get(s->routes, b, a);

			for (int k = 1; k <= route[0] && !is_hot; k++)
				is_hot = s->placing.load.at[route[k]] *
						 s->routes->per_byte.at[route[k]] >=
					 level;
		}
		if (is_hot)
			vec_push(hot, i);
	}
}

static int random_peer(struct state *s, int i)
{
	int64_t n = s->placing.first[i + 1] - s->placing.first[i];

	return n > 0 ? s->placing
			       .ends[s->placing.first[i] + (int64_t)rng_below(&s->rng, (uint64_t)n)]
			       .peer
		     : i;
}

/* A node on the same router (maybe the same). */
static int random_mate(struct state *s, int node)
{
	int source = s->routes->source_of[node], first = s->first_mate[source];
	int n = s->first_mate[source + 1] - first;

	return s->mates[first + (int)rng_below(&s->rng, (uint64_t)n)];
}

/*
 * A node worth trying for item i: on its own router, which changes what depends on the destination
 * and nothing else; on that of a partner, or of a partner's partner; a partner's own; or any.
 */
static int candidate(struct state *s, int i)
{
	switch (rng_below(&s->rng, 16)) {
	case 0:
	case 1:
	case 2:
		return random_mate(s, s->placing.node_of[i]);
	case 3:
	case 4:
	case 5:
		return random_mate(s, s->placing.node_of[random_peer(s, i)]);
	case 6:
	case 7:
	case 8:
		return s->placing.node_of[random_peer(s, i)];
	case 9:
	case 10:
	case 11:
	case 12:
		return s->placing.node_of[random_peer(s, random_peer(s, i))];
	default:
		return (int)rng_below(&s->rng, (uint64_t)s->routes->nnodes);
	}
}

static void group_mates(struct state *s)
{
	const struct routes *routes = s->routes;
	int *next;

	s->first_mate = xcalloc((size_t)routes->nsources + 1, sizeof(*s->first_mate));
	s->mates = xmalloc((size_t)routes->nnodes * sizeof(*s->mates));
	for (int v = 0; v < routes->nnodes; v++)
		s->first_mate[routes->source_of[v] + 1]++;
	for (int i = 0; i < routes->nsources; i++)
		s->first_mate[i + 1] += s->first_mate[i];
	next = xmalloc(((size_t)routes->nsources + 1) * sizeof(*next));
	memcpy(next, s->first_mate, ((size_t)routes->nsources + 1) * sizeof(*next));
	for (int v = 0; v < routes->nnodes; v++)
		s->mates[next[routes->source_of[v]]++] = v;
	free(next);
}

/* The best mapping so far. */
struct best {
	int *node_of;
	double max, sum;
	int64_t when; /* work, when it was last clearly better */
};

static void keep_best(const struct state *s, struct best *best, double max)
{
	double sum = placing_sum(&s->placing);

	if (max > best->max || (max == best->max && sum >= best->sum))
		return;
	if (max < best->max || sum < 0.999 * best->sum)
		best->when = s->work;
	best->max = max;
	best->sum = sum;
	memcpy(best->node_of, s->placing.node_of,
	       (size_t)s->placing.nitems * sizeof(*best->node_of));
}

/* Items on links that are loaded near the maximum, in an order of chance, and how far it was gone
 * through. */
struct hot {
	int_vec items;
	size_t next;
};

/* Tries some of those; when all had their turn, some of all items, and the list is made anew. */
static void one_round(struct state *s, struct hot *hot)
{
	size_t end;

	if (hot->next >= hot->items.n) {
		for (int k = 0; k < s->placing.nitems / 4; k++) {
			int i = (int)rng_below(&s->rng, (uint64_t)s->placing.nitems);

			try_node(s, i, candidate(s, i));
		}
		find_hot(s, s->placing.limit, &hot->items);
		rng_shuffle(&s->rng, hot->items.at, hot->items.n);
		hot->next = 0;
	}
	end = hot->next + ROUND_ITEMS < hot->items.n ? hot->next + ROUND_ITEMS : hot->items.n;
	for (; hot->next < end; hot->next++)
		for (int t = 0; t < ITEM_TRIES; t++) {
			int i = hot->items.at[hot->next];

			if (try_node(s, i, candidate(s, i)))
				break;
		}
}

/*
 * What no swap of items gets the greatest load below: of items that take a whole node, the load of
 * one of its links; else 0.
 */
static double bound_of(const struct state *s)
{
	double bound = 0, least = 0;

	for (int v = 0; v < s->routes->nnodes; v++) {
		double per_byte;

		if (s->search->room[v] != 1 || s->routes->up[v] < 0)
			return 0;
		per_byte = s->routes->per_byte.at[s->routes->up[v]];
		least = v == 0 || per_byte < least ? per_byte : least;
	}
	for (int i = 0; i < s->placing.nitems; i++) {
		double out = 0, in = 0;

		for (int64_t e = s->placing.first[i]; e < s->placing.first[i + 1]; e++) {
			out += s->placing.ends[e].is_out ? s->placing.ends[e].bytes : 0;
			in += s->placing.ends[e].is_out ? 0 : s->placing.ends[e].bytes;
		}
		bound = out * least > bound ? out * least : bound;
		bound = in * least > bound ? in * least : bound;
	}
	return bound;
}

/* Out of a dead end: from the best mapping on, with a few items exchanged whatever that does. */
static void kick(struct state *s, const struct best *best, const struct hot *hot)
{
	int n = KICKS_LEAST + s->placing.nitems / KICKS_OF;

	placing_set(&s->placing, best->node_of);
	for (int k = 0; k < n; k++) {
		int i = hot->items.n > 0 ? hot->items.at[rng_below(&s->rng, hot->items.n)]
					 : (int)rng_below(&s->rng, (uint64_t)s->placing.nitems);
		int there = candidate(s, i), j = random_item(s, there);

		if (there == s->placing.node_of[i] || (j < 0 && s->search->room[there] == 0))
			continue;
		s->work += placing_book(&s->placing, i, j, there);
		placing_exchange(&s->placing, i, j, there);
	}
}

/* Hardly any exchange helps, or none has led anywhere. */
static bool is_hopeless(const struct state *s, const struct best *best)
{
	if (s->work > PROBE && s->nmoves * HOPELESS < s->ntrials)
		return true;
	return best->when == 0 && s->work > s->search->patience / 4;
}

struct search_result search_run(const struct search *search)
{
	struct state s = {.search = search,
			  .routes = search->routes,
			  .rng = rng_make(search->seed, "mapping-search", NULL, NULL)};
	struct search_result result = {0};
	struct best best = {0};
	struct hot hot = {0};
	int64_t kicked = 0; /* work, when that was last */
	double bound, max;

	placing_open(&s.placing, search->comm, search->room, search->routes, search->node_of);
	group_mates(&s);
	bound = bound_of(&s);
	best.node_of = xmalloc((size_t)s.placing.nitems * sizeof(*best.node_of));
	memcpy(best.node_of, search->node_of, (size_t)s.placing.nitems * sizeof(*best.node_of));
	result.max_before = best.max = max = placing_greatest(&s.placing);
	result.sum_before = best.sum = placing_sum(&s.placing);
	while (s.work < search->work && s.work - best.when < search->patience && best.max > bound &&
	       (search->is_stubborn || !is_hopeless(&s, &best))) {
		s.placing.limit = search->below * max;
		s.placing.weight = mu * max / ((max - s.placing.limit) * (max - s.placing.limit));
		one_round(&s, &hot);
		max = placing_greatest(&s.placing);
		keep_best(&s, &best, max);
		result.nrounds++;
		if (s.work - (best.when > kicked ? best.when : kicked) > search->restart) {
			kick(&s, &best, &hot);
			kicked = s.work;
			max = placing_greatest(&s.placing);
		}
	}
	memcpy(search->node_of, best.node_of, (size_t)s.placing.nitems * sizeof(*best.node_of));
	result.ntrials = s.ntrials;
	result.nmoves = s.nmoves;
	result.max_after = best.max;
	result.sum_after = best.sum;
	free(best.node_of);
	vec_free(&hot.items);
	placing_close(&s.placing);
	free(s.first_mate);
	free(s.mates);
	return result;
}
