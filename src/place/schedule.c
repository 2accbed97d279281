/* schedule.c - a stream of jobs passes over a machine in time, run by run */
#include "place/run/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "place/run/confine.h"
#include "place/run/eligible.h"
#include "place/queue/queue.h"

void outcome_free(struct outcome *outcome)
{
	free(outcome->nodes.at);
	free(outcome->nodelist);
	free(outcome->io_nodelist);
	free(outcome->reason);
	*outcome = (struct outcome){0};
}

void schedule_init(struct schedule *schedule, const struct topo *topo, struct alloc *alloc,
		   const struct pick *queue)
{
	*schedule = (struct schedule){.topo = topo, .alloc = alloc, .queue = queue};
	schedule->use = xcalloc((size_t)topo->nnodes, sizeof(*schedule->use));
	schedule->holder = xcalloc((size_t)topo->nnodes, sizeof(*schedule->holder));
	machine_init(&schedule->machine, topo);
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
}

void schedule_free(struct schedule *schedule)
{
	machine_free(&schedule->machine);
	bitset_free(&schedule->trial);
	eligible_close(schedule->eligible);
	free(schedule->use);
	free(schedule->holder);
	*schedule = (struct schedule){0};
}

int schedule_run(struct schedule *schedule, const struct job *jobs, struct outcome *outcomes, int n,
		 struct err *err)
{
	const struct queue_policy *queue = (const struct queue_policy *)schedule->queue->entry;
	struct run run = {.schedule = schedule,
			  .jobs = jobs,
			  .outcomes = outcomes,
			  .n = n,
			  .now_ns = JOB_NO_TIME};
	int status;

	schedule->outcomes = outcomes;
	status = run_book(&run, err);
	if (status == 0 && schedule->confine != NULL)
		status = confine_restart(schedule, jobs, n, err);
	alloc_restart(schedule->alloc);
	for (int node = 0; node < schedule->topo->nnodes; node++)
		run.nusable += schedule->use[node] == NODE_IDLE ||
			       (schedule->use[node] == NODE_BUSY && schedule->holder[node] >= 0);
	if (status == 0)
		status = queue->run(&run, err);
	run_restore(&run);
	schedule->outcomes = NULL;
	free(run.ends.heap.at);
	free(run.for_ever.at);
	buf_free(&run.reason);
	buf_free(&run.text);
	return status;
}
