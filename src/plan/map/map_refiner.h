/* map_refiner.h - a refiner by its name, on a mapping of ranks to nodes */
#ifndef MAP_MAP_REFINER_H
#define MAP_MAP_REFINER_H

#include "map/problem/problem.h"

/* What refines, to be freed: what was given, else (NULL) what the mapper says. */
char *map_refiner_of(const char *given, const struct pick *pick);
/* text: a pick of map_refiners. node_of [nranks] is changed in place. */
int map_run_refiner(const struct map_input *in, const char *text, int *node_of,
		    struct map_refine_result *result, struct err *err);

#endif
