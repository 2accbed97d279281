/* whole.c - all nodes of some routers, groups or pods */
#include "machine/io/io_placement.h"

/* The last domains that have nodes, in label order. */
static int place(const struct topo *topo, const struct pick *pick, int_vec *nodes, int *at_level,
		 struct err *err)
{
	int tier = io_placement_tier(topo, pick, err), domain = -1;
	int64_t count = pick_int(pick, "count");

	(void)at_level;
	if (tier < 0)
		return -1;
	for (int node = topo->nnodes - 1; node >= 0; node--) {
		if (topo_domain(topo, node, tier) != domain) {
			domain = topo_domain(topo, node, tier);
			if (count-- == 0)
				break;
		}
		vec_push(nodes, node);
	}
	if (count > 0)
		return err_set(err, "%s has %lld fewer domains of the tier '%s'", topo->name,
			       (long long)count, pick_word(pick, "tier"));
	for (size_t i = 0; i < nodes->n / 2; i++) { /* in label order */
		int other = nodes->at[nodes->n - 1 - i];

		nodes->at[nodes->n - 1 - i] = nodes->at[i];
		nodes->at[i] = other;
	}
	return 0;
}

const struct io_placement io_placement_whole = {
	.entry =
		{
			.name = "whole",
			.example = "whole:tier=router,count=2",
			.summary = "all nodes of the last routers, or of the "
				   "last domains of another tier",
			.params = (const struct param[]){IO_PLACEMENT_TIER,
							 {.key = "count",
							  .type = PARAM_INT,
							  .min = 1,
							  .max = 1 << 26,
							  .def = "1",
							  .meaning = "domains"},
							 IO_PLACEMENT_PARAMS,
							 {0}},
		},
	.place = place,
};
