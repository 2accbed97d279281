/* sharers.h - how many jobs may have a CPU of a node together, as its row says */
#ifndef MEASURE_CHECK_SHARERS_H
#define MEASURE_CHECK_SHARERS_H

#include "measure/check/states.h"

/* Not said: then the job's own words count. */
enum { SHARERS_UNSAID = -1 };

/*
 * By the word of the column oversubscribe for one of a node's partitions (the first of a list;
 * NULL: none). accepts: the job does, oversubscribe=yes. 0: jobs have whole nodes; 1: a CPU is one
 * job's; more: so many may have it. *is_forced: whatever the job says.
 */
int sharers_of(const struct node_state *state, const char *partition, bool accepts,
	       bool *is_forced);

#endif
