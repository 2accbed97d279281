/* choose.h - which nodes a job gets: what its constraints allow, and the policy's choice in it */
#ifndef PLACE_RUN_CHOOSE_H
#define PLACE_RUN_CHOOSE_H

#include "place/run/schedule.h"

/* What a job's nodes are chosen from at a time (JOB_NO_TIME: none is known, the newest traffic). */
struct alloc_request sched_request(struct schedule *schedule, const struct job *job,
				   int64_t now_ns);

/*
 * Chooses idle nodes of request->machine for request->job at now_ns and takes them, undoably;
 * queues ask it of states that may come as well as of the present one. 1: nodes has them; 0: none
 * were taken, reason says why; -1: trouble. nodes and reason are cleared first.
 */
int sched_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		 int_vec *nodes, struct buf *reason, struct err *err);

/*
 * The first time after after_ns at which a job that waits has to be looked at again though no job
 * ended: one of its constraints is dropped (wait=S), or the first traffic is known. JOB_NO_TIME:
 * never.
 */
int64_t sched_relaxes_at(const struct schedule *schedule, const struct job *job, int64_t after_ns);

/*
 * Whether any idle nodes will do for a job at now_ns if they are enough, now and later on: then
 * queues plan with numbers of nodes, else with the nodes themselves. job NULL: for every job at any
 * time.
 */
bool sched_is_counted(const struct schedule *schedule, const struct job *job, int64_t now_ns);

#endif
