/* search.c - moving items between nodes to lower the most loaded links */
#include "map/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "map/search/search_priv.h"

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
			out += s->placing.ends[e].out;
			in += s->placing.ends[e].in;
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
	search_open_proposals(s);
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
	vec_free(&s->is_hot);
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
