/* compact.c - nodes with the least sum of distances there can be (Def. 8) */
#include "place/constraint/compact.h"

#include <stdlib.h>

/* What is found once for each number of nodes may take longer. */
enum { ONCE = 8 };

/* The least sum of n nodes in service; −1: not known yet. */
struct compact {
	int64_t *least; /* [nserving + 1] */
	struct distances distances;
};

static int compact_open(struct constraint *constraint, struct err *err)
{
	struct compact *known = xcalloc(1, sizeof(*known));
	int n = constraint->space->nserving;

	(void)err;
	constraint->state = known;
	distances_open(&known->distances, constraint->space,
		       pick_is(constraint->pick, "distance", "routes"));
	known->least = xmalloc(((size_t)n + 1) * sizeof(*known->least));
	for (int i = 0; i <= n; i++)
		known->least[i] = -1;
	return 0;
}

static void close(struct constraint *constraint)
{
	struct compact *known = constraint->state;

	if (known == NULL)
		return;
	distances_close(&known->distances);
	free(known->least);
	free(known);
}

static bool is_line(const struct space *space)
{
	return space->is_grid && space->ndims == 1 && !space->is_ring;
}

/* A set of the least sum that is known of. rank NULL: ties by label. *is_exact: there is
 * none less. */
static int64_t best_set(const struct pool *pool, const struct search *search, const int *rank,
			int64_t steps, int_vec *nodes, bool *is_exact)
{
	nodes->n = 0;
	*is_exact = true;
	if (!pool->space->is_direct)
		return compact_tree(pool, search->machine, rank, search->wanted, nodes);
	if (is_line(pool->space))
		return compact_line(pool, rank, search->wanted, nodes);
	*is_exact = false;
	return compact_grow(pool, rank, search->wanted, &steps, nodes);
}

static int64_t known_least(struct constraint *constraint, const struct search *search)
{
	struct compact *known = constraint->state;
	int64_t sum, steps = ONCE * pick_int(constraint->pick, "effort");
	int_vec nodes = {0};
	struct pool pool;
	bool is_exact;

	if (search->wanted > constraint->space->nserving)
		return -1;
	if (!search->least_now && known->least[search->wanted] >= 0)
		return known->least[search->wanted];
	pool_init(&pool, &known->distances, search->least_now ? search->machine : NULL);
	sum = best_set(&pool, search, NULL, steps, &nodes, &is_exact);
	if (!is_exact && sum != COMPACT_NONE)
		compact_branch(&pool, search->wanted, &sum, &steps, NULL, NULL);
	pool_free(&pool);
	free(nodes.at);
	if (sum == COMPACT_NONE)
		return -1;
	if (!search->least_now)
		known->least[search->wanted] = sum;
	return sum;
}

static int visit(void *context, const int *nodes)
{
	return search_exact(context, nodes) != SEARCH_ALL;
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct compact *known = constraint->state;
	int64_t least = known_least(constraint, search), steps = search->steps;
	int64_t effort = pick_int(constraint->pick, "effort");
	struct pool pool;
	int_vec nodes = {0};
	int end = SEARCH_ALL;
	bool is_exact = true, found = false;

	if (least < 0)
		return SEARCH_ALL;
	pool_init(&pool, &known->distances, search->machine);
	if (!search->wants_all && !compact_peel(&pool, search->wanted, least)) {
		pool_free(&pool);
		return SEARCH_ALL;
	}
	/* by the policy's ranks first, then as the least was found */
	for (int i = 0; i < 2 && !search->wants_all && !found; i++)
		if (best_set(&pool, search, i == 0 ? search->rank : NULL, effort, &nodes,
			     &is_exact) <= least) {
			found = true;
			end = search_exact(search, nodes.at);
		}
	if (search->wants_all || (!found && !is_exact)) {
		if (!search->wants_all)
			steps = effort;
		end = compact_branch(&pool, search->wanted, &least, &steps, visit, search);
	}
	search->steps = search->wants_all ? steps : search->steps;
	pool_free(&pool);
	free(nodes.at);
	return end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	struct compact *known = constraint->state;
	int64_t n = search->wanted;

	if (!search_spend(search, n * (n - 1) / 2))
		return -1;
	return compact_sum(&known->distances, nodes, search->wanted) <=
	       known_least(constraint, search);
}

const struct constraint_type constraint_compact = {
	.entry =
		{
			.name = "compact",
			.example = "compact",
			.summary = "nodes with the smallest possible sum of distances: "
				   "levels in a hierarchy, links elsewhere",
			.paper = "Bleuse et al., Def. 8",
			.params =
				(const struct param[]){
					DISTANCE_PARAM, EFFORT_PARAM, CONSTRAINT_PARAMS, {0}},
		},
	.turn = TURN_SUMS,
	.is_bounded = true,
	.open = compact_open,
	.close = close,
	.regions = regions,
	.holds = holds,
};
