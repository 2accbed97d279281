/* none.c - no queue: jobs are decided on once, in the order of the stream */
#include <stdlib.h>

#include "place/run/choose.h"
#include "place/run/job_feed.h"
#include "place/queue/queue.h"

static int64_t decision_time(const struct run *run, const struct job *job)
{
	int64_t come_ns = job->eligible_ns > job->submit_ns ? job->eligible_ns : job->submit_ns;

	if (come_ns != JOB_NO_TIME)
		return come_ns > run->now_ns ? come_ns : run->now_ns;
	/* a job that says how long it runs, but not since when: time begins at 0 */
	if (run->now_ns == JOB_NO_TIME && job_length(job) != JOB_NO_TIME)
		return 0;
	return run->now_ns;
}

static int decide(struct run *run, int i, struct err *err)
{
	const struct job *job = &run->jobs[i];
	int64_t time_ns = decision_time(run, job);
	struct alloc_request request = sched_request(run->schedule, job, time_ns);
	int status, ended;

	run->now_ns = time_ns;
	if (job->is_withdrawn) {
		buf_clear(&run->reason);
		buf_str(&run->reason, "was withdrawn");
		run_refuse(run, i);
		depend_end(&run->depend, i, job->end_ns, &run->freed);
		return 0;
	}
	if (run->schedule->come_ns != NULL)
		run->schedule->come_ns[i] =
			job->eligible_ns > job->submit_ns ? job->eligible_ns : job->submit_ns;
	while (time_ns != JOB_NO_TIME && (ended = ends_next(&run->ends, time_ns)) >= 0)
		run_give_back(run, ended);
	if (depend_waits(&run->depend, i)) {
		buf_clear(&run->reason);
		buf_printf(&run->reason, "depends on job %s, which has not ended",
			   run->jobs[depend_blocker(&run->depend, i)].name);
		run_refuse(run, i);
		return 0;
	}
	if (time_ns < depend_arrival(&run->depend, run->jobs, i)) {
		buf_clear(&run->reason);
		buf_str(&run->reason, "depends on jobs that ended less than depends_delay_s ago");
		run_refuse(run, i);
		return 0;
	}
	if (arrays_full(&run->arrays, i) != NULL) {
		buf_clear(&run->reason);
		buf_printf(&run->reason, "%d tasks of its array run, as many as may",
			   arrays_full(&run->arrays, i)->limit);
		run_refuse(run, i);
		return 0;
	}
	status = sched_choose(run->schedule, &request, time_ns, &run->outcomes[i].nodes,
			      &run->reason, err);
	if (status == 1) {
		arrays_come(&run->arrays, i);
		run_start(run, i, &request, time_ns);
	}
	if (status == 0)
		run_refuse(run, i);
	return status < 0 ? -1 : 0;
}

static int run_all(struct run *run, struct err *err)
{
	for (int i = 0;; i++) {
		if (i == run->n && !run->has_ended_feed && run->schedule->feed != NULL) {
			int *number_of;

			i = run_more(run, &number_of, err);
			free(number_of);
			if (i < 0)
				return -1;
		}
		if (i == run->n)
			return 0;
		if (!run->outcomes[i].is_decided && decide(run, i, err) != 0)
			return -1;
		run_tell(run);
	}
}

const struct queue_policy queue_none = {
	.entry = {.name = "none",
		  .example = "none",
		  .summary = "no queue: a job starts when it is submitted, or not at all"},
	.run = run_all,
};
