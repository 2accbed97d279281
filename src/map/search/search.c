/* search.c - moving items between nodes to lower the most loaded links */
#include "map/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "map/search/search_priv.h"

static const double hot = 0.98; /* of the greatest load */

void search_aim(struct search_state *s, double load, double part, double mu)
{
	double over = (1 - part) * load;

	s->placing.limit = part * load;
	s->placing.weight = over > 0 ? mu * load / (over * over) : 0;
}

/* Whether the path from one node to another has a link of at least a load. */
static bool crosses(const struct search_state *s, int from, int to, double load)
{
	const int32_t *rest;
	int32_t up = s->routes->up[from];

	if (from == to)
		return false;
	if (up >= 0 && placing_load(&s->placing, up) >= load)
		return true;
	rest = routes_rest(s->routes, from, to);
	for (int k = 1; k <= rest[0]; k++)
		if (placing_load(&s->placing, rest[k]) >= load)
			return true;
	return false;
}

void search_find_hot(struct search_state *s, double max)
{
	const struct placing *placing = &s->placing;

	s->hot.n = 0;
	for (int i = 0; i < placing->nitems; i++)
		for (int64_t e = placing->first[i]; e < placing->first[i + 1]; e++) {
			const struct placing_end *end = &placing->ends[e];

			if (end->is_out &&
			    crosses(s, placing->node_of[i], placing->node_of[end->peer], hot * max))
				vec_push(&s->hot, ((struct hot_edge){i, end->peer}));
		}
}

bool search_keep(struct search_state *s)
{
	double max = placing_greatest(&s->placing), sum;

	if (max > s->best_max)
		return false;
	sum = placing_sum(&s->placing);
	if (max == s->best_max && sum >= s->best_sum)
		return false;
	if (max < s->best_max || sum < 0.999 * s->best_sum)
		s->best_when = s->work;
	s->best_max = max;
	s->best_sum = sum;
	memcpy(s->best_of, s->placing.node_of, (size_t)s->placing.nitems * sizeof(*s->best_of));
	return true;
}

/*
 * What no exchange of items gets the greatest load below: of items that take a whole node, the load
 * of one of its links; else 0.
 */
static double bound_of(const struct search_state *s)
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

static void start(struct search_state *s)
{
	const struct search *search = s->search;
	size_t nitems = (size_t)search->comm->nranks;

	placing_open(&s->placing, search->comm, search->room, search->routes, search->node_of);
	search_open_near(s);
	s->is_waiting = xcalloc(nitems + 1, sizeof(*s->is_waiting));
	s->best_of = xmalloc((nitems + 1) * sizeof(*s->best_of));
	memcpy(s->best_of, search->node_of, nitems * sizeof(*s->best_of));
	s->best_max = placing_greatest(&s->placing);
	s->best_sum = placing_sum(&s->placing);
}

static void finish(struct search_state *s)
{
	memcpy(s->search->node_of, s->best_of, (size_t)s->placing.nitems * sizeof(*s->best_of));
	placing_close(&s->placing);
	free(s->first_mate);
	free(s->mates);
	free(s->is_waiting);
	free(s->best_of);
	vec_free(&s->hot);
	vec_free(&s->records);
}

struct search_result search_run(const struct search *search)
{
	struct search_state s = {.search = search,
				 .routes = search->routes,
				 .rng = rng_make(search->seed, "mapping-search", NULL, NULL)};
	struct search_result result = {0};
	double bound;

	start(&s);
	result.max_before = s.best_max;
	result.sum_before = s.best_sum;
	bound = s.best_max <= search->enough ? s.best_max : bound_of(&s);
	search_anneal(&s, bound);
	placing_set(&s.placing, s.best_of);
	search_mend(&s, bound);
	if (search->polish > 0 && s.best_max > 0) {
		placing_set(&s.placing, s.best_of);
		search_polish(&s);
	}
	result.ntrials = s.ntrials;
	result.nmoves = s.nmoves;
	result.nrounds = s.nbatches;
	result.max_after = s.best_max;
	result.sum_after = s.best_sum;
	finish(&s);
	return result;
}
