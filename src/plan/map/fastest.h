/* fastest.h - of mappings that load links little, the one that a rehearsal finds fastest */
#ifndef MAP_FASTEST_H
#define MAP_FASTEST_H

#include "map/map_stages.h"

/*
 * Small jobs: node_of [nranks] has rivals: what the mapper found besides (in->others), when refined
 * as well, the best grids in grids, the best one's ranks moved along sides, what each mapper finds,
 * and the best of those refined a little. One that another beats in both maximum congestion and
 * hop-bytes is out (of two from the mapper itself: one that loads a link clearly more), and one
 * that ranks in order beat in maximum congestion and product. Some of the rest, those first whose
 * product is least, are rehearsed (problem/rehearsal.h), the better half of them again, and so on.
 * What is estimated from rehearsals and product to be fastest takes the place. With an aim
 * (in->aim) nothing is rehearsed: the best by it takes the place.
 * Every process finds the same. Returns whether anything was compared.
 */
bool map_fastest(struct map_running *run, const char *refiner, int *node_of);

#endif
