/* arrays.h - arrays of jobs of which only some tasks may be under way at a time */
#ifndef PLACE_RUN_ARRAYS_H
#define PLACE_RUN_ARRAYS_H

#include "model/job.h"

struct array {
	int limit, ncome; /* tasks that may be under way, and that are: they wait or run */
	int_vec held;     /* that would have come */
};

/* The arrays of a run with a limit. All zero: there is none. */
struct arrays {
	VEC(struct array) of;
	int *array_of; /* [jobs] -1: none that has a limit */
	bool *is_in;   /* [jobs] it is one of ncome */
};

/*
 * By the jobs' names: 102_4 is a task of the array 102. The limit of an array is the least
 * array_limit of its tasks.
 */
void arrays_init(struct arrays *arrays, const struct job *jobs, int n);
void arrays_free(struct arrays *arrays);

/* The length of the array's name in that of a task; 0: it is no task of one. */
size_t array_name(const char *name);

/* The array of a job, if it has a limit; NULL. */
static inline struct array *array_of(const struct arrays *arrays, int job)
{
	return arrays->array_of != NULL && arrays->array_of[job] >= 0
		       ? &arrays->of.at[arrays->array_of[job]]
		       : NULL;
}
/* The array whose limit keeps a job from coming now; NULL: none does. */
struct array *arrays_full(const struct arrays *arrays, int job);
/* A job waits or runs from now on. */
void arrays_come(struct arrays *arrays, int job);
/* A job that came ended: adds the one that may come in its place, the lowest that was held, to
 * freed. */
void arrays_end(struct arrays *arrays, int job, int_vec *freed);

#endif
