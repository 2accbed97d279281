/* schedule.c - a run as a whole: makespan, throughput, utilization */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/job_times.h"
#include "base/mem.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"makespan_s", "s", "from the first submission to the last end"},
	{"throughput", "jobs/s", "jobs that ended, over the makespan"},
	{"work-rate", "nodes",
	 "node-seconds of these jobs, over the makespan: busy nodes in the mean"},
	{"utilization", "1", "the same over the nodes of the machine, where that is known"},
	{0}};

struct schedule {
	struct job_times_columns columns;
	int nnodes;
	int64_t first, last, njobs; /* ns */
	double node_s;
};

static int schedule_open(void **state, const struct pick *pick,
			 const struct metric_context *context, struct err *err)
{
	struct schedule *schedule = xcalloc(1, sizeof(*schedule));

	(void)pick;
	(void)err;
	job_times_bind(&schedule->columns, context->in);
	schedule->nnodes = context->topo != NULL ? context->topo->nnodes : 0;
	schedule->first = INT64_MAX;
	schedule->last = INT64_MIN;
	*state = schedule;
	return 0;
}

/* Jobs that have not ended are no part of what was done. */
static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct schedule *schedule = state;
	struct job_times times;

	(void)sink;
	if (job_times_read(&times, &schedule->columns, item->row, err) != 0)
		return -1;
	if (!times.has_submit || !times.has_start || !times.has_end)
		return 0;
	schedule->first = times.submit < schedule->first ? times.submit : schedule->first;
	schedule->last = times.end > schedule->last ? times.end : schedule->last;
	schedule->node_s += (double)times.nodes * ((double)times.runtime / 1e9);
	schedule->njobs += !item->is_counted;
	return 0;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct schedule *schedule = state;
	double makespan_s =
		schedule->njobs > 0 ? (double)(schedule->last - schedule->first) / 1e9 : NAN;
	double over = makespan_s > 0 ? makespan_s : NAN;

	(void)err;
	metric_put(sink, outputs[0].name, "s", makespan_s, NULL);
	metric_put(sink, outputs[1].name, "jobs/s", (double)schedule->njobs / over, NULL);
	metric_put(sink, outputs[2].name, "nodes", schedule->node_s / over, NULL);
	if (schedule->nnodes > 0)
		metric_put(sink, outputs[3].name, "1", schedule->node_s / over / schedule->nnodes,
			   NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"submit_s", "start_s", "end_s", NULL};

const struct metric metric_schedule = {
	.entry = {.name = "schedule",
		  .example = "schedule",
		  .summary = "a run as a whole: makespan, throughput, utilization"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_NAMED,
	.per_run = true,
	.outputs = outputs,
	.open = schedule_open,
	.row = row,
	.end = end,
	.close = free,
};
