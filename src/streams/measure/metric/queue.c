/* queue.c - how many jobs wait, over the time of a run */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/window.h"
#include "base/mem.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"queue-length-mean", "1",
	 "jobs that wait, in the mean over the time from the first submission to the last start"},
	{"queue-length-max", "1", "the most that wait at a time"},
	{"queue-nodes-mean", "1", "the same of the nodes that they wait for"},
	{"queue-nodes-max", "1", "the most of these"},
	{0}};

/* A job comes or leaves. */
struct change {
	int64_t time_ns;
	int64_t nnodes;  /* negative: it starts */
	bool is_counted; /* a component of a job that is counted already */
};

struct queue {
	struct job_times_columns columns;
	struct metric_window window;
	int nodelist;        /* column */
	int64_t first, last; /* ns */
	VEC(struct change) changes;
};

static int queue_open(void **state, const struct pick *pick, const struct metric_context *context,
		      struct err *err)
{
	struct queue *queue = xcalloc(1, sizeof(*queue));

	job_times_bind(&queue->columns, context->in);
	queue->nodelist = table_find(context->in, "nodelist");
	queue->first = INT64_MAX;
	queue->last = INT64_MIN;
	*state = queue;
	if (metric_window_read(&queue->window, pick, err) != 0)
		return -1;
	if (queue->window.is_given) {
		queue->first = queue->window.since_ns;
		queue->last = queue->window.until_ns;
	}
	return 0;
}

/* A job waits for its start, its withdrawal, or still; one that is placed without times does not.
 */
static void clip(struct queue *queue, const struct metric_item *item, struct job_times *times)
{
	const struct metric_window *window = &queue->window;

	if (times->has_end && !times->has_start)
		times->start = times->end;
	else if (!times->has_start)
		times->start = row_text(item->row, queue->nodelist) == NULL ? INT64_MAX : INT64_MIN;
	if (times->start > window->until_ns)
		times->start = window->until_ns;
	if (times->submit < window->since_ns)
		times->submit = window->since_ns;
}

/* Jobs that did not start are excluded, unless a window is given: whether they wait is unknown. */
static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct queue *queue = state;
	struct job_times times;

	(void)sink;
	if (job_times_read(&times, &queue->columns, item->row, err) != 0)
		return -1;
	if (!times.has_submit || (!times.has_start && !queue->window.is_given))
		return 0;
	if (queue->window.is_given) {
		clip(queue, item, &times);
	} else {
		queue->first = times.submit < queue->first ? times.submit : queue->first;
		queue->last = times.start > queue->last ? times.start : queue->last;
	}
	if (times.start <= times.submit)
		return 0;
	vec_push(&queue->changes, (struct change){times.submit, times.nodes, item->is_counted});
	vec_push(&queue->changes, (struct change){times.start, -times.nodes, item->is_counted});
	return 0;
}

/* At one time those that start leave before others come. */
static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->nnodes > y->nnodes) - (x->nnodes < y->nnodes);
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	struct queue *queue = state;
	int64_t length = 0, nnodes = 0, most = 0, most_nodes = 0;
	double length_s = 0, nodes_s = 0, over_s;

	(void)err;
	if (queue->changes.n > 1)
		qsort(queue->changes.at, queue->changes.n, sizeof(*queue->changes.at), by_time);
	for (size_t i = 0; i < queue->changes.n; i++) {
		const struct change *at = &queue->changes.at[i];
		double since_s = i > 0 ? (double)(at->time_ns - at[-1].time_ns) / 1e9 : 0;

		length_s += since_s * (double)length;
		nodes_s += since_s * (double)nnodes;
		if (!at->is_counted)
			length += at->nnodes > 0 ? 1 : -1;
		nnodes += at->nnodes;
		most = length > most ? length : most;
		most_nodes = nnodes > most_nodes ? nnodes : most_nodes;
	}
	over_s = queue->last > queue->first ? (double)(queue->last - queue->first) / 1e9 : NAN;
	metric_put(sink, outputs[0].name, "1", length_s / over_s, NULL);
	metric_put(sink, outputs[1].name, "1", (double)most, NULL);
	metric_put(sink, outputs[2].name, "1", nodes_s / over_s, NULL);
	metric_put(sink, outputs[3].name, "1", (double)most_nodes, NULL);
	return 0;
}

static void close(void *state)
{
	struct queue *queue = state;

	vec_free(&queue->changes);
	free(queue);
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const struct param params[] = {METRIC_WINDOW_PARAMS, {0}};
static const char *const columns[] = {"submit_s", "start_s", NULL};

const struct metric metric_queue = {
	.entry = {.name = "queue",
		  .example = "queue",
		  .summary = "number of waiting jobs over the time of a run",
		  .params = params},
	.kinds = kinds,
	.columns = columns,
	.per_run = true,
	.outputs = outputs,
	.open = queue_open,
	.row = row,
	.end = end,
	.close = close,
};
