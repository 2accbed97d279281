/* dispersal.c - how far a job's nodes lie apart (Defs 7 and 8 of Bleuse et al.) */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/regions.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"dispersal", "1",
	 "mean distance of two of its nodes: levels where nodes are joined through switches only "
	 "(1: a common leaf switch), else links between their routers"},
	{"dispersal-sum", "1", "sum of the distances over all pairs"},
	{"dispersal-max", "1", "the largest distance"},
	{0}};

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	struct regions *regions = xcalloc(1, sizeof(*regions));

	(void)pick;
	*state = regions;
	return regions_open(regions, context, err);
}

static void close(void *state)
{
	regions_close(state);
	free(state);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct regions *regions = state;
	const char *note = item->nnodes == 0   ? "not placed"
			   : item->nnodes == 1 ? "a single node"
					       : NULL;
	double npairs = (double)item->nnodes * (item->nnodes - 1) / 2;
	const int *nodes = metric_item_nodes(item);
	int64_t sum = 0;
	int most = 0;

	(void)err;
	for (int i = 0; i < item->nnodes; i++)
		for (int k = 0; k < i; k++) {
			int distance = geometry_distance(&regions->geometry, nodes[k], nodes[i]);

			sum += distance;
			most = distance > most ? distance : most;
		}
	metric_put(sink, outputs[0].name, "1", npairs > 0 ? (double)sum / npairs : NAN, note);
	metric_put(sink, outputs[1].name, "1", npairs > 0 ? (double)sum : NAN, note);
	metric_put(sink, outputs[2].name, "1", npairs > 0 ? most : NAN, note);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_dispersal = {
	.entry = {.name = "dispersal",
		  .example = "dispersal",
		  .summary = "how far apart the job's nodes are, in levels or links",
		  .paper = "Bleuse et al., Defs 1, 7 and 8"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.only_when_asked = true,
	.outputs = outputs,
	.open = open,
	.row = row,
	.close = close,
};
