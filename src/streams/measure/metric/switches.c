/* switches.c - how often jobs left a set of devices for another */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"switches", "1", "sets of devices that a job left for another"}, {0}};

static int switches_open(void **state, const struct pick *pick,
			 const struct metric_context *context, struct err *err)
{
	int *column = xmalloc(sizeof(*column));

	(void)pick, (void)err;
	*column = table_find(context->in, "switches");
	*state = column;
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	int64_t switches;
	int has = row_int(item->row, *(const int *)state, "switches", 0, INT64_MAX, &switches, err);

	if (has < 0)
		return -1;
	metric_put(sink, outputs[0].name, "1", has > 0 ? (double)switches : NAN, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"switches", NULL};

const struct metric metric_switches = {
	.entry = {.name = "switches",
		  .example = "switches",
		  .summary = "number of times that jobs moved to another set of devices"},
	.kinds = kinds,
	.columns = columns,
	.outputs = outputs,
	.open = switches_open,
	.row = row,
	.close = free,
};
