/* in_order.c - ranks (or parts) in order, nodes in order, each node filled before the next */
#include "map/problem/problem.h"

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	int node = 0, nthere = 0;

	(void)pick, (void)err;
	/* parts are sized by the rooms of the nodes that have any, in their order */
	for (int part = 0; parts != NULL && part < parts->nparts; node++)
		if (in->room[node] > 0)
			node_of[part++] = node;
	if (parts != NULL)
		return 0;
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
			.summary = "ranks, or the parts of --partition, in order; each "
				   "node is filled before the next",
		},
	.partition = "block",
	.refine = "none",
	.keeps_cores = true,
	.run = run,
};
