/* array_limits.h - whether no more tasks of an array run at once than it allows */
#ifndef MEASURE_CHECK_ARRAY_LIMITS_H
#define MEASURE_CHECK_ARRAY_LIMITS_H

#include "measure/check/check.h"

struct array_task {
	char *array;  /* run and the array's name */
	char *policy; /* "": it came with its nodes */
	char *job;
	int64_t start_ns, end_ns, limit; /* end INT64_MAX: not known; limit 0: none */
	long line;
	const char *file;
};

struct array_limits {
	VEC(struct array_task) tasks; /* none where the stream has no array_limit */
};

void array_limits_add(struct array_limits *limits, struct checking *checking,
		      const struct row *row);
/* Finds the tasks that started beside as many as their array allows: under the same policy, or that
 * came with their nodes. Frees. */
void array_limits_end(struct array_limits *limits, struct checking *checking);

#endif
