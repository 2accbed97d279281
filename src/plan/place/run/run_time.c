/* run_time.c - lengths of jobs and the ends of times */
#include "place/run/run.h"

int64_t time_after(int64_t a_ns, int64_t b_ns)
{
	int64_t sum;

	if (a_ns == JOB_NO_TIME || b_ns == JOB_NO_TIME)
		return JOB_NO_TIME;
	return __builtin_add_overflow(a_ns, b_ns, &sum) ? INT64_MAX : sum;
}

int64_t job_length(const struct job *job)
{
	return job->runtime_ns != JOB_NO_TIME ? job->runtime_ns : job->walltime_ns;
}

int64_t job_planned_length(const struct job *job)
{
	return job->walltime_ns != JOB_NO_TIME ? job->walltime_ns : job->runtime_ns;
}
