/* copied_load.h - what messages inside nodes load */
#ifndef MAP_PROBLEM_COPIED_LOAD_H
#define MAP_PROBLEM_COPIED_LOAD_H

#include "map/problem/problem.h"

/* What the copies of the node with the most of them take, as bytes on a link of capacity 1, so that
 * it can be compared with congestion; 0 where in->travel says nothing of copies. node_of
 * [in->comm->nranks] */
double map_copied_load(const struct map_input *in, const int *node_of);
/* Of a byte, on average over the job's messages. */
double map_copied_per_byte(const struct map_input *in);

#endif
