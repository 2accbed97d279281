/* levels.c - the level of the machine at which all nodes of a job meet */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"levels", "1",
	 "levels that the job uses: 1 is one router, then the tiers "
	 "of the machine; the note names the highest"},
	{0}};

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	(void)pick;
	(void)err;
	*state = context->topo;
	return 0;
}

/* Whether all nodes lie in one domain of a tier. */
static bool meet(const struct topo *topo, const struct metric_item *item, int tier)
{
	int domain = topo_domain(topo, item->nodes[0], tier);

	for (int i = 1; i < item->nnodes; i++)
		if (topo_domain(topo, item->nodes[i], tier) != domain)
			return false;
	return domain >= 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	const struct topo *topo = state;
	int tier = 0;

	(void)err;
	if (item->nnodes == 0) {
		metric_put(sink, outputs[0].name, "1", NAN, "not placed");
		return 0;
	}
	while (tier < topo->ntiers && !meet(topo, item, tier))
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
		  .summary =
			  "how many levels of the machine (router, group or pod, …) the job uses",
		  .paper = "Bleuse et al., section 4; Zhang et al., Level-Spread"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.only_when_asked = true,
	.outputs = outputs,
	.open = open,
	.row = row,
};
