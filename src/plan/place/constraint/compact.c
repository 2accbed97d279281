/* compact.c - nodes with the least sum of distances there can be (Def. 8) */
#include "place/constraint/compact.h"

#include <stdlib.h>

struct compact {
	struct distances distances;
	struct compact_known *known;
	struct compact_nested *nested; /* NULL: the least has no one shape */
	/* The least sum of the idle nodes, and a set that has it, found last in this attempt. */
	int64_t attempt, sum_now;
	int_vec set_now;
};

static int compact_open(struct constraint *constraint, struct err *err)
{
	struct compact *compact = xcalloc(1, sizeof(*compact));

	constraint->state = compact;
	if (distances_open(&compact->distances, constraint->space,
			   pick_is(constraint->pick, "distance", "routes"), err) != 0)
		return -1;
	compact->known = compact_known_open(constraint->space, &compact->distances,
					    pick_int(constraint->pick, "effort"));
	compact->nested = compact_nested_open(constraint->space);
	return 0;
}

static void close(struct constraint *constraint)
{
	struct compact *compact = constraint->state;

	if (compact == NULL)
		return;
	compact_known_close(compact->known);
	compact_nested_close(compact->nested);
	distances_close(&compact->distances);
	free(compact->set_now.at);
	free(compact);
}

static void find_now(struct constraint *constraint, const struct search *search)
{
	struct compact *compact = constraint->state;
	int64_t sum, steps = pick_int(constraint->pick, "effort");
	struct pool pool;
	bool is_exact;

	if (!near_is_guessed(constraint->space))
		steps *= COMPACT_ONCE;
	pool_init(&pool, &compact->distances, search->machine);
	sum = compact_best(&pool, search->machine, NULL, search->wanted, 0, steps,
			   &compact->set_now, &is_exact);
	if (!is_exact && sum != COMPACT_NONE)
		compact_lessen(&pool, search->wanted, &sum, &steps, &compact->set_now);
	pool_free(&pool);
	compact->attempt = search->attempt;
	compact->sum_now = sum;
}

/* What a set must not exceed. */
static int64_t find_least(struct constraint *constraint, const struct search *search)
{
	struct compact *compact = constraint->state;

	if (!search->least_now)
		return compact_known_sum(compact->known, search->machine, search->wanted);
	if (compact->attempt != search->attempt)
		find_now(constraint, search);
	return compact->sum_now;
}

static int visit(void *context, const int *nodes)
{
	return search_exact(context, nodes) != SEARCH_ALL;
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	struct compact *compact = constraint->state;

	return compact->nested != NULL ? compact_nested_fits(compact->nested, idle, n) : -1;
}

/* The set that is known, where it is idle as it is, or moved. */
static int known_region(struct constraint *constraint, const struct pool *pool,
			struct search *search)
{
	const struct compact *compact = constraint->state;
	const int *set = compact_known_set(compact->known, search->wanted);
	int64_t steps = pick_int(constraint->pick, "effort");
	int_vec nodes = {0};
	int end = SEARCH_BOUND;

	if (set != NULL && compact_moved(pool, set, search->wanted, &steps, &nodes))
		end = search_exact(search, nodes.at);
	free(nodes.at);
	return end;
}

static int nested_region(struct compact *compact, struct search *search)
{
	int_vec nodes = {0};
	int end;

	compact_nested_choose(compact->nested, search, &nodes);
	end = search_exact(search, nodes.at);
	free(nodes.at);
	return end;
}

/* By the policy's ranks first, then as the least was found. *is_exact: what was not found is not
 * there. False: none has the least. */
static bool grown_region(struct constraint *constraint, const struct pool *pool,
			 struct search *search, int64_t least, bool *is_exact, int *end)
{
	int64_t effort = pick_int(constraint->pick, "effort");
	int_vec nodes = {0};
	bool found = false;

	for (int i = 0; i < 2 && !found; i++)
		found = compact_best(pool, search->machine, i == 0 ? search->rank : NULL,
				     search->wanted, least, effort, &nodes, is_exact) <= least;
	if (found)
		*end = search_exact(search, nodes.at);
	free(nodes.at);
	return found;
}

/* One set that has the least, if there is one. */
static int one_region(struct constraint *constraint, struct pool *pool, struct search *search,
		      int64_t least)
{
	const struct compact *compact = constraint->state;
	int64_t steps = pick_int(constraint->pick, "effort");
	bool is_exact = true;
	int end = SEARCH_ALL;

	if (!search->least_now && compact_known_is_only(compact->known, search->wanted))
		return known_region(constraint, pool, search);
	if (!search->least_now && compact->nested != NULL &&
	    !compact_nested_has_full(compact->nested, search->machine->idle.level[0],
				     search->wanted)) {
		search->is_left_out = true;
		return SEARCH_BOUND;
	}
	if (!compact_peel(pool, search->wanted, least) ||
	    grown_region(constraint, pool, search, least, &is_exact, &end) || is_exact)
		return end;
	end = compact_branch(pool, search->wanted, least, &steps, visit, search);
	/* nothing was found, and not all was seen */
	if (end == SEARCH_BOUND && search->below == INT64_MAX)
		end = search->least_now ? search_exact(search, compact->set_now.at)
					: known_region(constraint, pool, search);
	return end;
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct compact *compact = constraint->state;
	/* of more nodes all sets are never listed: then one is looked at */
	bool is_one = !search->wants_all || search->machine->nidle > COMPACT_BRANCH_NODES;
	int known_fits = is_one && !search->least_now
				 ? fits(constraint, search->machine->idle.level[0], search->wanted)
				 : -1;
	int64_t least;
	struct pool pool;
	int end;

	if (known_fits == 0)
		return SEARCH_ALL;
	least = known_fits < 0 ? find_least(constraint, search) : 0;
	if (least == COMPACT_NONE)
		return SEARCH_ALL;
	pool_init(&pool, &compact->distances, search->machine);
	if (known_fits > 0)
		end = nested_region(compact, search);
	else if (is_one)
		end = one_region(constraint, &pool, search, least);
	else
		end = compact_branch(&pool, search->wanted, least, &search->steps, visit, search);
	pool_free(&pool);
	return search->wants_all && is_one && end == SEARCH_ALL ? SEARCH_BOUND : end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	struct compact *compact = constraint->state;
	int64_t n = search->wanted;

	if (!search_spend(search, n * (n - 1) / 2))
		return -1;
	return compact_sum(&compact->distances, nodes, search->wanted) <=
	       find_least(constraint, search);
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
	.is_least = true,
	.fits = fits,
	.open = compact_open,
	.close = close,
	.regions = regions,
	.holds = holds,
};
