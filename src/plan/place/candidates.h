/* candidates.h - every node list that a job might get */
#ifndef PLACE_CANDIDATES_H
#define PLACE_CANDIDATES_H

#include "place/run/confine.h"

/* number: from 1, 0 where there is none at all (nodes NULL, n 0); nodes in label order; points: I/O
 * nodes that it would get with them. */
typedef void candidate_fn(void *context, int job, int64_t number, const int *nodes, int n,
			  const int_vec *points);

/*
 * Of each job of a run that has no nodes yet, as if it were the only one, once the booked jobs have
 * theirs: all sets that the constraints allow, sorted by their first nodes, then the next ones.
 * Too many, or more than can be computed in bounded time, is refused. outcomes [n]: zeroed
 */
int candidates_run(struct schedule *schedule, const struct job *jobs, struct outcome *outcomes,
		   int n, candidate_fn *tell, void *context, struct err *err);

#endif
