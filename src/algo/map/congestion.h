/* congestion.h - nodes, then ranks change places to lower the most loaded links */
#ifndef ALGO_MAP_CONGESTION_H
#define ALGO_MAP_CONGESTION_H

#include "algo/map/map.h"
#include "algo/map/search.h"

/* Changes node_of [nranks] in place; effort 1 is less than a second at 4 096 ranks. */
struct search_result congestion_refine(const struct map_input *in, int64_t effort, int *node_of,
				       struct map_refine_result *result);

#endif
