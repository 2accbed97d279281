/* idle.c - what is idle over the time of a run, and into how many pieces it falls */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/window.h"
#include "base/bitset.h"
#include "base/mem.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"idle-nodes-mean", "1",
	 "nodes without a job, in the mean over the time from the first start to the last end"},
	{"idle-fragments-mean", "1", "runs of consecutive labels that they form, likewise"},
	{"idle-fragmentation-mean", "1",
	 "(fragments − 1) over (nodes − 1) of the idle nodes, over the time when there are two"},
	{"idle-fragmentation-max", "1", "the most of it at a time"},
	{0}};

struct busy_job {
	int64_t start_ns, end_ns; /* INT64_MAX: it has not ended */
	size_t first_stretch, nstretches;
};

struct event {
	int64_t time_ns;
	int64_t job; /* ~job: it ends */
};

struct idle {
	struct job_times_columns columns;
	struct metric_window window;
	int nnodes;
	VEC(struct busy_job) jobs;
	VEC(struct node_range) stretches; /* that jobs have */
	/* Runs of nodes with as many holders each, as long as can be: of those without any each is
	 * a fragment. */
	struct bitset starts;
	int *nholders; /* [nnodes] of the run that starts at a node */
	int64_t nidle, nfragments;
};

static int idle_open(void **state, const struct pick *pick, const struct metric_context *context,
		     struct err *err)
{
	struct idle *idle = xcalloc(1, sizeof(*idle));

	job_times_bind(&idle->columns, context->in);
	idle->nnodes = context->topo->nnodes;
	idle->nholders = xcalloc((size_t)idle->nnodes, sizeof(*idle->nholders));
	bitset_init(&idle->starts, idle->nnodes);
	bitset_add(&idle->starts, 0);
	idle->nidle = idle->nnodes;
	idle->nfragments = 1;
	*state = idle;
	return metric_window_read(&idle->window, pick, err);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct idle *idle = state;
	struct job_times times;
	struct busy_job job = {.first_stretch = idle->stretches.n};

	(void)sink;
	if (job_times_read(&times, &idle->columns, item->row, err) != 0)
		return -1;
	if (item->nnodes == 0 || !times.has_start)
		return 0;
	job.start_ns = times.start;
	job.end_ns = times.has_end ? times.end : INT64_MAX;
	if (idle->window.is_given &&
	    !metric_window_clip(&idle->window, &times, &job.start_ns, &job.end_ns))
		return 0;
	for (size_t i = 0; i < item->by_label->of.n; i++)
		vec_push(&idle->stretches, item->by_label->of.at[i]);
	job.nstretches = idle->stretches.n - job.first_stretch;
	vec_push(&idle->jobs, job);
	return 0;
}

/* Jobs that end go before those that start at the same time. */
static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* The first node behind the run that starts at a node. */
static int run_end(const struct idle *idle, int start)
{
	int next = start + 1 < idle->nnodes ? bitset_next(&idle->starts, start + 1) : -1;

	return next >= 0 ? next : idle->nnodes;
}

/* A run begins at a node. */
static void cut(struct idle *idle, int node)
{
	int start;

	if (node >= idle->nnodes || bitset_has(&idle->starts, node))
		return;
	start = bitset_prev(&idle->starts, node);
	bitset_add(&idle->starts, node);
	idle->nholders[node] = idle->nholders[start];
	idle->nfragments += idle->nholders[node] == 0;
}

/* Joins the run at a node with the one before it if they are alike. */
static void join(struct idle *idle, int node)
{
	if (node == 0 || node >= idle->nnodes ||
	    idle->nholders[bitset_prev(&idle->starts, node - 1)] != idle->nholders[node])
		return;
	bitset_remove(&idle->starts, node);
	idle->nfragments -= idle->nholders[node] == 0;
}

/* So many holders more of a range: the time is that of the runs in it. */
static void change(struct idle *idle, struct node_range range, int holders)
{
	cut(idle, range.first);
	cut(idle, range.last + 1);
	for (int node = range.first, end; node <= range.last; node = end) {
		bool was_idle = idle->nholders[node] == 0;

		end = run_end(idle, node);
		idle->nholders[node] += holders;
		if (was_idle == (idle->nholders[node] == 0))
			continue;
		idle->nidle += was_idle ? node - end : end - node;
		idle->nfragments += was_idle ? -1 : 1;
	}
	join(idle, range.last + 1);
	join(idle, range.first);
}

static void happen(struct idle *idle, int64_t event)
{
	const struct busy_job *job = &idle->jobs.at[event < 0 ? ~event : event];

	for (size_t i = job->first_stretch; i < job->first_stretch + job->nstretches; i++)
		change(idle, idle->stretches.at[i], event < 0 ? -1 : 1);
}

struct event_list {
	VEC(struct event) of;
};

static void list_events(const struct idle *idle, struct event_list *events)
{
	for (size_t i = 0; i < idle->jobs.n; i++) {
		const struct busy_job *job = &idle->jobs.at[i];

		/* one that takes no time would end before it starts */
		if (job->end_ns <= job->start_ns)
			continue;
		vec_push(&events->of, (struct event){job->start_ns, (int64_t)i});
		if (job->end_ns != INT64_MAX)
			vec_push(&events->of, (struct event){job->end_ns, ~(int64_t)i});
	}
	if (events->of.n > 1)
		qsort(events->of.at, events->of.n, sizeof(*events->of.at), by_time);
}

/* From the first start to the last end; a job that takes no time has both, too. */
static void find_window(const struct idle *idle, int64_t *first_ns, int64_t *last_ns)
{
	*first_ns = idle->window.is_given ? idle->window.since_ns : INT64_MAX;
	*last_ns = idle->window.is_given ? idle->window.until_ns : INT64_MIN;
	for (size_t i = 0; i < idle->jobs.n; i++) {
		const struct busy_job *job = &idle->jobs.at[i];

		if (job->start_ns < *first_ns)
			*first_ns = job->start_ns;
		if (job->end_ns != INT64_MAX && job->end_ns > *last_ns)
			*last_ns = job->end_ns;
	}
}

struct idle_sums {
	double all_s, two_s, nodes_s, fragments_s, fragmented_s;
	double most; /* NAN: never two idle nodes */
};

/* What is idle now is so for this time. */
static void pass(struct idle_sums *sums, const struct idle *idle, double seconds)
{
	double part;

	sums->all_s += seconds;
	sums->nodes_s += seconds * (double)idle->nidle;
	sums->fragments_s += seconds * (double)idle->nfragments;
	if (idle->nidle < 2)
		return;
	part = (double)(idle->nfragments - 1) / (double)(idle->nidle - 1);
	sums->two_s += seconds;
	sums->fragmented_s += seconds * part;
	sums->most = isnan(sums->most) || part > sums->most ? part : sums->most;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	struct idle *idle = state;
	struct event_list events = {0};
	struct idle_sums sums = {.most = NAN};
	int64_t now, last;
	double all_s;

	(void)err;
	find_window(idle, &now, &last);
	list_events(idle, &events);
	for (size_t i = 0; i <= events.of.n && now < last; i++) {
		int64_t next = i < events.of.n ? events.of.at[i].time_ns : last;

		/* a job without an end may start after all others have ended */
		if (next > last)
			next = last;
		if (next > now)
			pass(&sums, idle, ((double)next - (double)now) / 1e9);
		now = next;
		if (i < events.of.n)
			happen(idle, events.of.at[i].job);
	}
	free(events.of.at);
	all_s = sums.all_s > 0 ? sums.all_s : NAN;
	metric_put(sink, outputs[0].name, "1", sums.nodes_s / all_s, NULL);
	metric_put(sink, outputs[1].name, "1", sums.fragments_s / all_s, NULL);
	metric_put(sink, outputs[2].name, "1",
		   sums.two_s > 0 ? sums.fragmented_s / sums.two_s : NAN, NULL);
	metric_put(sink, outputs[3].name, "1", sums.most, NULL);
	return 0;
}

static void close(void *state)
{
	struct idle *idle = state;

	vec_free(&idle->jobs);
	vec_free(&idle->stretches);
	bitset_free(&idle->starts);
	free(idle->nholders);
	free(idle);
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const struct param params[] = {METRIC_WINDOW_PARAMS, {0}};
static const char *const columns[] = {"start_s", "end_s", "nodelist", NULL};

const struct metric metric_idle = {
	.entry = {.name = "idle",
		  .example = "idle",
		  .summary = "the idle nodes over the time of a run, and their fragmentation",
		  .params = params},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.per_run = true,
	.outputs = outputs,
	.open = idle_open,
	.row = row,
	.end = end,
	.close = close,
};
