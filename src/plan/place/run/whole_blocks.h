/* whole_blocks.h - jobs that have their leaf switches alone: Slurm's --exclusive=topo */
#ifndef PLACE_RUN_WHOLE_BLOCKS_H
#define PLACE_RUN_WHOLE_BLOCKS_H

#include "place/run/schedule.h"

/*
 * A block is the nodes of a leaf switch (router). A job that has its blocks alone gets nodes of
 * blocks in which no other job is, and no other job gets nodes of them as long as it runs. Nodes
 * that are never given out do not count.
 */

/* Leaves of nodes [words] those of blocks in which all others are idle at a time. */
void whole_blocks_only(const struct schedule *schedule, const struct machine *machine,
		       int64_t time_ns, uint64_t *nodes);
/* Appends the idle nodes of their blocks, which are still to be taken. */
void whole_blocks_add(const struct machine *machine, int_vec *nodes);
/* [routers] whether nodes are of their block; the caller frees it. */
bool *whole_blocks_of(const struct topo *topo, const int_vec *nodes);

#endif
