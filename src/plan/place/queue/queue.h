/* queue.h - queues: which of the jobs that wait starts next, and when */
#ifndef PLACE_QUEUE_QUEUE_H
#define PLACE_QUEUE_QUEUE_H

#include "place/run/run.h"

struct queue_policy {
	struct entry entry;
	bool is_recorded; /* the output names it, in the column scheduler */
	bool plans_ahead; /* it reserves nodes for jobs that have not started */
	/* Decides on all jobs of a run that are not booked; run->now_ns is JOB_NO_TIME. */
	int (*run)(struct run *run, struct err *err);
};

extern const struct registry queues; /* "queues" */

#endif
