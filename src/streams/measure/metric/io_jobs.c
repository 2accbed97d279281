/* io_jobs.c - how many jobs use an I/O node at one time (Prop. 2 of Bleuse et al.) */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/overlaps.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"io-jobs", "1",
	 "most jobs that use one I/O node at one time; the note names it, and "
	 "the bound for local jobs: the compute nodes adjacent to it, and "
	 "itself if it computes; of a switch those below it"},
	{"io-jobs-over", "1", "I/O nodes that more jobs than that bound use at one time"},
	{0}};

/* A job begins (change 1) or ends (-1) to use an I/O node, or a switch (vertex nnodes + router). */
struct change {
	int vertex, change;
	int64_t time_ns;
};

static int io_jobs_open(void **state, const struct pick *pick, const struct metric_context *context,
			struct err *err)
{
	struct overlaps *overlaps = xcalloc(1, sizeof(*overlaps));

	(void)pick;
	*state = overlaps;
	return overlaps_open(overlaps, context, err);
}

static void close(void *state)
{
	overlaps_close(state);
	free(state);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	(void)sink;
	return overlaps_add(state, item, err);
}

/* By place, then time; a job may start when another one ends. */
static int by_vertex_and_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->vertex != y->vertex)
		return x->vertex < y->vertex ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->change - y->change;
}

/* Compute nodes adjacent to an I/O node (itself, if it computes), or below a switch. */
static int bound_of(struct geometry *geometry, int vertex)
{
	int n = 0;

	if (vertex >= geometry->topo->nnodes)
		return geometry_count_below(geometry, vertex - geometry->topo->nnodes);
	for (int other = 0; other < geometry->topo->nnodes; other++)
		n += geometry_computes(geometry, other) &&
		     geometry_adjacent(geometry, other, vertex);
	return n;
}

static void say_place(const struct geometry *geometry, int vertex, struct buf *text)
{
	if (vertex < geometry->topo->nnodes)
		geometry_say_node(geometry, vertex, text);
	else
		geometry_say_router(geometry, vertex - geometry->topo->nnodes, text);
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	struct overlaps *overlaps = state;
	struct geometry *geometry = &overlaps->regions.geometry;
	VEC(struct change) changes = {0};
	int most = 0, nover = 0, now = 0, peak = 0;
	struct buf note = {0};

	(void)err;
	for (size_t i = 0; i < overlaps->jobs.n; i++) {
		const struct overlap_job *job = &overlaps->jobs.at[i];

		for (int k = 0; k < job->region.nio; k++) {
			const struct io_place *io = &job->region.io[k];
			int vertex = io->node >= 0 ? io->node : geometry->topo->nnodes + io->router;

			vec_push(&changes, (struct change){vertex, 1, job->start_ns});
			vec_push(&changes, (struct change){vertex, -1, job->end_ns});
		}
	}
	if (changes.n > 0)
		qsort(changes.at, changes.n, sizeof(*changes.at), by_vertex_and_time);
	for (size_t i = 0; i < changes.n; i++) {
		int vertex = changes.at[i].vertex, bound;

		now += changes.at[i].change;
		peak = now > peak ? now : peak;
		if (i + 1 < changes.n && changes.at[i + 1].vertex == vertex)
			continue;
		bound = bound_of(geometry, vertex);
		nover += peak > bound;
		if (peak > most) {
			most = peak;
			buf_clear(&note);
			say_place(geometry, vertex, &note);
			buf_printf(&note, ", bound %d", bound);
		}
		now = peak = 0;
	}
	metric_put(sink, outputs[0].name, "1", most, note.n > 0 ? buf_text(&note) : NULL);
	metric_put(sink, outputs[1].name, "1", nover, NULL);
	free(changes.at);
	buf_free(&note);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", "io_nodelist", NULL};

const struct metric metric_io_jobs = {
	.entry = {.name = "io-jobs",
		  .example = "io-jobs",
		  .summary = "number of jobs that use an I/O node at one time, and the "
			     "bound for local jobs",
		  .paper = "Bleuse et al., Prop. 2"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.per_run = true,
	.only_when_asked = true,
	.outputs = outputs,
	.open = io_jobs_open,
	.row = row,
	.end = end,
	.close = close,
};
