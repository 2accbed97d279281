/* schedule.c - a stream of jobs passes over a machine in time, run by run */
#include "sched/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "sched/choose.h"
#include "sched/ends.h"

/* One run: what passes between its jobs. */
struct passing {
	struct schedule *schedule;
	const struct job *jobs;
	struct outcome *outcomes;
	int n;
	struct ends ends;
	VEC(int) for_ever; /* jobs without an end */
	int64_t now_ns;    /* JOB_NO_TIME: no job has said a time yet */
	struct buf reason;
};

void outcome_free(struct outcome *outcome)
{
	free(outcome->nodes.at);
	free(outcome->reason);
	*outcome = (struct outcome){0};
}

void schedule_init(struct schedule *schedule, const struct topo *topo, struct alloc *alloc)
{
	*schedule = (struct schedule){.topo = topo, .alloc = alloc};
	schedule->use = xcalloc((size_t)topo->nnodes, sizeof(*schedule->use));
	schedule->nholders = xcalloc((size_t)topo->nnodes, sizeof(*schedule->nholders));
	machine_init(&schedule->machine, topo);
}

void schedule_ready(struct schedule *schedule)
{
	for (int node = 0; node < schedule->topo->nnodes; node++)
		if (schedule->use[node] != NODE_IDLE)
			machine_take(&schedule->machine, node);
	machine_forget(&schedule->machine);
}

void schedule_free(struct schedule *schedule)
{
	machine_free(&schedule->machine);
	free(schedule->use);
	free(schedule->nholders);
	*schedule = (struct schedule){0};
}

/* ---- nodes held and given back ---- */

static void hold_booked(struct schedule *schedule, const int_vec *nodes)
{
	for (size_t i = 0; i < nodes->n; i++) {
		if (schedule->nholders[nodes->at[i]]++ == 0 &&
		    schedule->use[nodes->at[i]] == NODE_IDLE)
			machine_take(&schedule->machine, nodes->at[i]);
	}
}

static void give_back(struct schedule *schedule, const int_vec *nodes)
{
	for (size_t i = 0; i < nodes->n; i++) {
		int node = nodes->at[i];

		if (--schedule->nholders[node] == 0 && schedule->use[node] != NODE_AWAY &&
		    !machine_is_idle(&schedule->machine, node))
			machine_release(&schedule->machine, node);
	}
}

static void advance(struct passing *p, int64_t time_ns)
{
	int job;

	p->now_ns = time_ns;
	while ((job = ends_next(&p->ends, time_ns)) >= 0)
		give_back(p->schedule, &p->outcomes[job].nodes);
}

static void note_end(struct passing *p, int job)
{
	if (p->outcomes[job].end_ns != JOB_NO_TIME)
		ends_add(&p->ends, p->outcomes[job].end_ns, job);
	else
		vec_push(&p->for_ever, job);
}

/* When a job that starts then ends. */
static int64_t end_of(const struct job *job, int64_t start_ns)
{
	int64_t length = job->runtime_ns != JOB_NO_TIME ? job->runtime_ns : job->walltime_ns, end;

	if (start_ns == JOB_NO_TIME || length == JOB_NO_TIME ||
	    __builtin_add_overflow(start_ns, length, &end))
		return JOB_NO_TIME;
	return end;
}

/* ---- bookings ---- */

struct booking {
	int node, job;
	int64_t start_ns, end_ns; /* INT64_MIN, INT64_MAX: open */
};

static int by_node_and_start(const void *a, const void *b)
{
	const struct booking *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* Two bookings must not have one node at one time. */
static int check_bookings(struct passing *p, struct booking *at, size_t n, struct err *err)
{
	if (n > 1)
		qsort(at, n, sizeof(*at), by_node_and_start);
	for (size_t i = 1; i < n; i++) {
		char name[TOPO_NAME];

		if (at[i].node == at[i - 1].node && at[i].start_ns < at[i - 1].end_ns)
			return row_error(&p->jobs[at[i].job].row, err,
					 "jobs %s and %s have the node %s at the same time",
					 p->jobs[at[i - 1].job].name, p->jobs[at[i].job].name,
					 topo_node_name(p->schedule->topo, at[i].node, name));
		/* of what has ended when the next one begins the later end counts */
		if (at[i].node == at[i - 1].node && at[i].end_ns < at[i - 1].end_ns)
			at[i].end_ns = at[i - 1].end_ns;
	}
	return 0;
}

static int book_all(struct passing *p, struct err *err)
{
	VEC(struct booking) bookings = {0};
	int status = 0;

	for (int i = 0; i < p->n && status == 0; i++) {
		const struct job *job = &p->jobs[i];
		struct outcome *outcome = &p->outcomes[i];

		if (job->nodelist == NULL)
			continue;
		status = job_nodes(job, p->schedule->topo, &outcome->nodes, err);
		if (status != 0)
			break;
		outcome->is_placed = outcome->is_booked = true;
		outcome->start_ns = job->start_ns;
		outcome->end_ns =
			job->end_ns != JOB_NO_TIME ? job->end_ns : end_of(job, job->start_ns);
		for (size_t k = 0; k < outcome->nodes.n; k++)
			vec_push(&bookings,
				 (struct booking){outcome->nodes.at[k], i, outcome->start_ns,
						  outcome->end_ns != JOB_NO_TIME ? outcome->end_ns
										 : INT64_MAX});
		hold_booked(p->schedule, &outcome->nodes);
		note_end(p, i);
	}
	if (status == 0)
		status = check_bookings(p, bookings.at, bookings.n, err);
	free(bookings.at);
	return status;
}

/* ---- decisions ---- */

static int64_t decision_time(const struct passing *p, const struct job *job)
{
	if (job->submit_ns != JOB_NO_TIME)
		return job->submit_ns > p->now_ns ? job->submit_ns : p->now_ns;
	/* a job that says how long it runs, but not since when: time begins at 0 */
	if (p->now_ns == JOB_NO_TIME && end_of(job, 0) != JOB_NO_TIME)
		return 0;
	return p->now_ns;
}

static int place(struct passing *p, int i, struct err *err)
{
	struct schedule *schedule = p->schedule;
	const struct job *job = &p->jobs[i];
	struct outcome *outcome = &p->outcomes[i];
	int64_t time_ns = decision_time(p, job);
	struct alloc_request request = sched_request(schedule, job, time_ns);
	int status;

	if (time_ns != JOB_NO_TIME)
		advance(p, time_ns);
	status = sched_choose(schedule, &request, time_ns, &outcome->nodes, &p->reason, err);
	machine_forget(&schedule->machine);
	if (schedule->explains && p->reason.n > 0)
		outcome->reason = xstrdup(p->reason.text);
	if (status <= 0)
		return status;
	alloc_placed(schedule->alloc, &request, &outcome->nodes);
	outcome->is_placed = true;
	outcome->start_ns = time_ns;
	outcome->end_ns = end_of(job, time_ns);
	for (size_t k = 0; k < outcome->nodes.n; k++)
		schedule->nholders[outcome->nodes.at[k]]++;
	note_end(p, i);
	return 0;
}

int schedule_run(struct schedule *schedule, const struct job *jobs, struct outcome *outcomes, int n,
		 struct err *err)
{
	struct passing p = {.schedule = schedule,
			    .jobs = jobs,
			    .outcomes = outcomes,
			    .n = n,
			    .now_ns = JOB_NO_TIME};
	int status = book_all(&p, err);

	alloc_restart(schedule->alloc);
	for (int i = 0; i < n && status == 0; i++)
		if (!outcomes[i].is_booked)
			status = place(&p, i, err);
	advance(&p, INT64_MAX);
	for (size_t i = 0; i < p.for_ever.n; i++)
		give_back(schedule, &outcomes[p.for_ever.at[i]].nodes);
	/* nodes that were busy when the run began are busy when the next one begins */
	for (int i = 0; i < n; i++)
		for (size_t k = 0; outcomes[i].is_booked && k < outcomes[i].nodes.n; k++) {
			int node = outcomes[i].nodes.at[k];

			if (schedule->use[node] == NODE_BUSY &&
			    machine_is_idle(&schedule->machine, node))
				machine_take(&schedule->machine, node);
		}
	machine_forget(&schedule->machine);
	free(p.ends.heap.at);
	free(p.for_ever.at);
	buf_free(&p.reason);
	return status;
}
