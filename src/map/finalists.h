/* finalists.h - the mappings that are worth a simulation */
#ifndef MAP_FINALISTS_H
#define MAP_FINALISTS_H

#include "base/mem.h"
#include "map/map_run.h"

struct map_finalist {
	char *name; /* of the mapper, and what refined it */
	struct mapping mapping;
	struct hybrid_terms terms;
	int *node_of; /* [nranks] indices into the allocation */
};

typedef VEC(struct map_finalist) map_finalists;

/*
 * The n best mappings that differ, best first by in->aim: what choice finds, the best grids in
 * grids, and what each other mapper finds before and after the refiner congestion. Mappings that
 * load links alike differ in simulated time by a tenth, which no count of loads foretells. Of
 * equals, those found first. Every process finds the same. Returns 0, or -1 where choice itself
 * fails.
 */
int map_finalists_find(map_finalists *finalists, const struct map_input *in,
		       const struct map_choice *choice, const struct map_aim *aim, int n,
		       struct err *err);
void map_finalists_free(map_finalists *finalists);

#endif
