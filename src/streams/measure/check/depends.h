/* depends.h - whether jobs started when those that they depend on had ended, and components
 * together */
#ifndef MEASURE_CHECK_DEPENDS_H
#define MEASURE_CHECK_DEPENDS_H

#include "measure/check/check.h"

struct depends_row {
	long line;
	/* group: run and policy; booked: that of the run's jobs without a policy, NULL where this
	 * is one; depends: NULL, it only is depended on; het: NULL, no component */
	char *group, *booked, *job, *depends, *het;
	bool is_given; /* a policy placed it */
	const char *file;
	int64_t start_ns, end_ns; /* JOB_NO_TIME */
	int64_t delay_ns;         /* after the end of those that it depends on */
};

struct depends {
	VEC(struct depends_row) rows; /* none where there is neither depends nor het_job */
};

void depends_add(struct depends *depends, struct checking *checking, const struct row *row);
/* Finds the jobs that started before the end of one named, in the same run and under the same
 * policy or none (it came with its nodes); a name that no row has is of one that ended before. And
 * the components of a heterogeneous job that a policy started apart. Frees. */
void depends_end(struct depends *depends, struct checking *checking);

#endif
