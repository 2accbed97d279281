/* dragonfly_distance.c - how many pairs of nodes of a dragonfly are how far apart */
#include "machine/kind/dragonfly_between.h"

static void count_inside(const struct dragonfly *df, uint64_t pairs[DRAGONFLY_LONGEST + 1])
{
	uint64_t routers = (uint64_t)df->routers * (uint64_t)df->groups;
	uint64_t straight = (uint64_t)(df->columns - 1 + df->rows - 1);

	pairs[0] += routers;
	pairs[1] += routers * straight;
	pairs[2] += routers * ((uint64_t)df->routers - 1 - straight);
}

void dragonfly_distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct dragonfly *df = topo->shape;
	/* Only the absolute arrangement looks different from another group. */
	int nfrom = df->arrangement == ABSOLUTE ? df->groups : 1;
	uint64_t pairs[DRAGONFLY_LONGEST + 1] = {0}, nodes = (uint64_t)df->nodes;
	struct dragonfly_between *between = dragonfly_between_open(df, NULL);
	struct dragonfly_group from = {0, (uint64_t)df->routers}, to = from;

	for (from.number = 0; from.number < nfrom; from.number++)
		for (to.number = from.number + 1; to.number < df->groups; to.number++)
			dragonfly_between_count(between, from, to, pairs);
	dragonfly_between_close(between);
	for (int hops = 0; hops <= DRAGONFLY_LONGEST; hops++)
		pairs[hops] *= (uint64_t)(nfrom == 1 ? df->groups : 2);
	count_inside(df, pairs);
	topo_counts_start(counts, DRAGONFLY_LONGEST);
	for (int hops = 0; hops <= DRAGONFLY_LONGEST; hops++)
		counts->pairs[hops] = pairs[hops] * nodes * nodes;
	counts->pairs[0] -= (uint64_t)topo->nnodes;
	while (counts->longest > 0 && counts->pairs[counts->longest] == 0)
		counts->longest--;
}
