/* near.c - sets of nodes that are no further apart than a distance: which way for which machine */
#include "place/constraint/near.h"

#include <stdlib.h>

enum { CLIQUE_STEPS = 2000000 };

/* What finds something quickly, without a promise. */
static int guess(struct near_query *query)
{
	const struct space *space = query->pool->space;
	int end = near_domains(query);

	/* the triangle inequality holds for hops */
	if (end != SEARCH_STOP && !query->pool->distances->by_routes)
		end = space->is_grid && space->is_ring && near_is_guessed(space)
			      ? near_torus_balls(query)
			      : near_balls(query);
	if (end != SEARCH_STOP && query->pool->space->is_grid)
		end = near_boxes(query);
	return end == SEARCH_STOP ? end : SEARCH_BOUND;
}

int near_regions(struct near_query *query)
{
	const struct space *space = query->pool->space;
	int end;

	if (query->pool->n < query->wanted)
		return SEARCH_ALL;
	query->nodes.n = 0;
	if (query->distance >= query->pool->distances->most) {
		for (int r = 0; r < space->topo->nrouters; r++)
			pool_add(query->pool, r, &query->nodes);
		end = query->visit(query->context, query->nodes.at, (int)query->nodes.n)
			      ? SEARCH_STOP
			      : SEARCH_ALL;
	} else if (!space->is_direct) {
		end = near_domains(query);
	} else if (near_is_flat(space)) {
		end = near_squares(query);
	} else if (space->is_grid && space->ndims == 1 &&
		   3 * (int64_t)query->distance < space->sizes[0]) {
		end = near_arcs(query);
	} else {
		int64_t steps = query->steps;

		query->steps = steps < CLIQUE_STEPS ? steps : CLIQUE_STEPS;
		end = space->topo->nrouters <= NEAR_CLIQUE_ROUTERS ? near_cliques(query)
								   : SEARCH_BOUND;
		query->steps = steps;
		if (end == SEARCH_BOUND)
			end = guess(query);
	}
	free(query->nodes.at);
	query->nodes = (int_vec){0};
	return end;
}

static int stop(void *context, const int *nodes, int n)
{
	(void)nodes, (void)n;
	*(bool *)context = true;
	return 1;
}

/* 1: there is a region; 0: there is none; -1: none was found. */
static int is_possible(const struct pool *pool, int wanted, int distance)
{
	bool found = false;
	struct near_query query = {.pool = pool,
				   .wanted = wanted,
				   .distance = distance,
				   .steps = SEARCH_STEPS,
				   .visit = stop,
				   .context = &found};
	int end = near_regions(&query);

	return found ? 1 : end == SEARCH_ALL ? 0 : -1;
}

struct widest {
	struct near_query query;
	int n;
};

static int note_widest(void *context, const int *nodes, int n)
{
	struct widest *widest = context;

	(void)nodes;
	widest->n = n;
	widest->query.wanted = n + 1;
	return 0;
}

int near_widest(const struct pool *pool, int distance, int64_t steps)
{
	struct widest widest = {.query = {.pool = pool,
					  .wanted = 1,
					  .distance = distance,
					  .steps = steps,
					  .visit = note_widest}};

	widest.query.context = &widest;
	near_regions(&widest.query);
	return widest.n;
}

/* What is possible stays so with more distance. */
int near_least(const struct pool *pool, int wanted, bool *is_exact)
{
	int low = 0, high = pool->distances->most;

	*is_exact = true;
	if (pool->n < wanted)
		return -1;
	while (low < high) {
		int middle = (low + high) / 2, status = is_possible(pool, wanted, middle);

		if (status == 1)
			high = middle;
		else
			low = middle + 1;
	}
	if (high > 0)
		*is_exact = is_possible(pool, wanted, high - 1) == 0;
	return high;
}
