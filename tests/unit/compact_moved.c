/* compact_moved.c - a set moved on a torus or mesh to idle nodes, against every move in turn */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "place/constraint/compact.h"

static const char *const specs[] = {
	"torus:dims=5x4x3",   "torus:dims=64x3",
	"torus:dims=7x2x3x2", "torus:dims=4x3x3,per-router=2",
	"mesh:dims=5x4x3",    "mesh:dims=6x2x3,per-router=2",
	"hypercube:dims=6",
};

enum { ROUNDS = 300, DIMS = 32 };

/* Along a dimension the first place of a set: 0 but where it may move in one direction only. */
static int lowest(const struct space *space, const int *set, int n, int d)
{
	int least = space->sizes[d], at[DIMS];

	for (int i = 0; i < n; i++) {
		space_coordinates(space, space->topo->router_of[set[i]], at);
		least = at[d] < least ? at[d] : least;
	}
	return space->is_ring || space->sizes[d] == 2 ? 0 : least;
}

/* The router of a node of the set moved by the coordinates of a router; −1: it sticks out. */
static int move(const struct space *space, const int *set, int n, int node, int by)
{
	int at[DIMS], steps[DIMS], stride = 1, to = 0;

	space_coordinates(space, space->topo->router_of[node], at);
	space_coordinates(space, by, steps);
	for (int d = 0; d < space->ndims; d++) {
		int size = space->sizes[d], moved = at[d] + steps[d] - lowest(space, set, n, d);

		if (moved >= size && !space->is_ring && size != 2)
			return -1;
		to += moved % size * stride;
		stride *= size;
	}
	return to;
}

/* Whether each router of the set, moved, has as many idle nodes as the set has there. */
static bool is_idle(const struct pool *pool, const int *set, int n, int by)
{
	int *left = xmalloc((size_t)pool->space->topo->nrouters * sizeof(*left));
	bool is_idle = true;

	memcpy(left, pool->weight, (size_t)pool->space->topo->nrouters * sizeof(*left));
	for (int i = 0; i < n && is_idle; i++) {
		int to = move(pool->space, set, n, set[i], by);

		is_idle = to >= 0 && left[to]-- > 0;
	}
	free(left);
	return is_idle;
}

/* The first router that the set can be moved by; −1: none. */
static int first_move(const struct pool *pool, const int *set, int n)
{
	for (int by = 0; by < pool->space->topo->nrouters; by++)
		if (is_idle(pool, set, n, by))
			return by;
	return -1;
}

/* Some nodes from a place on are idle, a few others are not. */
static void make_pool(struct pool *pool, struct rng *rng)
{
	const struct topo *topo = pool->space->topo;
	uint64_t percent = 2 + rng_below(rng, 40);

	pool->n = 0;
	for (int r = 0; r < topo->nrouters; r++)
		pool->weight[r] = 0;
	for (int node = 0; node < topo->nnodes; node++) {
		pool->has[node] = rng_below(rng, 100) >= percent;
		pool->weight[topo->router_of[node]] += pool->has[node];
		pool->n += pool->has[node];
	}
}

/* Whether the set could be moved. Near by so that it often can. */
static bool try_pool(const struct pool *pool, struct rng *rng)
{
	const struct topo *topo = pool->space->topo;
	int order[512], n = 1 + (int)rng_below(rng, 8), by;
	int span = n + (int)rng_below(rng, (uint64_t)(topo->nnodes - n + 1));
	int64_t steps = INT64_MAX / 2;
	int_vec nodes = {0};
	bool is_there = pool->space->is_ring;

	for (int node = 0; node < span; node++)
		order[node] = node;
	rng_shuffle(rng, order, (size_t)span);
	for (int i = 0; i < n; i++)
		is_there = is_there && pool->has[order[i]];
	by = first_move(pool, order, n);
	CHECK(compact_moved(pool, order, n, &steps, &nodes) == (by >= 0));
	CHECK_INT((int)nodes.n, by >= 0 ? n : 0);
	for (int i = 0; i < (int)nodes.n; i++) {
		CHECK(pool->has[nodes.at[i]]);
		CHECK_INT(topo->router_of[nodes.at[i]],
			  is_there ? topo->router_of[order[i]]
				   : move(pool->space, order, n, order[i], by));
		for (int k = 0; k < i; k++)
			CHECK(nodes.at[k] != nodes.at[i]);
	}
	free(nodes.at);
	return by >= 0;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct topo *topo = machine(specs[i]);
		struct rng rng = rng_make(1, "moved", specs[i], NULL);
		struct distances distances;
		struct space space;
		struct pool pool;
		struct err err;
		int nmoved = 0;

		CHECK(space_open(&space, topo, NULL, NULL, &err) == 0);
		CHECK(distances_open(&distances, &space, false, &err) == 0);
		pool_init(&pool, &distances, NULL);
		for (int round = 0; round < ROUNDS; round++) {
			make_pool(&pool, &rng);
			nmoved += try_pool(&pool, &rng);
		}
		CHECK(nmoved > ROUNDS / 10);
		pool_free(&pool);
		distances_close(&distances);
		space_close(&space);
		topo_free(topo);
	}
	return check_done();
}
