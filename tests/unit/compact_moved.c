/* compact_moved.c - a set moved round a torus to idle nodes, against every move in turn */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "place/constraint/compact.h"

static const char *const specs[] = {"torus:dims=5x4x3", "torus:dims=64x3", "torus:dims=7x2x3x2",
				    "torus:dims=4x3x3,per-router=2"};

enum { ROUNDS = 300 };

/* A node moved by the coordinates of a router. */
static int move(const struct space *space, int node, int by)
{
	const struct topo *topo = space->topo;
	int router = topo->router_of[node], at[32], steps[32], stride = 1, to = 0;
	int place = node - space->node[space->first_node[router]];

	space_coordinates(space, router, at);
	space_coordinates(space, by, steps);
	for (int d = 0; d < space->ndims; d++) {
		to += (at[d] + steps[d]) % space->sizes[d] * stride;
		stride *= space->sizes[d];
	}
	return space->node[space->first_node[to]] + place;
}

/* The first router that the set can be moved by; −1: none. */
static int first_move(const struct pool *pool, const int *sequence, int n)
{
	for (int by = 0; by < pool->space->topo->nrouters; by++) {
		bool is_idle = true;

		for (int i = 0; i < n && is_idle; i++)
			is_idle = pool->has[move(pool->space, sequence[i], by)];
		if (is_idle)
			return by;
	}
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

/* Whether the set could be moved. */
static bool try_pool(const struct pool *pool, struct rng *rng)
{
	int order[512], n = 1 + (int)rng_below(rng, 8), by;
	int64_t steps = INT64_MAX / 2;
	int_vec nodes = {0};

	for (int node = 0; node < pool->space->topo->nnodes; node++)
		order[node] = node;
	rng_shuffle(rng, order, (size_t)pool->space->topo->nnodes);
	by = first_move(pool, order, n);
	CHECK(compact_moved(pool, order, n, &steps, &nodes) == (by >= 0));
	CHECK_INT((int)nodes.n, by >= 0 ? n : 0);
	for (int i = 0; i < (int)nodes.n; i++)
		CHECK_INT(nodes.at[i], move(pool->space, order[i], by));
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
		distances_open(&distances, &space, false);
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
