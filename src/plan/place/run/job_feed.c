/* job_feed.c - jobs of a run that are read as the run goes on: what is over makes room */
#include "place/run/job_feed.h"

#include <stdlib.h>

#include "place/run/confine.h"
#include "place/run/stock.h"

/* New numbers for the jobs that are not over. Returns how many there are. */
static int number_jobs(struct run *run, int *number_of)
{
	int n = 0, ntold = 0;

	for (int i = 0; i < run->n; i++) {
		bool is_over = run->outcomes[i].is_told && run->outcomes[i].is_over;

		ntold += !is_over && i < run->ntold;
		number_of[i] = is_over ? -1 : n++;
	}
	run->ntold = ntold;
	return n;
}

/* Whoever knows a job by its number. Those that hold nodes are not over. */
static void renumber(struct run *run, const int *number_of)
{
	struct schedule *schedule = run->schedule;

	for (int i = 0; i < run->n; i++)
		if (number_of[i] >= 0)
			run->outcomes[number_of[i]] = run->outcomes[i];
		else
			outcome_free(&run->outcomes[i]);
	for (int node = 0; node < schedule->topo->nnodes; node++)
		if (schedule->holder[node] >= 0)
			schedule->holder[node] = number_of[schedule->holder[node]];
	/* in the same order, so that a heap stays one */
	for (size_t i = 0; i < run->ends.heap.n; i++)
		run->ends.heap.at[i].job = number_of[run->ends.heap.at[i].job];
	for (size_t i = 0; i < run->for_ever.n; i++)
		run->for_ever.at[i] = number_of[run->for_ever.at[i]];
	if (schedule->confine != NULL)
		confine_renumber(schedule->confine, number_of);
	if (schedule->stock != NULL)
		stock_renumber(schedule->stock, number_of);
}

/* What is looked at beforehand where all jobs of a run are known. */
static int check_new(const struct run *run, const struct job *job, struct err *err)
{
	struct share share;

	if (job->depends != NULL)
		return row_error(&job->row, err,
				 "depends: not all jobs of a run are known with --read-ahead");
	return run->schedule->stock == NULL || job->nodelist != NULL
		       ? 0
		       : stock_request(run->schedule->stock, job, &share, err);
}

int run_more(struct run *run, int **number_of, struct err *err)
{
	struct job_feed *feed = run->schedule->feed;
	int nleft, status, n;

	*number_of = xmalloc((size_t)(run->n + 1) * sizeof(**number_of));
	nleft = number_jobs(run, *number_of);
	renumber(run, *number_of);
	status = feed->more(feed->context, *number_of, &run->jobs, &n, err);
	if (status != 0)
		n = nleft;
	run->outcomes = xrealloc(run->outcomes, (size_t)n + 1, sizeof(*run->outcomes));
	for (int i = nleft; i < n; i++) {
		run->outcomes[i] = (struct outcome){0};
		if (status == 0)
			status = check_new(run, &run->jobs[i], err);
	}
	run->schedule->outcomes = run->outcomes;
	run->n = n;
	feed->nheld = n > feed->nheld ? n : feed->nheld;
	run->has_ended_feed = status == 0 && n == nleft;
	return status == 0 ? nleft : -1;
}
