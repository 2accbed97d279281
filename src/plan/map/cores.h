/* cores.h - which core of its node each rank gets */
#ifndef MAP_CORES_H
#define MAP_CORES_H

#include "map/problem/problem.h"

/*
 * The ranks of a node in order go to its cores from 0 on. core_of [nranks]; node_of [nranks] are
 * indices into the allocation.
 */
void cores_in_order(const struct map_input *in, const int *node_of, int *core_of);

/*
 * On nodes whose inside the topology describes, ranks that exchange much get cores that are near:
 * the sum of bytes × levels to climb (topo_inside_distance) is lowered from what it is in order, on
 * the same cores, by exchanges after Kernighan and Lin (1970). Elsewhere ranks stay in order.
 */
void cores_near(const struct map_input *in, const int *node_of, int *core_of);

#endif
