/* levels.c - the level of the machine at which all nodes of a job meet */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/metric/metric.h"
#include "model/domain_runs.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"levels", "1",
	 "levels that the job uses: 1 is one router, then the tiers "
	 "of the machine; the note names the highest"},
	{0}};

struct levels {
	const struct topo *topo;
	struct domain_runs runs[TOPO_LEVELS];
};

static int levels_open(void **state, const struct pick *pick, const struct metric_context *context,
		       struct err *err)
{
	struct levels *levels = xcalloc(1, sizeof(*levels));

	(void)pick;
	(void)err;
	levels->topo = context->topo;
	for (int t = 0; t < context->topo->ntiers; t++)
		domain_runs_make(&levels->runs[t], context->topo, t);
	*state = levels;
	return 0;
}

static void close(void *state)
{
	struct levels *levels = state;

	for (int t = 0; t < levels->topo->ntiers; t++)
		domain_runs_free(&levels->runs[t]);
	free(levels);
}

/* Whether all nodes are in one domain of a tier. */
static bool meet(const struct domain_runs *runs, const struct node_ranges *ranges)
{
	int domain = runs->of[ranges->of.at[0].first];

	for (size_t i = 0; i < ranges->of.n; i++)
		for (int node = ranges->of.at[i].first; node <= ranges->of.at[i].last;
		     node = runs->to[node] + 1)
			if (runs->of[node] != domain)
				return false;
	return domain >= 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	const struct levels *levels = state;
	const struct topo *topo = levels->topo;
	int tier = 0;

	(void)err;
	if (item->nnodes == 0) {
		metric_put(sink, outputs[0].name, "1", NAN, "not placed");
		return 0;
	}
	while (tier < topo->ntiers && !meet(&levels->runs[tier], item->by_label))
		tier++;
	metric_put(sink, outputs[0].name, "1", tier + 1,
		   tier < topo->ntiers ? topo->tiers[tier].name : "machine");
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_levels = {
	.entry = {.name = "levels",
		  .example = "levels",
		  .summary = "number of levels of the machine (router, group or pod, …) that"
			     " the job uses",
		  .paper = "Bleuse et al., section 4; Zhang et al., Level-Spread"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.only_when_asked = true,
	.outputs = outputs,
	.open = levels_open,
	.row = row,
	.close = close,
};
