/* depend.h - jobs that wait for the end of others, and not for nodes alone */
#ifndef PLACE_RUN_DEPEND_H
#define PLACE_RUN_DEPEND_H

#include "model/job.h"

struct depend_edge {
	int before, after; /* jobs; after waits for the end of before */
};

/* Which jobs of a run wait for which. All zero: none does. */
struct depend {
	int *nleft;                    /* [jobs] how many it waits for; NULL: none waits */
	VEC(struct depend_edge) edges; /* in order of before, then after */
	int_vec before;  /* the same by after: what job i waits for begins at first[i] */
	size_t *first;   /* [jobs + 1] */
	bool *has_ended; /* [jobs] */
	int64_t *end_ns; /* [jobs] the latest end of one that it waits for; INT64_MIN: none did */
};

/*
 * From the column depends of jobs [n]: names of jobs of the run, separated by commas. "102" is
 * every task of an array, 102_1, 102_2, …, too. A name that no job of the run has is of one that
 * ended before the run.
 */
void depend_init(struct depend *depend, const struct job *jobs, int n);
void depend_free(struct depend *depend);

/* A job ended, then: adds those that wait for none any more to freed. */
void depend_end(struct depend *depend, int job, int64_t end_ns, int_vec *freed);

/* When a job arrives that waits for others, which have all ended: depends_delay_s after the last of
 * them. INT64_MIN: it waited for none. */
int64_t depend_arrival(const struct depend *depend, const struct job *jobs, int job);

/* Whether a job waits for another. */
static inline bool depend_waits(const struct depend *depend, int job)
{
	return depend->nleft != NULL && depend->nleft[job] > 0;
}

/* The first job, as they are named, that this one waits for and that has not ended; -1: none. */
int depend_blocker(const struct depend *depend, int job);

#endif
