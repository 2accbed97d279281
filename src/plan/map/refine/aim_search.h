/* aim_search.h - ranks change places until an aim is as small as can be found */
#ifndef MAP_REFINE_AIM_SEARCH_H
#define MAP_REFINE_AIM_SEARCH_H

#include "map/problem/problem.h"

/*
 * Simulated annealing of node_of [nranks] for in->aim, on the routes that the mapper looks at:
 * exchanges of two ranks, and moves into free room. The best mapping is kept: never a worse one
 * than at first. Every process does the same, with in->seed.
 */
void aim_search(const struct map_input *in, int *node_of, struct map_refine_result *result);

#endif
