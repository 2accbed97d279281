/* training.c - steps of training jobs: how long one takes, what of it is communication alone, and
 * what part of the GPUs' operations are the model's */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "measure/metric/comm_times.h"
#include "model/kinds.h"

static const struct metric_output step_outputs[] = {
	{"step-time", "s", "until the last rank of the run has ended, for each step"}, {0}};
static const struct metric_output exposed_outputs[] = {
	{"exposed", "s", "time of the rank, for each step, in which it computed nothing"}, {0}};
static const struct metric_output mfu_outputs[] = {
	{"mfu", "1", "the model's operations over those that the GPUs could do in a step"}, {0}};

#define STEPS                                                                                      \
	{                                                                                          \
		.key = "steps", .type = PARAM_INT, .min = 1, .max = 1 << 24, .def = "1",           \
		.meaning = "how many steps the run was of"                                         \
	}

static const struct param step_params[] = {STEPS, {0}};
static const struct param mfu_params[] = {
	{.key = "flops", .type = PARAM_REAL, .meaning = "operations of the model in a step"},
	{.key = "peak",
	 .type = PARAM_REAL,
	 .meaning = "operations that one GPU does in a second, at most"},
	STEPS,
	{0}};

struct state {
	struct comm_columns columns;
	double steps, flops, peak;
	double most; /* of a rank; NAN: none yet */
	int64_t nranks;
};

static struct state *start(const struct pick *pick, const struct metric_context *context)
{
	struct state *how = xcalloc(1, sizeof(*how));

	comm_columns_find(&how->columns, context->in);
	how->steps = (double)pick_int(pick, "steps");
	how->most = NAN;
	return how;
}

static int step_open(void **state, const struct pick *pick, const struct metric_context *context,
		     struct err *err)
{
	(void)err;
	*state = start(pick, context);
	return 0;
}

static int mfu_open(void **state, const struct pick *pick, const struct metric_context *context,
		    struct err *err)
{
	struct state *how;

	if (pick_real(pick, "peak") <= 0)
		return err_set(err, "mfu: peak: expected more than 0");
	how = start(pick, context);
	how->flops = pick_real(pick, "flops");
	how->peak = pick_real(pick, "peak");
	*state = how;
	return 0;
}

/* One rank. */
static int take(void *state, const struct metric_item *item, struct metric_sink *sink,
		struct err *err)
{
	struct state *how = state;
	double elapsed, compute;
	int status = comm_columns_read(&how->columns, item->row, &elapsed, &compute, err);

	(void)sink;
	if (status < 0)
		return -1;
	if (status == 1) {
		how->most = how->nranks == 0 ? elapsed : fmax(how->most, elapsed);
		how->nranks++;
	}
	return 0;
}

static int step_end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct state *how = state;

	(void)err;
	metric_put(sink, "step-time", "s", how->most / how->steps, NULL);
	return 0;
}

static int mfu_end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct state *how = state;
	double could = how->most / how->steps * (double)how->nranks * how->peak;

	(void)err;
	metric_put(sink, "mfu", "1", could > 0 ? how->flops / could : NAN, NULL);
	return 0;
}

static int exposed_row(void *state, const struct metric_item *item, struct metric_sink *sink,
		       struct err *err)
{
	const struct state *how = state;
	double elapsed, compute;
	int status = comm_columns_read(&how->columns, item->row, &elapsed, &compute, err);

	if (status < 0)
		return -1;
	metric_put(sink, "exposed", "s", status == 1 ? (elapsed - compute) / how->steps : NAN,
		   NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_ranks, NULL};

const struct metric metric_step_time = {
	.entry = {.name = "step-time",
		  .example = "step-time",
		  .summary = "how long a step of a training job takes",
		  .params = step_params},
	.kinds = kinds,
	.per_run = true,
	.only_when_asked = true,
	.outputs = step_outputs,
	.open = step_open,
	.row = take,
	.end = step_end,
	.close = free,
};

const struct metric metric_exposed = {
	.entry = {.name = "exposed",
		  .example = "exposed",
		  .summary = "communication that no computation of its rank hides",
		  .params = step_params},
	.kinds = kinds,
	.only_when_asked = true,
	.outputs = exposed_outputs,
	.open = step_open,
	.row = exposed_row,
	.close = free,
};

const struct metric metric_mfu = {
	.entry = {.name = "mfu",
		  .example = "mfu:flops=1e15,peak=312e12",
		  .summary = "model FLOPs utilisation: the model's operations over the GPUs' peak",
		  .params = mfu_params},
	.kinds = kinds,
	.per_run = true,
	.only_when_asked = true,
	.outputs = mfu_outputs,
	.open = mfu_open,
	.row = take,
	.end = mfu_end,
	.close = free,
};
