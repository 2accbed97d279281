/* pairs.h - how far some nodes of a machine are apart, all pairs together */
#ifndef MACHINE_STATS_PAIRS_H
#define MACHINE_STATS_PAIRS_H

#include "model/topo_type.h"

/* By the closed form of a machine that has a distance. */
void topo_pairs(const struct topo *topo, const struct router_counts *counts,
		struct pair_links *links);

/* For kinds: one more set of ordered pairs. */
static inline void pair_links_add(struct pair_links *links, uint64_t npairs, int length)
{
	links->npairs += npairs;
	links->sum += npairs * (uint64_t)length;
	if (npairs > 0 && length > links->longest)
		links->longest = length;
}

#endif
