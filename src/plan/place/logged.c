/* logged.c - jobs of a log, to be placed anew */
#include "place/logged.h"

#include "base/str.h"

void logged_unplace(struct job *job)
{
	job->asks_share |= job->is_shared;
	job->cpus_per_node = job->gpus_per_node = job->memory_per_node = NULL;
	if (job->start_ns != JOB_NO_TIME && job->end_ns != JOB_NO_TIME)
		job->runtime_ns = job->end_ns - job->start_ns;
	job->start_ns = job->end_ns = JOB_NO_TIME;
	job->nodelist = job->io_nodelist = NULL;
}

void logged_anew(struct job *job)
{
	if (job->nodelist == NULL)
		return;
	if (job->submit_ns == JOB_NO_TIME)
		job->submit_ns = job->start_ns;
	logged_unplace(job);
}

bool logged_withdraws(struct job *job, const char *state)
{
	bool has_ended = state != NULL && job_state_ended(state);

	if (job->nodelist != NULL)
		return false;
	if (job->start_ns == JOB_NO_TIME)
		job->is_withdrawn = job->end_ns != JOB_NO_TIME || has_ended;
	else
		job->is_withdrawn =
			has_ended && str_eq(state, "cancelled") && job->end_ns == job->start_ns;
	if (job->is_withdrawn && job->end_ns == JOB_NO_TIME)
		job->end_ns = job->submit_ns;
	return job->is_withdrawn;
}

bool logged_is_open(const struct job *job)
{
	return job->nodelist != NULL && job->start_ns != JOB_NO_TIME &&
	       job->end_ns == JOB_NO_TIME && job->runtime_ns == JOB_NO_TIME;
}

bool logged_was_there(struct job *job, int64_t at_ns)
{
	bool has_begun =
		job->start_ns == JOB_NO_TIME ? job->nodelist != NULL : job->start_ns <= at_ns;
	int64_t came_ns = job->submit_ns != JOB_NO_TIME ? job->submit_ns : job->start_ns;

	if (job->end_ns != JOB_NO_TIME && job->end_ns <= at_ns)
		return false;
	if (has_begun && job->nodelist != NULL)
		return true;
	if (came_ns != JOB_NO_TIME && came_ns > at_ns)
		return false;
	logged_unplace(job);
	if (job->eligible_ns == JOB_NO_TIME || job->eligible_ns < at_ns)
		job->eligible_ns = at_ns;
	return true;
}
