/* job_feed.h - jobs of a run that are read as the run goes on: what is over makes room */
#ifndef PLACE_RUN_JOB_FEED_H
#define PLACE_RUN_JOB_FEED_H

#include "place/run/run.h"

/* Where the jobs of a run come from, piece by piece. */
struct job_feed {
	/*
	 * Of jobs [n] those stay, in their order, whose new number [n] is not -1; behind them come
	 * the next ones that are read. *jobs [*njobs]: all of them then; none is new at the end of
	 * the run. The old array is gone.
	 */
	int (*more)(void *context, const int *number_of, const struct job **jobs, int *njobs,
		    struct err *err);
	void *context;
	int nahead; /* jobs that are read before the time of the one that many before is passed */
	/* Jobs may share nodes, or ask for segments. */
	bool may_share, may_select;
	int nheld; /* the most jobs that were kept at one time */
};

/*
 * Drops the jobs that are over (reported, and without nodes) and reads more. Jobs get new numbers,
 * in the same order: *number_of [jobs before], -1: dropped, to be freed. The number of those that
 * are left, or -1. Only with a feed that has not ended; run->has_ended_feed says that it has.
 */
int run_more(struct run *run, int **number_of, struct err *err);

#endif
