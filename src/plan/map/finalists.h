/* finalists.h - the mappings that are worth a simulation */
#ifndef MAP_FINALISTS_H
#define MAP_FINALISTS_H

#include "map/map_run.h"
#include "map/rivals.h"

/*
 * What choice finds, then the n − 1 best of other mappings that differ, best first by the aim: what
 * choice was compared with, the best grids in grids, and what each other mapper finds before and
 * after the refiner congestion. Mappings that load links alike differ in simulated time by a tenth,
 * which no count of loads foretells. Of equals, those found first. Every process finds the same.
 * Returns 0, or -1 where choice itself fails.
 */
int map_finalists_find(map_rival_list *finalists, const struct map_input *in,
		       const struct map_choice *choice, const struct map_aim *aim, int n,
		       struct err *err);

#endif
