/* leaf_round_robin.c - ranks in turn over the nodes of a leaf switch, leaf after leaf */
#include "map/problem/problem.h"
#include "model/leaf_ranks.h"

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	(void)parts, (void)pick, (void)err;
	leaf_ranks(in->topo, in->nodes, in->room, in->nnodes, in->comm->nranks, node_of);
	return 0;
}

const struct map_policy map_policy_leaf_round_robin = {
	.entry =
		{
			.name = "leaf-round-robin",
			.example = "leaf-round-robin",
			.summary = "ranks in turn over the nodes of one leaf switch until it is "
				   "full, then the next leaf",
			.paper = "Khetawat 2022, ch. 3 (as CODES maps servers to NICs)",
		},
	.refine = "none",
	.keeps_cores = true,
	.run = run,
};
