/* rrn.c - round robin over the groups, one node each */
#include "place/policy/policy.h"

static int rrn_open(struct alloc *alloc, struct err *err)
{
	return alloc_group_tier(alloc, err) < 0 ? -1 : 0;
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	(void)reason, (void)err;
	alloc_round_robin(request, alloc->topo->ntiers - 1, 0,
			  alloc->topo->tiers[alloc->topo->ntiers - 1].n, NULL, nodes);
	return 1;
}

const struct alloc_policy alloc_policy_rrn = {
	.entry =
		{
			.name = "rrn",
			.example = "rrn",
			.summary = "round robin over the groups, starting from the first "
				   "for every job: the first idle node of each",
			.paper = "Zhang et al., Level-Spread, §IV",
		},
	.open = rrn_open,
	.choose = choose,
};
