/* hierarchy_cost.c - bytes times the distances of a hierarchy, as process mapping has it */
#include <stdlib.h>

#include "base/mem.h"
#include "measure/metric/link_loads.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"hierarchy-cost", "bytes",
	 "sum of bytes × distance of the two nodes, which depends only on the nearest part of the "
	 "machine that holds both"},
	{0}};

/* distance[t]: of two nodes whose nearest common domain is of tier t; the last: of those that have
 * none. */
struct hierarchy {
	int ntiers;
	double distance[TOPO_LEVELS + 1];
};

static int hierarchy_cost_open(void **state, const struct pick *pick,
			       const struct metric_context *context, struct err *err)
{
	struct hierarchy *hierarchy = xcalloc(1, sizeof(*hierarchy));
	const struct value *distances = pick_value(pick, "distances");
	double power = 1;

	(void)err;
	hierarchy->ntiers = context->topo->ntiers;
	for (int t = 0; t <= hierarchy->ntiers; t++, power *= 10) {
		int last = distances->nsizes - 1;

		hierarchy->distance[t] =
			distances->is_set ? (double)distances->sizes[t < last ? t : last] : power;
	}
	*state = hierarchy;
	return 0;
}

static double distance_of(const struct hierarchy *hierarchy, const struct topo *topo, int a, int b)
{
	int tier = 0;

	while (tier < hierarchy->ntiers && topo_domain(topo, a, tier) != topo_domain(topo, b, tier))
		tier++;
	return hierarchy->distance[tier];
}

static int mapping(void *state, const struct link_loads *loads, struct metric_sink *sink,
		   struct err *err)
{
	const struct comm *comm = loads->comm;
	const int *node_of = loads->mapping->node_of;
	double cost = 0;

	(void)err;
	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			int a = node_of[r], b = node_of[comm->peer[e]];

			if (a != b)
				cost += comm->bytes[e] * distance_of(state, loads->topo, a, b);
		}
	metric_put(sink, outputs[0].name, outputs[0].unit, cost, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_mapping, NULL};

const struct metric metric_hierarchy_cost = {
	.entry = {.name = "hierarchy-cost",
		  .example = "hierarchy-cost:distances=1x10x100",
		  .summary = "bytes times distances in the hierarchy of the machine",
		  .paper = "Schulz, Träff: Better Process Mapping and Sparse Quadratic Assignment",
		  .params =
			  (const struct param[]){
				  {.key = "distances",
				   .type = PARAM_SIZES,
				   .min = 1,
				   .max = 1000000,
				   .optional = true,
				   .meaning = "of two nodes of one router, of one domain of the "
					      "next tier, and so on; the last one also of all "
					      "that are farther apart; default: 1x10x100 …"},
				  {0}}},
	.kinds = kinds,
	.needs = METRIC_LOADS,
	.only_when_asked = true,
	.outputs = outputs,
	.open = hierarchy_cost_open,
	.mapping = mapping,
	.close = free,
};
