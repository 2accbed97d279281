/* wait.c - how long jobs wait for their start */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/job_times.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {{"wait_s", "s", "start_s − submit_s"}, {0}};

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct job_times times;

	if (job_times_read(&times, state, item->row, err) != 0)
		return -1;
	if (item->is_counted)
		return 0;
	metric_put(sink, outputs[0].name, "s",
		   times.has_submit && times.has_start ? (double)(times.start - times.submit) / 1e9
						       : NAN,
		   NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"submit_s", "start_s", NULL};

const struct metric metric_wait = {
	.entry = {.name = "wait",
		  .example = "wait",
		  .summary = "time from a job's submission to its start"},
	.kinds = kinds,
	.columns = columns,
	.outputs = outputs,
	.open = job_times_open,
	.row = row,
	.close = free,
};
