/* spread.c - how many routers, groups, … a job's nodes lie in */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"routers", "1", "routers below which the job has nodes"},
	{"groups", "1", "groups that it has nodes in; likewise every other tier of the machine"},
	{0}};

struct spread {
	const struct topo *topo;
	int item;
	int *seen_by[TOPO_LEVELS]; /* [tier][domain] number of the item that saw it last */
	char names[TOPO_LEVELS][32];
};

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	struct spread *spread = xcalloc(1, sizeof(*spread));

	(void)pick;
	(void)err;
	spread->topo = context->topo;
	for (int t = 0; t < spread->topo->ntiers; t++) {
		spread->seen_by[t] =
			xcalloc((size_t)spread->topo->tiers[t].n, sizeof(*spread->seen_by[t]));
		snprintf(spread->names[t], sizeof(spread->names[t]), "%ss",
			 spread->topo->tiers[t].name);
	}
	*state = spread;
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct spread *spread = state;

	(void)err;
	spread->item++;
	for (int t = 0; t < spread->topo->ntiers; t++) {
		int n = 0;

		for (int i = 0; i < item->nnodes; i++) {
			int domain = topo_domain(spread->topo, item->nodes[i], t);

			n += spread->seen_by[t][domain] != spread->item;
			spread->seen_by[t][domain] = spread->item;
		}
		metric_put(sink, spread->names[t], "1", item->nnodes > 0 ? n : NAN,
			   item->nnodes > 0 ? NULL : "not placed");
	}
	return 0;
}

static void close(void *state)
{
	struct spread *spread = state;

	for (int t = 0; t < spread->topo->ntiers; t++)
		free(spread->seen_by[t]);
	free(spread);
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_spread = {
	.entry = {.name = "spread",
		  .example = "spread",
		  .summary = "how many routers, groups, … the job's nodes lie in"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.outputs = outputs,
	.open = open,
	.row = row,
	.close = close,
};
