/* schedule.c - a run as a whole: makespan, throughput, utilization */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/window.h"
#include "base/mem.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"makespan_s", "s",
	 "from the first submission to the last end; with since and until, from the one to the other"},
	{"throughput", "jobs/s", "jobs that ended, over the makespan"},
	{"work-rate", "nodes",
	 "node-seconds of these jobs, over the makespan: busy nodes in the mean"},
	{"utilization", "1", "the same over the nodes of the machine, where that is known"},
	{0}};

/* What a job has of the window. */
struct busy {
	int64_t from_ns, to_ns;
	int64_t nnodes;
	size_t first, nranges; /* its nodes, where they are known */
};

struct schedule {
	struct job_times_columns columns;
	struct metric_window window;
	int nnodes;
	VEC(struct busy) busy;
	VEC(struct node_range) ranges;
	int64_t first, last, njobs; /* ns */
	double node_s;
};

static int schedule_open(void **state, const struct pick *pick,
			 const struct metric_context *context, struct err *err)
{
	struct schedule *schedule = xcalloc(1, sizeof(*schedule));

	job_times_bind(&schedule->columns, context->in);
	schedule->nnodes = context->topo != NULL ? context->topo->nnodes : 0;
	schedule->first = INT64_MAX;
	schedule->last = INT64_MIN;
	*state = schedule;
	return metric_window_read(&schedule->window, pick, err);
}

static void clip_row(struct schedule *schedule, const struct metric_item *item,
		     const struct job_times *times)
{
	const struct metric_window *window = &schedule->window;
	struct busy busy = {.nnodes = times->nodes, .first = schedule->ranges.n};

	schedule->njobs += !item->is_counted && times->has_start && times->has_end &&
			   !times->is_running && times->end >= window->since_ns &&
			   times->end <= window->until_ns;
	if (!metric_window_clip(window, times, &busy.from_ns, &busy.to_ns))
		return;
	for (size_t i = 0; item->nnodes > 0 && i < item->ranges->of.n; i++)
		vec_push(&schedule->ranges, item->ranges->of.at[i]);
	busy.nranges = schedule->ranges.n - busy.first;
	if (busy.nranges == 0 && item->has_list)
		return; /* of nodes that the machine lacks */
	vec_push(&schedule->busy, busy);
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
	if (schedule->window.is_given)
		clip_row(schedule, item, &times);
	if (schedule->window.is_given || !times.has_submit || !times.has_start || !times.has_end)
		return 0;
	schedule->first = times.submit < schedule->first ? times.submit : schedule->first;
	schedule->last = times.end > schedule->last ? times.end : schedule->last;
	schedule->node_s += (double)times.nodes * ((double)times.runtime / 1e9);
	schedule->njobs += !item->is_counted;
	return 0;
}

static int by_start(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->from_ns != y->from_ns)
		return x->from_ns < y->from_ns ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* In the order of starts, a node is busy anew only beyond the end of what it did so far. */
static void add_nodes(struct schedule *schedule, const struct busy *busy, int64_t *until_ns)
{
	for (size_t i = busy->first; i < busy->first + busy->nranges; i++)
		for (int node = schedule->ranges.at[i].first; node <= schedule->ranges.at[i].last;
		     node++) {
			int64_t from =
				busy->from_ns > until_ns[node] ? busy->from_ns : until_ns[node];

			if (from >= busy->to_ns)
				continue;
			schedule->node_s += (double)(busy->to_ns - from) / 1e9;
			until_ns[node] = busy->to_ns;
		}
}

/* A node that several jobs share is busy once, where the nodes are known. */
static void sum_window(struct schedule *schedule)
{
	int64_t *until_ns = xcalloc((size_t)schedule->nnodes + 1, sizeof(*until_ns));

	for (int node = 0; node < schedule->nnodes; node++)
		until_ns[node] = INT64_MIN;
	if (schedule->busy.n > 1)
		qsort(schedule->busy.at, schedule->busy.n, sizeof(*schedule->busy.at), by_start);
	for (size_t i = 0; i < schedule->busy.n; i++) {
		const struct busy *busy = &schedule->busy.at[i];

		add_nodes(schedule, busy, until_ns);
		if (busy->nranges == 0)
			schedule->node_s += (double)busy->nnodes *
					    ((double)(busy->to_ns - busy->from_ns) / 1e9);
	}
	free(until_ns);
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	struct schedule *schedule = state;
	double makespan_s =
		schedule->njobs > 0 ? (double)(schedule->last - schedule->first) / 1e9 : NAN;
	double over;

	(void)err;
	if (schedule->window.is_given) {
		sum_window(schedule);
		makespan_s = (double)(schedule->window.until_ns - schedule->window.since_ns) / 1e9;
	}
	over = makespan_s > 0 ? makespan_s : NAN;
	metric_put(sink, outputs[0].name, "s", makespan_s, NULL);
	metric_put(sink, outputs[1].name, "jobs/s", (double)schedule->njobs / over, NULL);
	metric_put(sink, outputs[2].name, "nodes", schedule->node_s / over, NULL);
	if (schedule->nnodes > 0)
		metric_put(sink, outputs[3].name, "1", schedule->node_s / over / schedule->nnodes,
			   NULL);
	return 0;
}

static void schedule_close(void *state)
{
	struct schedule *schedule = state;

	vec_free(&schedule->busy);
	vec_free(&schedule->ranges);
	free(schedule);
}

static const struct param params[] = {METRIC_WINDOW_PARAMS, {0}};
static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"submit_s", "start_s", "end_s", NULL};

const struct metric metric_schedule = {
	.entry = {.name = "schedule",
		  .example = "schedule",
		  .summary = "a run as a whole: makespan, throughput, utilization",
		  .params = params},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_NAMED,
	.per_run = true,
	.outputs = outputs,
	.open = schedule_open,
	.row = row,
	.end = end,
	.close = schedule_close,
};
