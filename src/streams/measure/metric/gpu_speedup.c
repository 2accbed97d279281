/* gpu_speedup.c - how much faster a code communicates, and runs, another way between its GPUs */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "measure/metric/comm_times.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"gpu-speedup", "1",
	 "time of communication one way divided by that of the way that the note names, means of "
	 "the ranks"},
	{"gpu-speedup-run", "1", "the same of the whole loop, or run"},
	{"gpu-comm-share", "1", "communication's part of the loop, or run, before"},
	{0}};

static const struct param params[] = {
	{.key = "baseline",
	 .type = PARAM_WORD,
	 .choices = "hostcopy|gpudirect|trace",
	 .def = "hostcopy",
	 .meaning = "the way that the others are compared with (column gpu)"},
	{0}};

/* Sums of the ranks whose messages went one way. */
struct way {
	char *name;
	double elapsed, compute;
	int64_t n;
};

struct state {
	const char *baseline;
	int gpu;
	struct comm_columns columns;
	VEC(struct way) ways; /* in the order of the stream */
};

static int gpu_speedup_open(void **state, const struct pick *pick,
			    const struct metric_context *context, struct err *err)
{
	struct state *speedup = xcalloc(1, sizeof(*speedup));

	(void)err;
	speedup->baseline = pick_word(pick, "baseline");
	speedup->gpu = table_find(context->in, "gpu");
	comm_columns_find(&speedup->columns, context->in);
	*state = speedup;
	return 0;
}

static struct way *way_of(struct state *speedup, const char *name)
{
	struct way way = {0};

	for (size_t i = 0; i < speedup->ways.n; i++)
		if (str_eq(speedup->ways.at[i].name, name))
			return &speedup->ways.at[i];
	way.name = xstrdup(name);
	vec_push(&speedup->ways, way);
	return &speedup->ways.at[speedup->ways.n - 1];
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct state *speedup = state;
	const char *name = row_text(item->row, speedup->gpu);
	double elapsed, compute;
	int status = comm_columns_read(&speedup->columns, item->row, &elapsed, &compute, err);

	(void)sink;
	if (status == 1 && name != NULL) {
		struct way *way = way_of(speedup, name);

		way->elapsed += elapsed;
		way->compute += compute;
		way->n++;
	}
	return status < 0 ? -1 : 0;
}

/* a / b of means; NAN where there is nothing to divide by. */
static double ratio(double a, int64_t na, double b, int64_t nb)
{
	return na > 0 && nb > 0 && b > 0 ? a / (double)na / (b / (double)nb) : NAN;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct state *speedup = state;
	const struct way *before = way_of(state, speedup->baseline);

	(void)err;
	for (size_t i = 0; i < speedup->ways.n; i++) {
		const struct way *way = &speedup->ways.at[i];

		if (way == before)
			continue;
		metric_put(sink, outputs[0].name, "1",
			   ratio(before->elapsed - before->compute, before->n,
				 way->elapsed - way->compute, way->n),
			   way->name);
		metric_put(sink, outputs[1].name, "1",
			   ratio(before->elapsed, before->n, way->elapsed, way->n), way->name);
		metric_put(sink, outputs[2].name, "1",
			   ratio(before->elapsed - before->compute, before->n, before->elapsed,
				 before->n),
			   before->name);
	}
	return 0;
}

static void close(void *state)
{
	struct state *speedup = state;

	if (speedup == NULL)
		return;
	for (size_t i = 0; i < speedup->ways.n; i++)
		free(speedup->ways.at[i].name);
	vec_free(&speedup->ways);
	free(speedup);
}

static const struct table_kind *const kinds[] = {&kind_ranks, NULL};
static const char *const columns[] = {"gpu", NULL};

const struct metric metric_gpu_speedup = {
	.entry = {.name = "gpu-speedup",
		  .example = "gpu-speedup",
		  .summary = "how much faster ranks communicate, and run, another way between GPUs",
		  .paper = "Khetawat 2022, section 3.5",
		  .params = params},
	.kinds = kinds,
	.columns = columns,
	.compares = "gpu",
	.per_run = true,
	.only_when_asked = true,
	.outputs = outputs,
	.open = gpu_speedup_open,
	.row = row,
	.end = end,
	.close = close,
};
