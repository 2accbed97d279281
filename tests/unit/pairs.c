/* pairs.c - how far some nodes of a machine are apart, by counts and pair by pair */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "machine/stats/farthest.h"

static void compare(const struct topo *topo, const struct router_counts *counts)
{
	struct pair_links links;
	uint64_t npairs = 0, sum = 0;
	int longest = 0;

	for (int i = 0; i < counts->n; i++)
		for (int k = 0; k < counts->n; k++) {
			int a = counts->routers[i], b = counts->routers[k];
			uint64_t n = (uint64_t)counts->count_of[a] * (uint64_t)counts->count_of[b];
			int length = i != k ? topo->type->distance(topo, a, b) : 0;

			npairs += i != k ? n : 0;
			sum += n * (uint64_t)length;
			longest = length > longest ? length : longest;
		}
	topo_pairs(topo, counts, &links);
	CHECK_INT((int64_t)links.npairs, (int64_t)npairs);
	CHECK_INT((int64_t)links.sum, (int64_t)sum);
	CHECK_INT(links.longest, longest);
	CHECK_INT(links.from, -1);
}

/* With no bound known, so that large sets are gone through by dimension. */
static void compare_farthest(const struct topo *topo, const struct router_counts *counts)
{
	struct pair_links links;
	int strides[32], ndims;
	const int *sizes;
	bool is_ring;

	if (topo->type->dims == NULL || (ndims = topo->type->dims(topo, &sizes, &is_ring)) <= 0)
		return;
	for (int d = 0, stride = 1; d < ndims; stride *= sizes[d++])
		strides[d] = stride;
	topo_pairs(topo, counts, &links);
	CHECK_INT(farthest_find(topo, counts,
				&(struct farthest){ndims, sizes, strides,
						   is_ring ? farthest_on_ring : farthest_on_mesh},
				INT32_MAX),
		  links.longest);
}

/* Random sets of the routers that have nodes, from one to all of them, or of the first ones only:
 * then the farthest are not opposite to each other. */
static void check_machine(const char *spec, uint64_t seed)
{
	struct topo *topo = machine(spec);
	struct rng rng = rng_make(seed, "pairs", NULL, NULL);
	int *count_of = xcalloc((size_t)topo->nrouters, sizeof(*count_of));
	int *routers = xcalloc((size_t)topo->nrouters, sizeof(*routers));

	for (int trial = 0; trial < 60; trial++) {
		struct router_counts counts = {routers, 0, count_of};
		uint64_t often = 1 + rng_below(&rng, 12);
		int last = -1, end = topo->nnodes;

		if (trial % 2 == 1)
			end -= (int)rng_below(&rng, (uint64_t)topo->nnodes * 3 / 4);
		memset(count_of, 0, (size_t)topo->nrouters * sizeof(*count_of));
		for (int node = 0; node < end; node++) {
			int router = topo->router_of[node];

			if (router != last && rng_below(&rng, often) == 0) {
				routers[counts.n++] = router;
				count_of[router] = 1 + (int)rng_below(&rng, 4);
			}
			last = router;
		}
		compare(topo, &counts);
		compare_farthest(topo, &counts);
	}
	free(count_of);
	free(routers);
	topo_free(topo);
}

int main(void)
{
	static const char *const machines[] = {
		"torus:dims=6x5x4",
		"torus:dims=2x1x7",
		"mesh:dims=7x4",
		"ring:nodes=31",
		"ring:nodes=40,per-router=2",
		"line:nodes=23",
		"hypercube:dims=6,per-router=2",
		"hypercube:dims=10",
		"torus:dims=3x3x5x4",
		"torus:dims=7x6x2",
		"mesh:dims=6x5x4x3",
		"hyperx:dims=2x2x3x2x2x2x2,nodes=1",
		"fattree:down=4x3x5,up=1x2x2",
		"tree:arity=3x4x5",
		"complete:nodes=17,per-router=1",
		"hyperx:dims=4x3x3,nodes=2",
		"slimfly:q=5",
		"gpc",
		"dragonfly:groups=9,routers=4,nodes=2",
		"dragonfly:groups=5,routers=4x3,nodes=2",
		"dragonfly:groups=6,routers=4,nodes=1,links=3",
		"dragonfly:groups=5,routers=3,nodes=2,arrangement=absolute",
		"dragonfly:groups=4,routers=5x3,nodes=2,links=3",
		"dragonfly:groups=6,routers=3x6,nodes=1,links=2,arrangement=relative",
		"dragonfly:groups=3,routers=4x4,nodes=1,links=7,arrangement=circulant",
		"dragonfly:groups=3,routers=3x4,nodes=2,links=17",
		"dragonfly:groups=4,routers=1x7,nodes=1,links=2",
		"dragonfly:groups=3,routers=40x30,nodes=1,links=5",
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		check_machine(machines[i], i);
	return check_done();
}
