/* congestion.h - nodes, then ranks change places to lower the most loaded links */
#ifndef ALGO_MAP_CONGESTION_H
#define ALGO_MAP_CONGESTION_H

#include "algo/map/map.h"
#include "algo/map/search.h"

/* The work of a search at effort 1, which is less than a second at 4 096 ranks. */
int64_t congestion_work(const struct map_input *in);
/*
 * What one member of a team does (team NULL: one alone), with routes of its own. node_of [nranks]
 * is changed in place; all members have the same before and after. result may be NULL.
 */
struct search_result congestion_search(const struct map_input *in, struct routes *routes,
				       struct team *team, int member, int64_t work, int *node_of,
				       struct map_refine_result *result);

#endif
