/* compact.c - nodes with the least sum of distances there can be (Def. 8) */
#include "place/constraint/compact.h"

#include <stdlib.h>

/* What is found once for each number of nodes may take longer. Bricks have 1 to 3 routers in each
 * of up to 3 dimensions, no more than in the one before; more nodes than so many have one shape,
 * from whatever brick they are grown. */
enum { ONCE = 8, BRICKS = 10, BRICK_DIMS = 3, BRICK_SIDE = 3, FEW_NODES = 64, BRICK_NODES = 1024 };

/* A growth over the machine: its first n nodes are a set with a small sum, for each n. */
struct sequence {
	int_vec nodes;
	int64_t *sums; /* [nodes.n + 1] */
};

/* The least sum of n nodes in service; −1: not known yet. */
struct compact {
	int64_t *least; /* [nserving + 1] */
	struct distances distances;
	struct compact_nested *nested; /* NULL: the least has no one shape */
	/* Where a growth takes more steps than a search has, and on large tori: from the first
	 * router; on tori from bricks, too. */
	struct sequence sequences[BRICKS];
	int nsequences;
	int_vec *sets; /* [nserving + 1] large tori: of small jobs, the set of the least that is
			  known, where no sequence has it */
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
	known->sets = xcalloc((size_t)n + 1, sizeof(*known->sets));
	known->nested = compact_nested_open(constraint->space);
	return 0;
}

static void drop_sequences(struct compact *known)
{
	for (int i = 0; i < known->nsequences; i++) {
		free(known->sequences[i].nodes.at);
		free(known->sequences[i].sums);
		known->sequences[i] = (struct sequence){0};
	}
	known->nsequences = 0;
}

static void close(struct constraint *constraint)
{
	struct compact *known = constraint->state;

	if (known == NULL)
		return;
	distances_close(&known->distances);
	compact_nested_close(known->nested);
	for (int i = 0; i <= constraint->space->nserving; i++)
		free(known->sets[i].at);
	free(known->sets);
	drop_sequences(known);
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
			int64_t enough, int64_t steps, int_vec *nodes, bool *is_exact)
{
	nodes->n = 0;
	*is_exact = true;
	if (!pool->space->is_direct)
		return compact_tree(pool, search->machine, rank, search->wanted, nodes);
	if (is_line(pool->space))
		return compact_line(pool, rank, search->wanted, nodes);
	*is_exact = false;
	return compact_grow(pool, rank, search->wanted, enough, &steps, nodes);
}

/* Sets can be moved as they are, and are rather than grown anew. */
static bool is_movable(const struct space *space)
{
	return near_is_guessed(space) && space->is_grid && space->is_ring;
}

/* Of large jobs on large machines. */
static bool is_large(const struct constraint *constraint, const struct pool *pool, int wanted)
{
	return pool->space->is_direct && near_is_guessed(pool->space) &&
	       compact_grow_steps(pool, wanted) > pick_int(constraint->pick, "effort");
}

/* Their first nodes are candidates; all others are grown, or found by search. */
static bool has_sequences(const struct constraint *constraint, const struct pool *pool, int wanted)
{
	return is_movable(pool->space) || is_large(constraint, pool, wanted);
}

/* The routers of a brick at the first one. */
static void list_brick(const struct space *space, const int *sides, int_vec *routers)
{
	vec_push(routers, 0);
	for (int d = 0, stride = 1; d < space->ndims && d < BRICK_DIMS; stride *= space->sizes[d++])
		for (size_t i = 0, n = routers->n; i < n; i++)
			for (int k = 1; k < sides[d] && k < space->sizes[d]; k++)
				vec_push(routers, routers->at[i] + k * stride);
}

static void add_sequence(struct compact *known, const struct pool *pool, const int_vec *brick,
			 int most)
{
	struct sequence *sequence = &known->sequences[known->nsequences++];

	sequence->sums = xcalloc((size_t)most + 1, sizeof(*sequence->sums));
	compact_sequence(pool, brick, most, &sequence->nodes, sequence->sums);
}

/* So that they have wanted nodes. */
static void make_sequences(struct compact *known, const struct pool *pool, int wanted)
{
	const struct space *space = pool->space;
	int most = wanted <= FEW_NODES ? FEW_NODES : wanted <= BRICK_NODES ? BRICK_NODES : pool->n;
	int_vec brick = {0};

	drop_sequences(known);
	most = most < pool->n ? most : pool->n;
	add_sequence(known, pool, &brick, most);
	/* where nodes are out of service a brick may have holes */
	if (!is_movable(space) || pool->n < space->topo->nnodes)
		return;
	most = most < BRICK_NODES ? most : BRICK_NODES;
	for (int x = 2; x <= BRICK_SIDE; x++)
		for (int y = 1; y <= x; y++)
			for (int z = 1; z <= y; z++) {
				brick.n = 0;
				list_brick(space, (const int[BRICK_DIMS]){x, y, z}, &brick);
				add_sequence(known, pool, &brick, most);
			}
	free(brick.at);
}

/* The one whose first wanted nodes have the least sum. */
static const struct sequence *best_sequence(struct compact *known, const struct pool *pool,
					    int wanted)
{
	const struct sequence *best = &known->sequences[0];

	if (best->nodes.n < (size_t)wanted)
		make_sequences(known, pool, wanted);
	for (int i = 1; i < known->nsequences; i++) {
		const struct sequence *sequence = &known->sequences[i];

		if ((size_t)wanted <= sequence->nodes.n &&
		    sequence->sums[wanted] < best->sums[wanted])
			best = sequence;
	}
	return best;
}

static int64_t known_least(struct constraint *constraint, const struct search *search)
{
	struct compact *known = constraint->state;
	int64_t sum = COMPACT_NONE;
	/* on large machines no more than later on, so that it is found again */
	int64_t steps = (near_is_guessed(constraint->space) ? 1 : ONCE) *
			pick_int(constraint->pick, "effort");
	int_vec nodes = {0};
	struct pool pool;
	bool is_exact = true;

	if (search->wanted > constraint->space->nserving)
		return -1;
	if (!search->least_now && known->least[search->wanted] >= 0)
		return known->least[search->wanted];
	pool_init(&pool, &known->distances, search->least_now ? search->machine : NULL);
	if (search->least_now || !is_large(constraint, &pool, search->wanted))
		sum = best_set(&pool, search, NULL, 0, steps, &nodes, &is_exact);
	if (!search->least_now && has_sequences(constraint, &pool, search->wanted)) {
		int64_t grown = best_sequence(known, &pool, search->wanted)->sums[search->wanted];

		nodes.n = grown < sum ? 0 : nodes.n;
		sum = grown < sum ? grown : sum;
	}
	if (!is_exact && sum != COMPACT_NONE)
		compact_branch(&pool, search->wanted, &sum, &steps, NULL, NULL);
	pool_free(&pool);
	if (sum != COMPACT_NONE && !search->least_now) {
		known->least[search->wanted] = sum;
		if (is_movable(constraint->space))
			for (size_t i = 0; i < nodes.n; i++)
				vec_push(&known->sets[search->wanted], nodes.at[i]);
	}
	free(nodes.at);
	return sum == COMPACT_NONE ? -1 : sum;
}

static int visit(void *context, const int *nodes)
{
	return search_exact(context, nodes) != SEARCH_ALL;
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	struct compact *known = constraint->state;

	return known->nested != NULL ? compact_nested_fits(known->nested, idle, n) : -1;
}

/* Large jobs: the set of the empty machine, or one like it. */
static int large_region(struct constraint *constraint, const struct pool *pool,
			struct search *search)
{
	struct compact *known = constraint->state;
	int64_t steps = pick_int(constraint->pick, "effort");
	const int_vec *set = &known->sets[search->wanted];
	int_vec nodes = {0};
	int end = SEARCH_BOUND;

	if (set->n == 0)
		set = &best_sequence(known, pool, search->wanted)->nodes;
	if (compact_moved(pool, set->at, search->wanted, &steps, &nodes))
		end = search_exact(search, nodes.at);
	free(nodes.at);
	return end;
}

static int nested_region(struct compact *known, struct search *search)
{
	int_vec nodes = {0};
	int end;

	compact_nested_choose(known->nested, search, &nodes);
	end = search_exact(search, nodes.at);
	free(nodes.at);
	return end;
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct compact *known = constraint->state;
	int64_t least, steps = search->steps;
	int64_t effort = pick_int(constraint->pick, "effort");
	struct pool pool;
	int_vec nodes = {0};
	int end = SEARCH_ALL;
	bool is_exact = true, found = false, is_one = !search->wants_all && !search->least_now;
	int known_fits =
		is_one ? fits(constraint, search->machine->idle.level[0], search->wanted) : -1;

	if (known_fits >= 0)
		return known_fits == 1 ? nested_region(known, search) : SEARCH_ALL;
	least = known_least(constraint, search);
	if (least < 0)
		return SEARCH_ALL;
	pool_init(&pool, &known->distances, search->machine);
	if (is_one && has_sequences(constraint, &pool, search->wanted)) {
		end = large_region(constraint, &pool, search);
		pool_free(&pool);
		return end;
	}
	if (is_one && known->nested != NULL &&
	    !compact_nested_has_full(known->nested, search->machine->idle.level[0],
				     search->wanted)) {
		pool_free(&pool);
		search->is_left_out = true;
		return SEARCH_BOUND;
	}
	if (!search->wants_all && !compact_peel(&pool, search->wanted, least)) {
		pool_free(&pool);
		return SEARCH_ALL;
	}
	/* by the policy's ranks first, then as the least was found */
	for (int i = 0; i < 2 && !search->wants_all && !found; i++)
		if (best_set(&pool, search, i == 0 ? search->rank : NULL, least, effort, &nodes,
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
	.is_least = true,
	.fits = fits,
	.open = compact_open,
	.close = close,
	.regions = regions,
	.holds = holds,
};
