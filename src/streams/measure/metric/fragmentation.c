/* fragmentation.c - into how many pieces a job falls in label order */
#include <math.h>

#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"fragments", "1", "runs of consecutive labels that the job's nodes form"},
	{"fragmentation", "1",
	 "(fragments − 1) over (nodes − 1): 0 is one piece, 1 is not a two nodes together"},
	{0}};

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	int n = item->nnodes, nfragments = (int)item->by_label->of.n;

	(void)state;
	(void)err;
	if (n == 0) {
		metric_put(sink, outputs[0].name, "1", NAN, "not placed");
		metric_put(sink, outputs[1].name, "1", NAN, "not placed");
		return 0;
	}
	metric_put(sink, outputs[0].name, "1", nfragments, NULL);
	metric_put(sink, outputs[1].name, "1", n > 1 ? (nfragments - 1.0) / (n - 1.0) : 0, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_fragmentation = {
	.entry = {.name = "fragmentation",
		  .example = "fragmentation",
		  .summary = "number of pieces of the job in label order"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.outputs = outputs,
	.row = row,
};
