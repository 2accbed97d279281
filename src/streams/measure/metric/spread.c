/* spread.c - how many routers, groups, … a job's nodes are in */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include "measure/metric/metric.h"
#include "model/domain_runs.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"routers", "1", "routers below which the job has nodes"},
	{"groups", "1", "groups that it has nodes in; likewise every other tier of the machine"},
	{0}};

struct spread {
	const struct topo *topo;
	struct domain_runs runs[TOPO_LEVELS];
	int item;
	int *seen_by[TOPO_LEVELS]; /* [tier][domain] number of the item that saw it last */
	char names[TOPO_LEVELS][32];
};

static int spread_open(void **state, const struct pick *pick, const struct metric_context *context,
		       struct err *err)
{
	struct spread *spread = xcalloc(1, sizeof(*spread));

	(void)pick;
	(void)err;
	spread->topo = context->topo;
	for (int t = 0; t < spread->topo->ntiers; t++) {
		spread->seen_by[t] =
			xcalloc((size_t)spread->topo->tiers[t].n, sizeof(*spread->seen_by[t]));
		domain_runs_make(&spread->runs[t], spread->topo, t);
		snprintf(spread->names[t], sizeof(spread->names[t]), "%ss",
			 spread->topo->tiers[t].name);
	}
	*state = spread;
	return 0;
}

/* The domains of a tier that a job has nodes in. */
static int count_domains(struct spread *spread, const struct node_ranges *ranges, int tier)
{
	const struct domain_runs *runs = &spread->runs[tier];
	int *seen_by = spread->seen_by[tier], n = 0;

	for (size_t i = 0; i < ranges->of.n; i++)
		for (int node = ranges->of.at[i].first; node <= ranges->of.at[i].last;
		     node = runs->to[node] + 1) {
			n += seen_by[runs->of[node]] != spread->item;
			seen_by[runs->of[node]] = spread->item;
		}
	return n;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct spread *spread = state;

	(void)err;
	spread->item++;
	for (int t = 0; t < spread->topo->ntiers; t++)
		metric_put(sink, spread->names[t], "1",
			   item->nnodes > 0 ? count_domains(spread, item->by_label, t) : NAN,
			   item->nnodes > 0 ? NULL : "not placed");
	return 0;
}

static void close(void *state)
{
	struct spread *spread = state;

	for (int t = 0; t < spread->topo->ntiers; t++) {
		free(spread->seen_by[t]);
		domain_runs_free(&spread->runs[t]);
	}
	free(spread);
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_spread = {
	.entry = {.name = "spread",
		  .example = "spread",
		  .summary = "number of routers, groups, … that the job's nodes are in"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.outputs = outputs,
	.open = spread_open,
	.row = row,
	.close = close,
};
