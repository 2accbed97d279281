/* per.c - some nodes of each router, group or pod, or of every few */
#include <stdlib.h>

#include "machine/io/io_placement.h"

/* The last nodes of each domain, in label order; every=2: of the second, fourth, … domain. */
static int place(const struct topo *topo, const struct pick *pick, int_vec *nodes, int *at_level,
		 struct err *err)
{
	int tier = io_placement_tier(topo, pick, err);
	int64_t count = pick_int(pick, "count"), every = pick_int(pick, "every");
	int *left;

	(void)at_level;
	if (tier < 0)
		return -1;
	left = xcalloc((size_t)topo->tiers[tier].n, sizeof(*left));
	for (int node = 0; node < topo->nnodes; node++)
		left[topo_domain(topo, node, tier)]++;
	for (int node = 0; node < topo->nnodes; node++) {
		int domain = topo_domain(topo, node, tier);

		if (left[domain]-- <= count && domain % every == every - 1)
			vec_push(nodes, node);
	}
	free(left);
	return 0;
}

const struct io_placement io_placement_per = {
	.entry =
		{
			.name = "per",
			.example = "per:tier=router",
			.summary =
				"the last nodes of each router, or of each domain of another tier",
			.params = (const struct param[]){IO_PLACEMENT_TIER,
							 {.key = "count",
							  .type = PARAM_INT,
							  .min = 1,
							  .max = 1 << 26,
							  .def = "1",
							  .unit = "nodes",
							  .meaning = "of each"},
							 {.key = "every",
							  .type = PARAM_INT,
							  .min = 1,
							  .max = 1 << 26,
							  .def = "1",
							  .meaning = "2: only of every second one"},
							 IO_PLACEMENT_PARAMS,
							 {0}},
		},
	.place = place,
};
