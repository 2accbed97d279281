/* run.c - one run: jobs pass over a machine in time; what queues work on */
#include "place/run/run.h"

#include "place/run/choose.h"
#include "place/run/confine.h"
#include "place/run/eligible.h"
#include "place/run/het_jobs.h"
#include "place/run/stock.h"

void run_note_end(struct run *run, int job)
{
	int64_t end_ns = run->outcomes[job].end_ns;

	if (end_ns != JOB_NO_TIME)
		ends_add(&run->ends, end_ns, job);
	else
		vec_push(&run->for_ever, job);
}

void run_start(struct run *run, int job, const struct alloc_request *request, int64_t start_ns)
{
	struct schedule *schedule = run->schedule;
	struct outcome *outcome = &run->outcomes[job];

	machine_forget(&schedule->machine);
	alloc_placed(schedule->alloc, request, &outcome->nodes);
	outcome->is_placed = outcome->is_decided = true;
	outcome->start_ns = start_ns;
	outcome->end_ns = time_after(start_ns, job_length(&run->jobs[job]));
	if (outcome->end_ns == INT64_MAX)
		outcome->end_ns = JOB_NO_TIME;
	for (size_t k = 0; k < outcome->nodes.n; k++)
		schedule->holder[outcome->nodes.at[k]] = job;
	if (run->jobs[job].nodes_max > 0)
		outcome->cpus_per_node = sched_cpus(schedule, &run->jobs[job], &outcome->nodes);
	if (run->jobs[job].ncomponents > 0)
		het_job_start(schedule, &run->jobs[job], outcome);
	else
		outcome->partition =
			eligible_partition_text(schedule, &run->jobs[job], &outcome->nodes);
	sched_hold(schedule, &run->jobs[job], job, &outcome->nodes);
	buf_clear(&run->text);
	/* behind its own nodes are those that others do not get beside it */
	outcome->nnodes =
		run->jobs[job].exclusive_topo ? run->jobs[job].nnodes : (int)outcome->nodes.n;
	topo_nodelist_add(schedule->topo, outcome->nodes.at, (size_t)outcome->nnodes, &run->text);
	outcome->nodelist = xstrdup(buf_text(&run->text));
	if (schedule->confine != NULL)
		outcome->io_nodelist = confine_start(schedule, &run->jobs[job], job);
	if (schedule->explains && run->reason.n > 0)
		outcome->reason = xstrdup(run->reason.text);
	run_note_end(run, job);
}

static void tell(struct run *run, int job)
{
	struct outcome *outcome = &run->outcomes[job];

	if (outcome->is_told || run->has_failed)
		return;
	outcome->is_told = true;
	if (run->schedule->decided != NULL)
		run->schedule->decided(run->schedule->context, job, outcome);
}

void run_refuse(struct run *run, int job)
{
	struct outcome *outcome = &run->outcomes[job];

	outcome->is_decided = outcome->is_over = true;
	if (run->schedule->explains && run->reason.n > 0)
		outcome->reason = xstrdup(run->reason.text);
	if (run->schedule->by_end)
		tell(run, job);
}

/* Of a booked job some nodes may have a later booking, or be down. */
static void give_back_booked(struct schedule *schedule, const int_vec *nodes, int job)
{
	for (size_t i = 0; i < nodes->n; i++) {
		int node = nodes->at[i];

		if (schedule->holder[node] != job)
			continue;
		schedule->holder[node] = -1;
		if (schedule->use[node] != NODE_AWAY)
			machine_release(&schedule->machine, node);
	}
}

/* Nodes go to the other jobs that have a part of them, or become idle. */
static void give_back_parts(struct schedule *schedule, const int_vec *nodes, int job)
{
	stock_give_back(schedule->stock, job, nodes->at, (int)nodes->n);
	for (size_t i = 0; i < nodes->n; i++) {
		int node = nodes->at[i];

		schedule->holder[node] = stock_holder(schedule->stock, node);
		if (stock_is_free_at(schedule->stock, node, INT64_MIN) &&
		    schedule->use[node] != NODE_AWAY && !machine_is_idle(&schedule->machine, node))
			machine_release(&schedule->machine, node);
	}
}

void run_give_back(struct run *run, int job)
{
	struct schedule *schedule = run->schedule;
	struct outcome *outcome = &run->outcomes[job];

	if (schedule->is_sharing) {
		give_back_parts(schedule, &outcome->nodes, job);
		if (!outcome->is_booked)
			vec_free(&outcome->nodes);
	} else if (outcome->is_booked) {
		give_back_booked(schedule, &outcome->nodes, job);
	} else {
		for (size_t i = 0; i < outcome->nodes.n; i++)
			schedule->holder[outcome->nodes.at[i]] = -1;
		machine_release_all(&schedule->machine, outcome->nodes.at, outcome->nodes.n);
		vec_free(&outcome->nodes);
	}
	outcome->is_over = true;
	depend_end(&run->depend, job,
		   outcome->end_ns != JOB_NO_TIME ? outcome->end_ns : run->now_ns, &run->freed);
	arrays_end(&run->arrays, job, &run->freed);
	machine_forget(&schedule->machine);
	if (schedule->confine != NULL)
		confine_forget(schedule->confine);
	if (schedule->by_end)
		tell(run, job);
}

void run_tell(struct run *run)
{
	if (run->schedule->by_end)
		return;
	for (; run->ntold < run->n && run->outcomes[run->ntold].is_decided; run->ntold++)
		tell(run, run->ntold);
}

/* Nodes that were busy when the run began are busy when the next one begins. */
void run_restore(struct run *run)
{
	struct schedule *schedule = run->schedule;
	int job;

	while ((job = ends_next(&run->ends, INT64_MAX)) >= 0)
		run_give_back(run, job);
	for (size_t i = 0; i < run->for_ever.n; i++)
		run_give_back(run, run->for_ever.at[i]);
	for (int i = 0; i < run->n && schedule->by_end; i++)
		tell(run, i);
	for (int node = 0; node < schedule->topo->nnodes; node++)
		if (schedule->use[node] == NODE_BUSY && machine_is_idle(&schedule->machine, node))
			machine_take(&schedule->machine, node);
	machine_forget(&schedule->machine);
}
