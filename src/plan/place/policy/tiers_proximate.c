/* tiers_proximate.c - the lowest domain of a machine that has room for a job */
#include "place/policy/tiers_near.h"

/* The domain of a tier with the fewest idle nodes, but at least n; the lowest among
 * equals; -1: none. */
static int fitting(const struct machine *machine, int tier, int wanted)
{
	const int *nidle = machine->nidle_of[tier];
	int best = -1;

	if (tier == 0) {
		for (int n = wanted; n <= machine->most && best < 0; n++)
			best = machine_router_with(machine, n, 0);
		return best;
	}
	for (int d = 0; d < machine->ndomains[tier]; d++)
		if (nidle[d] >= wanted && (best < 0 || nidle[d] < nidle[best]))
			best = d;
	return best;
}

/* In label order: tier by tier downwards. */
static void take_below(const struct alloc_request *request, int tier, int domain, int_vec *nodes)
{
	const struct machine *machine = request->machine;

	if (tier == 0) {
		alloc_take_router(request, domain, nodes);
		return;
	}
	for (int i = machine->first[tier][domain];
	     i < machine->first[tier][domain + 1] && nodes->n < (size_t)request->job->nnodes; i++)
		if (machine->nidle_of[tier - 1][machine->member[tier][i]] > 0)
			take_below(request, tier - 1, machine->member[tier][i], nodes);
}

void tiers_proximate(const struct alloc_request *request, int_vec *nodes, struct buf *reason)
{
	struct machine *machine = request->machine;
	int node = -1;

	for (int tier = 0; tier < machine->ntiers; tier++) {
		int domain = fitting(machine, tier, request->job->nnodes);

		if (domain < 0)
			continue;
		buf_printf(reason, "level %s %d", machine->topo->tiers[tier].name, domain);
		take_below(request, tier, domain, nodes);
		return;
	}
	buf_str(reason, "level machine");
	while (nodes->n < (size_t)request->job->nnodes) {
		node = bitset_next(&machine->idle, node + 1);
		alloc_take(request, node, nodes);
	}
}
