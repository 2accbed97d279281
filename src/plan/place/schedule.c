/* schedule.c - a stream of jobs passes over a machine in time, run by run */
#include "place/run/schedule.h"

#include <stdlib.h>

#include "place/run/confine.h"
#include "place/run/eligible.h"
#include "place/run/het_jobs.h"
#include "place/run/job_feed.h"
#include "place/run/stock.h"
#include "base/die.h"
#include "place/queue/queue.h"

void schedule_init(struct schedule *schedule, const struct topo *topo, struct alloc *alloc,
		   const struct pick *queue)
{
	*schedule = (struct schedule){
		.topo = topo, .alloc = alloc, .queue = queue, .max_age_ns = JOB_NO_TIME};
	schedule->use = xcalloc((size_t)topo->nnodes, sizeof(*schedule->use));
	schedule->holder = xcalloc((size_t)topo->nnodes, sizeof(*schedule->holder));
	machine_init(&schedule->machine, topo);
}

static void count_stock(struct schedule *schedule)
{
	bool *is_away = xcalloc((size_t)schedule->topo->nnodes + 1, sizeof(*is_away));

	for (int node = 0; node < schedule->topo->nnodes; node++)
		is_away[node] = schedule->use[node] == NODE_AWAY;
	stock_ready(schedule->stock, is_away);
	free(is_away);
}

void schedule_ready(struct schedule *schedule)
{
	const struct topo *topo = schedule->topo;

	for (int i = 0; i < topo->nio; i++)
		for (int k = 0; k < topo->io[i].nnodes && topo->io[i].is_separate; k++)
			schedule->use[topo->io[i].nodes[k]] = NODE_AWAY;
	for (int node = 0; node < schedule->topo->nnodes; node++) {
		schedule->holder[node] = -1;
		if (schedule->use[node] != NODE_IDLE)
			machine_take(&schedule->machine, node);
	}
	machine_forget(&schedule->machine);
	if (schedule->stock != NULL)
		count_stock(schedule);
}

void schedule_free(struct schedule *schedule)
{
	machine_free(&schedule->machine);
	bitset_free(&schedule->trial);
	eligible_close(schedule->eligible);
	site_rules_free(&schedule->rules);
	stock_free(schedule->stock);
	free(schedule->use);
	free(schedule->holder);
	*schedule = (struct schedule){0};
}

/* Nodes that are idle, that a booked job gives back, or of which a part may be had. */
static int count_usable(const struct schedule *schedule)
{
	int n = 0;

	for (int node = 0; node < schedule->topo->nnodes; node++)
		n += schedule->use[node] == NODE_IDLE ||
		     (schedule->use[node] == NODE_BUSY &&
		      (schedule->holder[node] >= 0 ||
		       (schedule->is_sharing && stock_is_open(schedule->stock, node))));
	return n;
}

/* Whether jobs of the run may have parts of nodes, or not every node. */
static int look_at_jobs(struct schedule *schedule, const struct job *jobs, int n, bool plans_ahead,
			struct err *err)
{
	bool asks_share = false, asks_more = false, waits = false;
	struct share share;

	for (int i = 0; i < n; i++) {
		if (jobs[i].nodelist != NULL)
			continue;
		asks_more |= jobs[i].segment > 0 && !schedule->alloc->policy->keeps_segments;
		asks_more |= jobs[i].het_job != NULL || jobs[i].nodes_max > 0;
		if (jobs[i].nodes_max > 0 && schedule->stock == NULL && jobs[i].tasks_per_node == 0)
			return row_error(&jobs[i].row, err,
					 "nodes_max: how many tasks a node has room for is not "
					 "known: expected tasks_per_node, or --nodes with cpus");
		if (jobs[i].het_job != NULL && (jobs[i].io_nodes > 0 || jobs[i].io_pinned != NULL))
			return row_error(&jobs[i].row, err,
					 "io_nodes: components of a heterogeneous job get no I/O "
					 "nodes");
		asks_more |= jobs[i].leaf_switches > 0 || jobs[i].exclusive_topo;
		waits |= jobs[i].leaf_switches > 0;
		if (schedule->stock == NULL)
			continue;
		if (stock_request(schedule->stock, &jobs[i], &share, err) != 0)
			return -1;
		asks_share |= stock_may_share(schedule->stock, &jobs[i]);
		asks_more |= !stock_serves_all(schedule->stock, &share);
	}
	if (waits)
		schedule->come_ns = xcalloc((size_t)n, sizeof(*schedule->come_ns));
	if (asks_share && plans_ahead)
		warn("-q %s plans with whole nodes: jobs that could share nodes get whole ones",
		     schedule->queue->entry->name);
	/* of jobs that are read later on nothing is known yet */
	asks_share |=
		schedule->feed != NULL && schedule->stock != NULL && schedule->feed->may_share;
	asks_more |= schedule->feed != NULL && schedule->feed->may_select;
	schedule->is_sharing = asks_share && !plans_ahead;
	if (schedule->is_sharing && schedule->confine != NULL &&
	    confine_needs_holders(schedule->confine))
		return err_set(err, "jobs that share nodes exclude linkdisjoint and exclusive I/O "
				    "nodes: whose links and I/O nodes they are is not known");
	schedule->is_selective = schedule->eligible != NULL || schedule->is_sharing || asks_more;
	if (schedule->is_selective)
		eligible_need(&schedule->eligible, schedule->topo);
	return 0;
}

/* Outcomes of jobs that were read as they were needed are the run's own. */
static void end_feed(struct run *run)
{
	if (run->schedule->feed == NULL)
		return;
	for (int i = 0; i < run->n; i++)
		outcome_free(&run->outcomes[i]);
	free(run->outcomes);
}

/* Jobs [n] of the run, which are of rows [nrows]. */
static int run_jobs(struct schedule *schedule, const struct job *jobs, struct outcome *outcomes,
		    int n, const struct job *rows, int nrows, struct err *err)
{
	const struct queue_policy *queue = (const struct queue_policy *)schedule->queue->entry;
	struct run run = {.schedule = schedule,
			  .jobs = jobs,
			  .outcomes = outcomes,
			  .n = n,
			  .now_ns = JOB_NO_TIME};
	int status = 0, *number_of = NULL;

	if (schedule->feed != NULL) {
		status = run_more(&run, &number_of, err) < 0 ? -1 : 0;
		free(number_of);
		rows = jobs = run.jobs;
		outcomes = run.outcomes;
		nrows = n = run.n;
	}
	if (status != 0 || look_at_jobs(schedule, rows, nrows, queue->plans_ahead, err) != 0) {
		end_feed(&run);
		free(schedule->come_ns);
		schedule->come_ns = NULL;
		return -1;
	}
	schedule->outcomes = outcomes;
	schedule->jobs = jobs;
	if (schedule->feed == NULL)
		depend_init(&run.depend, jobs, n), arrays_init(&run.arrays, jobs, n);
	status = run_book(&run, err);
	if (status == 0 && schedule->confine != NULL)
		status = confine_restart(schedule, jobs, n, err);
	alloc_restart(schedule->alloc);
	run.nusable = count_usable(schedule);
	if (status == 0)
		status = queue->run(&run, err);
	run.has_failed = status != 0;
	run_restore(&run);
	if (schedule->is_sharing)
		stock_end(schedule->stock);
	schedule->outcomes = NULL;
	schedule->jobs = NULL;
	free(schedule->come_ns);
	schedule->come_ns = NULL;
	end_feed(&run);
	free(run.ends.heap.at);
	free(run.for_ever.at);
	depend_free(&run.depend);
	arrays_free(&run.arrays);
	vec_free(&run.freed);
	buf_free(&run.reason);
	buf_free(&run.text);
	return status;
}

int schedule_run(struct schedule *schedule, const struct job *jobs, struct outcome *outcomes, int n,
		 struct err *err)
{
	struct het_jobs het;
	int status;

	if (!het_jobs_open(&het, jobs, outcomes, n))
		return run_jobs(schedule, jobs, outcomes, n, jobs, n, err);
	het.decided = schedule->decided;
	het.context = schedule->context;
	schedule->decided = het_jobs_decided;
	schedule->context = &het;
	status = run_jobs(schedule, het.jobs, het.outcomes, het.n, jobs, n, err);
	schedule->decided = het.decided;
	schedule->context = het.context;
	het_jobs_close(&het);
	return status;
}
