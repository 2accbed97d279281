/* rrr.c - round robin over the groups, one router each */
#include "place/policy/policy.h"

static int rrr_open(struct alloc *alloc, struct err *err)
{
	return alloc_group_tier(alloc, err) < 0 ? -1 : 0;
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	int tier = alloc->topo->ntiers - 1;
	size_t wanted = (size_t)request->job->nnodes;

	(void)reason, (void)err;
	while (nodes->n < wanted)
		for (int group = 0; group < machine->ndomains[tier] && nodes->n < wanted; group++) {
			int node = alloc_first_idle(machine, tier, group);

			if (node >= 0)
				alloc_take_router(request, machine->domain_of[0][node], nodes);
		}
	return 1;
}

const struct alloc_policy alloc_policy_rrr = {
	.entry =
		{
			.name = "rrr",
			.example = "rrr",
			.summary = "round robin over the groups, starting from the first "
				   "for every job: all idle nodes of the first router "
				   "that has any",
			.paper = "Zhang et al., Level-Spread, §IV",
		},
	.open = rrr_open,
	.choose = choose,
};
