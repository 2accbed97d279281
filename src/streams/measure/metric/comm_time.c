/* comm_time.c - what a rank's replay took besides computation, waiting included */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "measure/metric/comm_times.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"comm-time", "s",
	 "time of the replay's loop, or of the whole run, less the computation in it"},
	{0}};

static const struct param params[] = {
	{.key = "artefact",
	 .type = PARAM_WORD,
	 .choices = "none|tracer",
	 .def = "none",
	 .meaning = "tracer: as TraceR prints it for a loop that it repeats: computation stops "
		    "counting with the first repetition, the end does not"},
	{.key = "repeats",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .def = "10",
	 .meaning = "of the loop, with artefact=tracer"},
	{0}};

struct state {
	struct comm_columns columns;
	bool is_artefact;
	double repeats;
};

static int comm_time_open(void **state, const struct pick *pick,
			  const struct metric_context *context, struct err *err)
{
	struct state *how = xcalloc(1, sizeof(*how));

	(void)err;
	comm_columns_find(&how->columns, context->in);
	how->is_artefact = pick_is(pick, "artefact", "tracer");
	how->repeats = (double)pick_int(pick, "repeats");
	*state = how;
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	const struct state *how = state;
	double elapsed, compute, time = NAN;
	int status = comm_columns_read(&how->columns, item->row, &elapsed, &compute, err);

	if (status < 0)
		return -1;
	if (status == 1) {
		time = elapsed - compute;
		if (how->is_artefact)
			time = how->repeats * time + (how->repeats - 1) * compute;
	}
	metric_put(sink, "comm-time", "s", time, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_ranks, NULL};

const struct metric metric_comm_time = {
	.entry = {.name = "comm-time",
		  .example = "comm-time",
		  .summary = "a rank's time besides computation, in the loop that the replay names",
		  .paper = "Khetawat 2022, ch. 3 (find_avg)",
		  .params = params},
	.kinds = kinds,
	.outputs = outputs,
	.open = comm_time_open,
	.row = row,
	.close = free,
};
