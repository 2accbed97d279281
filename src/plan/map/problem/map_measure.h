/* map_measure.h - the terms of a mapping */
#ifndef MAP_PROBLEM_MAP_MEASURE_H
#define MAP_PROBLEM_MAP_MEASURE_H

#include "map/problem/problem.h"

/* The terms of a mapping on the machine's own routes, whatever the mapper looked at. node_of
 * [in->comm->nranks] */
struct hybrid_terms map_measure(const struct map_input *in, const int *node_of);

#endif
