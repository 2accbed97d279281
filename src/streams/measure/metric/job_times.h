/* job_times.h - what metrics of schedules share: the times of a job */
#ifndef MEASURE_METRIC_JOB_TIMES_H
#define MEASURE_METRIC_JOB_TIMES_H

#include "measure/metric/metric.h"

struct job_times {
	bool has_submit, has_start, has_end, has_runtime;
	bool is_running;                     /* its state says so: an end is by its limit */
	int64_t submit, start, end, runtime; /* ns */
	int64_t nodes;
};

struct job_times_columns {
	int submit, start, end, runtime, nodes, state;
};
void job_times_bind(struct job_times_columns *columns, const struct table_in *in);

/* The runtime is end − start where both are known, else runtime_s. Returns 0 or -1. */
int job_times_read(struct job_times *times, const struct job_times_columns *columns,
		   const struct row *row, struct err *err);

#endif
