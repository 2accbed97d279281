/* large_torus.c - balls counted line by line against balls walked; compact sets that are moved */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "place/constraint/compact.h"

/* Each has more than 1 024 routers: there regions are guessed. */
static const char *const specs[] = {"torus:dims=11x10x10", "torus:dims=33x35", "torus:dims=2x70x8",
				    "torus:dims=6x6x6x6"};

struct seen {
	int nregions, nnodes, most;
};

static int note(void *context, const int *nodes, int n)
{
	struct seen *seen = context;

	(void)nodes;
	seen->nregions++;
	seen->nnodes += n;
	seen->most = n > seen->most ? n : seen->most;
	return 0;
}

static struct seen visit_all(const struct pool *pool, int wanted, int distance,
			     int (*balls)(struct near_query *query))
{
	struct seen seen = {0};
	struct near_query query = {.pool = pool,
				   .wanted = wanted,
				   .distance = distance,
				   .steps = INT64_MAX / 2,
				   .visit = note,
				   .context = &seen};

	CHECK(balls(&query) == SEARCH_ALL);
	free(query.nodes.at);
	return seen;
}

static void make_busy(struct pool *pool, struct rng *rng)
{
	const struct topo *topo = pool->space->topo;
	uint64_t percent = rng_below(rng, 101);

	for (int node = 0; node < topo->nnodes; node++)
		if (rng_below(rng, 100) < percent) {
			pool->has[node] = false;
			pool->weight[topo->router_of[node]]--;
			pool->n--;
		}
}

static void check_balls(const struct pool *pool, struct rng *rng)
{
	for (int distance = 1; distance <= 5; distance++) {
		int wanted = 1 + (int)rng_below(rng, 30);
		struct seen walked = visit_all(pool, wanted, distance, near_balls);
		struct seen counted = visit_all(pool, wanted, distance, near_torus_balls);

		/* a ring of two has one edge where two neighbours are one: then a ball may come
		 * twice */
		CHECK(walked.most == counted.most);
		CHECK(pool->space->sizes[0] == 2 || walked.nregions == counted.nregions);
		CHECK(pool->space->sizes[0] == 2 || walked.nnodes == counted.nnodes);
	}
}

/* A set that is found is idle, and as close as it was; where all moves were tried and none is idle,
 * one by one says the same. */
static void check_moved(struct pool *pool, const int_vec *sequence, const int64_t *sums,
			struct rng *rng)
{
	int n = 1 + (int)rng_below(rng, 12);
	int64_t steps = INT64_MAX / 2;
	int_vec nodes = {0};
	bool found = compact_moved(pool, sequence->at, n, &steps, &nodes);

	if (found) {
		CHECK(nodes.n == (size_t)n);
		for (int i = 0; i < n; i++)
			CHECK(pool->has[nodes.at[i]]);
		CHECK(compact_sum(pool->distances, nodes.at, n) == sums[n]);
	} else {
		/* the set about each idle router has a busy one */
		for (int r = 0; r < pool->space->topo->nrouters && n == 1; r++)
			CHECK(pool->weight[r] == 0);
	}
	free(nodes.at);
}

/* What is known of few and of most nodes: as many different nodes, of the sum that it says. */
static void check_known(const struct space *space, struct distances *distances)
{
	struct compact_known *known = compact_known_open(space, distances, 1000000);
	int n = space->topo->nnodes;
	bool *is_taken = xcalloc((size_t)n, sizeof(*is_taken));

	for (int few = 1; few <= 41; few += 8)
		for (int most = 0; most < 2; most++) {
			int wanted = most ? n - few + 1 : few;
			int64_t sum = compact_known_sum(known, NULL, wanted);
			const int *set = compact_known_set(known, wanted);

			memset(is_taken, 0, (size_t)n * sizeof(*is_taken));
			for (int i = 0; i < wanted; i++) {
				CHECK(!is_taken[set[i]]);
				is_taken[set[i]] = true;
			}
			CHECK(compact_sum(distances, set, wanted) == sum);
		}
	free(is_taken);
	compact_known_close(known);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct topo *topo = machine(specs[i]);
		struct rng rng = rng_make(1, "torus", specs[i], NULL);
		struct space space;
		struct distances distances;
		struct pool pool;
		int_vec sequence = {0}, brick = {0};
		int64_t *sums = xcalloc((size_t)topo->nnodes + 1, sizeof(*sums));
		struct err err;

		CHECK(space_open(&space, topo, NULL, NULL, &err) == 0);
		CHECK(near_is_guessed(&space));
		CHECK(distances_open(&distances, &space, false, &err) == 0);
		pool_init(&pool, &distances, NULL);
		check_known(&space, &distances);
		/* no neighbours on 2x70x8 and 6x6x6x6 */
		vec_push(&brick, 5);
		vec_push(&brick, 6);
		compact_sequence(&pool, &brick, 19, &sequence, sums);
		CHECK(sequence.n == 19 && sequence.at[0] == 5 && sequence.at[1] == 6);
		for (int n = 1; n < 20; n++)
			CHECK(compact_sum(&distances, sequence.at, n) == sums[n]);
		sequence.n = brick.n = 0;
		compact_sequence(&pool, &brick, topo->nnodes, &sequence, sums);
		CHECK(sequence.n == (size_t)topo->nnodes);
		for (int n = 1; n < 20; n++)
			CHECK(compact_sum(&distances, sequence.at, n) == sums[n]);
		pool_free(&pool);
		for (int state = 0; state < 6; state++) {
			pool_init(&pool, &distances, NULL);
			make_busy(&pool, &rng);
			check_balls(&pool, &rng);
			for (int k = 0; k < 5; k++)
				check_moved(&pool, &sequence, sums, &rng);
			pool_free(&pool);
		}
		free(sequence.at);
		free(brick.at);
		free(sums);
		distances_close(&distances);
		space_close(&space);
		topo_free(topo);
	}
	return check_done();
}
