/* level_spread.c - the smallest level that has room, and there spread over its children */
#include <stdlib.h>

#include "place/policy/policy.h"

/* The domain of a tier with most idle nodes, the lowest among equals. */
static int emptiest(const struct machine *machine, int tier)
{
	const int *nidle = machine->nidle_of[tier];
	int best = 0;

	if (tier == 0) {
		for (int n = machine->most;; n--) {
			int router = machine_router_with(machine, n, 0);

			if (router >= 0)
				return router;
		}
	}
	for (int d = 1; d < machine->ndomains[tier]; d++)
		if (nidle[d] > nidle[best])
			best = d;
	return best;
}

/* One idle node of each router of each group in turn, the routers of a group in turn too. */
static void spread_over_routers(const struct alloc_request *request, int_vec *nodes)
{
	struct machine *machine = request->machine;
	int tier = machine->ntiers - 1, ngroups = machine->ndomains[tier];
	int *turn = xcalloc((size_t)ngroups, sizeof(*turn));

	while (nodes->n < (size_t)request->job->nnodes)
		for (int g = 0; g < ngroups && nodes->n < (size_t)request->job->nnodes; g++) {
			const int *child = &machine->member[tier][machine->first[tier][g]];
			int nchildren = machine->first[tier][g + 1] - machine->first[tier][g];

			if (machine->nidle_of[tier][g] == 0)
				continue;
			while (machine->nidle_of[tier - 1][child[turn[g] % nchildren]] == 0)
				turn[g]++;
			alloc_take(
				request,
				alloc_first_idle(machine, tier - 1, child[turn[g]++ % nchildren]),
				nodes);
		}
	free(turn);
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	int wanted = request->job->nnodes, top = machine->ntiers - 1;

	(void)err;
	for (int tier = 0; tier < machine->ntiers; tier++) {
		int domain = emptiest(machine, tier);

		if (machine->nidle_of[tier][domain] < wanted)
			continue;
		buf_printf(reason, "level %s %d", alloc->topo->tiers[tier].name, domain);
		if (tier == 0)
			alloc_take_router(request, domain, nodes);
		else
			alloc_round_robin(request, tier - 1, machine->first[tier][domain],
					  machine->first[tier][domain + 1], machine->member[tier],
					  nodes);
		return 1;
	}
	buf_str(reason, "level machine");
	if (top > 0 && pick_is(alloc->pick, "machine", "routers"))
		spread_over_routers(request, nodes);
	else
		alloc_round_robin(request, top, 0, machine->ndomains[top], NULL, nodes);
	return 1;
}

const struct alloc_policy alloc_policy_level_spread = {
	.entry =
		{
			.name = "level-spread",
			.example = "level-spread",
			.summary = "the smallest level that can hold the job (router, "
				   "group, machine): its subtree with the most idle "
				   "nodes, round robin over the children",
			.paper = "Zhang et al., Level-Spread, §III",
			.params =
				(const struct param[]){
					{.key = "machine",
					 .type = PARAM_WORD,
					 .choices = "nodes|routers",
					 .def = "nodes",
					 .meaning = "on the whole machine: the first idle "
						    "node of each group in turn, or also the "
						    "routers of a group in turn"},
					{0}},
		},
	.choose = choose,
};
