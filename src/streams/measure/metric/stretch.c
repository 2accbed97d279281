/* stretch.c - how much longer jobs are in the system than they run */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/job_times.h"
#include "base/mem.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"flow_s", "s", "end_s − submit_s"},
	{"stretch", "1", "flow time over runtime"},
	{"bounded-slowdown", "1", "flow time over the runtime or bound=, the longer; at least 1"},
	{0}};

struct stretch {
	struct job_times_columns columns;
	double bound_s;
};

static int stretch_open(void **state, const struct pick *pick, const struct metric_context *context,
			struct err *err)
{
	struct stretch *stretch = xcalloc(1, sizeof(*stretch));

	(void)err;
	job_times_bind(&stretch->columns, context->in);
	stretch->bound_s = pick_real(pick, "bound");
	*state = stretch;
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	const struct stretch *stretch = state;
	struct job_times times;
	double flow_s = NAN, runtime_s = NAN, longer;

	if (job_times_read(&times, &stretch->columns, item->row, err) != 0)
		return -1;
	if (item->is_counted)
		return 0;
	if (times.has_submit && times.has_end)
		flow_s = (double)(times.end - times.submit) / 1e9;
	if (times.has_runtime)
		runtime_s = (double)times.runtime / 1e9;
	longer = runtime_s > stretch->bound_s ? runtime_s : stretch->bound_s;
	metric_put(sink, outputs[0].name, "s", flow_s, NULL);
	metric_put(sink, outputs[1].name, "1", runtime_s > 0 ? flow_s / runtime_s : NAN,
		   runtime_s == 0 ? "it runs no time" : NULL);
	metric_put(sink, outputs[2].name, "1",
		   isnan(runtime_s) || isnan(flow_s) || longer == 0 ? NAN
		   : flow_s > longer                                ? flow_s / longer
								    : 1,
		   NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"submit_s", "end_s", NULL};
static const struct param params[] = {
	{.key = "bound",
	 .type = PARAM_DURATION,
	 .def = "10",
	 .unit = "s",
	 .meaning = "shortest runtime by which the bounded slowdown divides"},
	{0}};

const struct metric metric_stretch = {
	.entry = {.name = "stretch",
		  .example = "stretch:bound=10",
		  .summary = "flow time of jobs relative to their runtime",
		  .params = params},
	.kinds = kinds,
	.columns = columns,
	.outputs = outputs,
	.open = stretch_open,
	.row = row,
	.close = free,
};
