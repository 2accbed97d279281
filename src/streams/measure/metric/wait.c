/* wait.c - how long jobs wait for their start */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "measure/metric/window.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {{"wait_s", "s", "start_s − submit_s"}, {0}};

struct wait {
	struct job_times_columns columns;
	struct metric_window window;
};

static int wait_open(void **state, const struct pick *pick, const struct metric_context *context,
		     struct err *err)
{
	struct wait *wait = xcalloc(1, sizeof(*wait));

	job_times_bind(&wait->columns, context->in);
	*state = wait;
	return metric_window_read(&wait->window, pick, err);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	const struct wait *wait = state;
	struct job_times times;

	if (job_times_read(&times, &wait->columns, item->row, err) != 0)
		return -1;
	if (item->is_counted)
		return 0;
	if (wait->window.is_given && !metric_window_starts(&wait->window, &times))
		return 0;
	metric_put(sink, outputs[0].name, "s",
		   times.has_submit && times.has_start ? (double)(times.start - times.submit) / 1e9
						       : NAN,
		   NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const struct param params[] = {METRIC_WINDOW_PARAMS, {0}};
static const char *const columns[] = {"submit_s", "start_s", NULL};

const struct metric metric_wait = {
	.entry = {.name = "wait",
		  .example = "wait",
		  .summary = "time from a job's submission to its start",
		  .params = params},
	.kinds = kinds,
	.columns = columns,
	.outputs = outputs,
	.open = wait_open,
	.row = row,
	.close = free,
};
