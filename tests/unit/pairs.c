/* pairs.c - how far some nodes of a machine are apart, by counts and pair by pair */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "machine/stats/pairs.h"

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

/* Random sets of the routers that have nodes, from one to all of them. */
static void check_machine(const char *spec, uint64_t seed)
{
	struct topo *topo = machine(spec);
	struct rng rng = rng_make(seed, "pairs", NULL, NULL);
	int *count_of = xcalloc((size_t)topo->nrouters, sizeof(*count_of));
	int *routers = xcalloc((size_t)topo->nrouters, sizeof(*routers));

	for (int trial = 0; trial < 60; trial++) {
		struct router_counts counts = {routers, 0, count_of};
		uint64_t often = 1 + rng_below(&rng, 12);
		int last = -1;

		memset(count_of, 0, (size_t)topo->nrouters * sizeof(*count_of));
		for (int node = 0; node < topo->nnodes; node++) {
			int router = topo->router_of[node];

			if (router != last && rng_below(&rng, often) == 0) {
				routers[counts.n++] = router;
				count_of[router] = 1 + (int)rng_below(&rng, 4);
			}
			last = router;
		}
		compare(topo, &counts);
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
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		check_machine(machines[i], i);
	return check_done();
}
