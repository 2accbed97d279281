/* whole_parts.h - parts of a job that do not talk to each other, each on one node where it fits */
#ifndef MAP_MAPPER_WHOLE_PARTS_H
#define MAP_MAPPER_WHOLE_PARTS_H

#include "map/problem/problem.h"

/*
 * The largest part first, on the node with the least room that it fits (best fit decreasing); then
 * those that fit no node, on those with the fastest links. Fills node_of [nranks]. Returns false,
 * and fills nothing, where all ranks talk to each other, directly or not, or no part of several
 * ranks fits a node.
 */
bool whole_parts(const struct map_input *in, int *node_of);

#endif
