/* set_time.h - how long a job takes on a set of devices: T(set) */
#ifndef COSCHED_STATE_SET_TIME_H
#define COSCHED_STATE_SET_TIME_H

#include "cosched/state/state.h"

/*
 * T of a whole job on a set: input copied in to each device at the same time, the slices of each
 * launch dealt, each launch begun when the last has ended, output copied out of all of them at the
 * same time. Opening, closing and the host's initialisation are not part of it (§4.5.1), and it
 * counts the tail of the last slices. A set that was measured has its measured time; of several
 * launches, measured over computed time of one launch times their computed time. NODE_NEVER when
 * the job can't run on one of the devices, or there is none.
 */
int64_t node_set_ns(const struct node_state *state, const struct node_job *job, uint32_t set);
/* The same from the members alone, measured or not. */
int64_t node_profile_ns(const struct node_profile *profile, uint32_t set);

/* One slice on a device of a set: longer or shorter than alone where the set was measured. */
int64_t node_slice_ns(const struct node_profile *profile, uint32_t set, int device);

/* The devices that the job can run on. */
uint32_t node_able(const struct node_profile *profile);
/* The device with the least T (the lowest of equal ones); -1: it can run on none. */
int node_best_device(const struct node_state *state, const struct node_job *job);

/* Nothing negative, at least one slice and launch, and no time beyond 2^60 ns (36 years) on a
 * device it can run on. */
bool node_profile_is_sound(const struct node_profile *profile);
/* Fills in what follows from the rest: computed_ns, whole_ns and set_ns. */
void node_profile_finish(struct node_profile *profile, int ndevices);

#endif
