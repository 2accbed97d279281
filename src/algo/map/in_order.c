/* in_order.c - ranks in order, nodes in order, each node filled before the next */
#include "algo/map/map.h"

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	int node = 0, nthere = 0;

	(void)parts, (void)pick, (void)err;
	for (int rank = 0; rank < in->comm->nranks; rank++) {
		while (nthere == in->room[node]) {
			node++;
			nthere = 0;
		}
		node_of[rank] = node;
		nthere++;
	}
	return 0;
}

const struct map_policy map_policy_in_order = {
	.entry =
		{
			.name = "in-order",
			.aliases = "block",
			.example = "in-order",
			.summary =
				"ranks in order, nodes in order, each node filled before the next",
		},
	.refine = "none",
	.run = run,
};
