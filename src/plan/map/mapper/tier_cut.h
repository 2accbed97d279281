/* tier_cut.h - the graph is cut along the machine's tiers */
#ifndef MAP_MAPPER_TIER_CUT_H
#define MAP_MAPPER_TIER_CUT_H

#include "map/problem/problem.h"

/*
 * From the largest domains of the allocation down to its nodes, each time with few bytes between
 * the parts. Slots that stay free are spread in proportion to the rooms of the domains, or (packed)
 * are those of the last ones. seed: of libscotch, which does the same with an even one and the
 * next. node_of [nranks]
 */
int tier_cut(const struct map_input *in, int seed, bool is_packed, int *node_of, struct err *err);
/* The ranks of each router among its nodes. router_of [nranks] sources of the routes */
int tier_cut_routers(const struct map_input *in, const int *router_of, int *node_of,
		     struct err *err);

#endif
