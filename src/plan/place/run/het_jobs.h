/* het_jobs.h - the components of a heterogeneous job wait and start as one */
#ifndef PLACE_RUN_HET_JOBS_H
#define PLACE_RUN_HET_JOBS_H

#include "base/names.h"
#include "place/run/schedule.h"

/*
 * Rows that name the same het_job, and came without nodes, are one job of the run: it asks for the
 * nodes of all, each component's by its own words, is planned for the longest, and gives all back
 * with the last. Rows are told of one by one, in their order.
 */
struct het_jobs {
	struct job *jobs; /* [n] of the run */
	struct outcome *outcomes;
	int n;
	const struct job **components; /* [nrows] those of a job one after the other */
	int *job_of, *part_of;         /* [nrows] which job a row is of, and which part of it */
	bool *is_decided;              /* [n] */
	struct outcome *rows;          /* [nrows] the caller's */
	int nrows, ntold;
	void (*decided)(void *context, int row, struct outcome *outcome);
	void *context;
	VEC(char *) texts; /* of depends */
};

/* Whether rows [n] have any; else nothing is open. */
bool het_jobs_open(struct het_jobs *het, const struct job *rows, struct outcome *outcomes, int n);
/* Outcomes go to the caller's rows. */
void het_jobs_close(struct het_jobs *het);

/* For schedule->decided, with het as its context. */
void het_jobs_decided(void *het, int job, struct outcome *outcome);

/* What the components of a job that starts get; nodes are in the order of the components. */
void het_job_start(const struct schedule *schedule, const struct job *job, struct outcome *outcome);

#endif
