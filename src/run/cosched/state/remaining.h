/* remaining.h - how long the rest of a job takes, if it stays or if it moves */
#ifndef COSCHED_STATE_REMAINING_H
#define COSCHED_STATE_REMAINING_H

#include "cosched/state/state.h"

/*
 * From now to the end of a job that has started, in nanoseconds, if it runs on the set from its
 * next poll on: what is left of its initialisation, and, unless the set is the one that it runs on,
 * draining, copying out, closing, opening and copying in, then the slices that no device has
 * started, and copying out (Khetawat, §4.5.2: "the overhead of switching devices" and "the
 * initialization time of the job"). Slices that run are taken to have just begun when it moves, and
 * to end at once when it stays: so a move that pays by this pays. Of a waiting job it is T(set).
 * NODE_NEVER: it can't run there.
 */
int64_t node_remaining_ns(const struct node_state *state, const struct node_job *job, uint32_t set);

#endif
