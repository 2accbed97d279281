/* compact_known.c - of each number of nodes the least sum of distances that is known, and a set
 * that has it, on the machine without jobs */
#include <stdlib.h>

#include "place/constraint/compact.h"

/* Bricks have 1 to 3 routers in each of up to 3 dimensions, no more than in the one before. More
 * than BRICK_NODES are grown from one router: they have one shape, whatever it begins with. */
enum { BRICKS = 10, BRICK_DIMS = 3, BRICK_SIDE = 3, FEW_NODES = 64, BRICK_NODES = 1024 };

/* A growth over the machine: its first n nodes are a set with a small sum, for each n. */
struct sequence {
	int_vec nodes;
	int64_t *sums; /* [nodes.n + 1] */
};

struct compact_known {
	const struct space *space;
	struct distances *distances;
	int64_t effort;
	int64_t *least; /* [nserving + 1] −1: not known yet */
	int_vec *sets;  /* [nserving + 1] of the least sum; none: a sequence has it, or it is exact
			 */
	struct sequence sequences[BRICKS];
	int nsequences;
};

struct compact_known *compact_known_open(const struct space *space, struct distances *distances,
					 int64_t effort)
{
	struct compact_known *known = xcalloc(1, sizeof(*known));
	int n = space->nserving;

	*known = (struct compact_known){.space = space, .distances = distances, .effort = effort};
	known->least = xmalloc(((size_t)n + 1) * sizeof(*known->least));
	for (int i = 0; i <= n; i++)
		known->least[i] = -1;
	known->sets = xcalloc((size_t)n + 1, sizeof(*known->sets));
	return known;
}

static void drop_sequences(struct compact_known *known)
{
	for (int i = 0; i < known->nsequences; i++) {
		free(known->sequences[i].nodes.at);
		free(known->sequences[i].sums);
		known->sequences[i] = (struct sequence){0};
	}
	known->nsequences = 0;
}

void compact_known_close(struct compact_known *known)
{
	if (known == NULL)
		return;
	drop_sequences(known);
	for (int i = 0; i <= known->space->nserving; i++)
		free(known->sets[i].at);
	free(known->sets);
	free(known->least);
	free(known);
}

/* ---- sequences ---- */

/* A growth takes more steps than a search has. */
static bool is_large(const struct compact_known *known, int wanted)
{
	return compact_is_guessed(known->space) &&
	       compact_grow_steps(known->space, wanted) > known->effort;
}

bool compact_known_is_only(const struct compact_known *known, int wanted)
{
	return (compact_is_guessed(known->space) && known->space->is_grid) ||
	       is_large(known, wanted);
}

/* The routers of a brick with its lowest corner at a router; false: it would stick out of a mesh,
 * or one has not all of its nodes. */
static bool list_brick(const struct pool *pool, int corner, const int *sides, int_vec *routers)
{
	const struct space *space = pool->space;
	int per = space->topo->nnodes / space->topo->nrouters, at[COMPACT_DIMS];

	space_coordinates(space, corner, at);
	routers->n = 0;
	vec_push(routers, corner);
	for (int d = 0, stride = 1; d < space->ndims && d < BRICK_DIMS;
	     stride *= space->sizes[d++]) {
		int size = space->sizes[d], side = sides[d] < size ? sides[d] : size;

		if (!space->is_ring && at[d] + side > size)
			return false;
		for (size_t i = 0, n = routers->n; i < n; i++)
			for (int k = 1; k < side; k++)
				vec_push(routers,
					 routers->at[i] + ((at[d] + k) % size - at[d]) * stride);
	}
	for (size_t i = 0; i < routers->n; i++)
		if (pool->weight[routers->at[i]] < per)
			return false;
	return true;
}

/* From the middle of a mesh on. */
static bool find_brick(const struct pool *pool, const int *sides, int_vec *routers)
{
	const struct space *space = pool->space;
	int middle = 0;

	for (int d = 0, stride = 1; d < space->ndims && !space->is_ring;
	     stride *= space->sizes[d++])
		middle += space->sizes[d] / 2 * stride;
	for (int i = 0; i < space->topo->nrouters; i++)
		if (list_brick(pool, (middle + i) % space->topo->nrouters, sides, routers))
			return true;
	routers->n = 0;
	return false;
}

static void add_sequence(struct compact_known *known, const struct pool *pool, const int_vec *brick,
			 int most)
{
	struct sequence *sequence = &known->sequences[known->nsequences++];

	sequence->sums = xcalloc((size_t)most + 1, sizeof(*sequence->sums));
	compact_sequence(pool, brick, most, &sequence->nodes, sequence->sums);
}

/* So that they have wanted nodes. */
static void make_sequences(struct compact_known *known, const struct pool *pool, int wanted)
{
	const struct space *space = pool->space;
	bool has_bricks = space->is_grid && space->ndims <= COMPACT_DIMS;
	int64_t most = wanted <= FEW_NODES ? FEW_NODES : BRICK_NODES;
	int_vec brick = {0};

	while (most < wanted)
		most *= 2;
	most = most < pool->n ? most : pool->n;
	drop_sequences(known);
	if (has_bricks)
		find_brick(pool, (const int[BRICK_DIMS]){1, 1, 1}, &brick);
	add_sequence(known, pool, &brick, (int)most);
	most = most < BRICK_NODES ? most : BRICK_NODES;
	for (int x = 2; x <= BRICK_SIDE && has_bricks; x++)
		for (int y = 1; y <= x; y++)
			for (int z = 1; z <= y; z++)
				if (find_brick(pool, (const int[BRICK_DIMS]){x, y, z}, &brick))
					add_sequence(known, pool, &brick, (int)most);
	free(brick.at);
}

/* The one whose first wanted nodes have the least sum. */
static const struct sequence *best_sequence(const struct compact_known *known, int wanted)
{
	const struct sequence *best = &known->sequences[0];

	for (int i = 1; i < known->nsequences; i++) {
		const struct sequence *sequence = &known->sequences[i];

		if ((size_t)wanted <= sequence->nodes.n &&
		    sequence->sums[wanted] < best->sums[wanted])
			best = sequence;
	}
	return best;
}

/* ---- the least ---- */

int64_t compact_best(const struct pool *pool, const struct machine *machine, const int *rank,
		     int wanted, int64_t enough, int64_t steps, int_vec *nodes, bool *is_exact)
{
	const struct space *space = pool->space;

	nodes->n = 0;
	*is_exact = true;
	if (!space->is_direct)
		return compact_tree(pool, machine, rank, wanted, nodes);
	if (space->is_grid && space->ndims == 1 && !space->is_ring)
		return compact_line(pool, rank, wanted, nodes);
	*is_exact = false;
	return compact_grow(pool, rank, wanted, enough, &steps, nodes);
}

/* All nodes of a torus look the same. */
static bool is_the_same_from_everywhere(const struct space *space)
{
	return space->is_grid && space->is_ring && space->nserving == space->topo->nnodes;
}

/*
 * Of more than half of a torus: what the fewest nodes leave over. Where T is the sum of the
 * distances from any node, those of n nodes sum up to (n T − c) / 2, with c between them and the
 * others, whose distances sum up to ((N − n) T − c) / 2.
 */
static void find_rest(struct compact_known *known, const struct machine *machine, int wanted)
{
	const struct topo *topo = known->space->topo;
	int nrest = topo->nnodes - wanted;
	int64_t from_one = 0, sum = nrest > 0 ? compact_known_sum(known, machine, nrest) : 0;
	const int *rest = nrest > 0 ? compact_known_set(known, nrest) : NULL;
	const uint16_t *distance = distances_from(known->distances, 0);
	bool *is_rest = xcalloc((size_t)topo->nnodes, sizeof(*is_rest));

	for (int r = 0; r < topo->nrouters; r++)
		from_one += (int64_t)distance[r] * (topo->nnodes / topo->nrouters);
	for (int i = 0; i < nrest; i++)
		is_rest[rest[i]] = true;
	for (int node = 0; node < topo->nnodes; node++)
		if (!is_rest[node])
			vec_push(&known->sets[wanted], node);
	free(is_rest);
	known->least[wanted] = sum + (wanted - nrest) * from_one / 2;
}

static void find(struct compact_known *known, const struct machine *machine, int wanted)
{
	/* on large machines no more than later on, so that it is found again */
	int64_t steps = (near_is_guessed(known->space) ? 1 : COMPACT_ONCE) * known->effort;
	int64_t sum = COMPACT_NONE;
	int_vec *nodes = &known->sets[wanted];
	struct pool pool;
	bool is_exact = false;

	pool_init(&pool, known->distances, NULL);
	if (!is_large(known, wanted))
		sum = compact_best(&pool, machine, NULL, wanted, 0, steps, nodes, &is_exact);
	if (compact_known_is_only(known, wanted)) {
		int64_t grown;

		if (known->nsequences == 0 || known->sequences[0].nodes.n < (size_t)wanted)
			make_sequences(known, &pool, wanted);
		grown = best_sequence(known, wanted)->sums[wanted];
		nodes->n = grown < sum ? 0 : nodes->n;
		sum = grown < sum ? grown : sum;
	}
	if (!is_exact && sum != COMPACT_NONE)
		compact_lessen(&pool, wanted, &sum, &steps, nodes);
	if (is_exact)
		nodes->n = 0;
	pool_free(&pool);
	known->least[wanted] = sum;
}

int64_t compact_known_sum(struct compact_known *known, const struct machine *machine, int wanted)
{
	if (wanted > known->space->nserving)
		return COMPACT_NONE;
	if (known->least[wanted] < 0 && compact_known_is_only(known, wanted) &&
	    is_the_same_from_everywhere(known->space) && wanted > known->space->nserving / 2)
		find_rest(known, machine, wanted);
	else if (known->least[wanted] < 0)
		find(known, machine, wanted);
	return known->least[wanted];
}

const int *compact_known_set(const struct compact_known *known, int wanted)
{
	if (known->sets[wanted].n > 0)
		return known->sets[wanted].at;
	return compact_known_is_only(known, wanted) ? best_sequence(known, wanted)->nodes.at : NULL;
}
