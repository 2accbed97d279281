/* policy.c - what allocation policies share */
#include "place/policy/policy.h"

#include <stdlib.h>

int alloc_open(struct alloc *alloc, const struct pick *pick, struct topo *topo,
	       bool accepts_partial, struct err *err)
{
	*alloc = (struct alloc){.policy = (const struct alloc_policy *)pick->entry,
				.pick = pick,
				.topo = topo,
				.accepts_partial = accepts_partial};
	if (alloc->policy->open != NULL && alloc->policy->open(alloc, err) != 0) {
		alloc_close(alloc);
		return -1;
	}
	return 0;
}

void alloc_close(struct alloc *alloc)
{
	if (alloc->policy != NULL && alloc->policy->close != NULL)
		alloc->policy->close(alloc);
	*alloc = (struct alloc){0};
}

int alloc_choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		 struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	size_t mark = machine_mark(machine);
	int status;

	nodes->n = 0;
	buf_clear(reason);
	if (request->job->nnodes > machine->nidle) {
		buf_printf(reason, "%d nodes requested, %d idle", request->job->nnodes,
			   machine->nidle);
		return 0;
	}
	if (request->is_trial) {
		alloc->policy->first(alloc, machine->idle.level[0], request->job->nnodes, nodes);
		return 1;
	}
	status = alloc->policy->choose(alloc, request, nodes, reason, err);
	if (status != 1) {
		machine_undo(machine, mark);
		nodes->n = 0;
	}
	return status;
}

void alloc_restart(struct alloc *alloc)
{
	if (alloc->policy->restart != NULL)
		alloc->policy->restart(alloc);
}

void alloc_placed(struct alloc *alloc, const struct alloc_request *request, const int_vec *nodes)
{
	if (alloc->policy->placed != NULL)
		alloc->policy->placed(alloc, request, nodes);
}

void alloc_take_router(const struct alloc_request *request, int router, int_vec *nodes)
{
	size_t first = nodes->n;

	machine_idle_of_router(request->machine, router, request->job->nnodes - (int)first, nodes);
	machine_take_all(request->machine, &nodes->at[first], nodes->n - first);
}

int alloc_first_idle(const struct machine *machine, int tier, int domain)
{
	if (machine->nidle_of[tier][domain] == 0)
		return -1;
	for (; tier > 0; tier--) {
		const int *child = &machine->member[tier][machine->first[tier][domain]];

		while (machine->nidle_of[tier - 1][*child] == 0)
			child++;
		domain = *child;
	}
	for (const int *node = &machine->member[0][machine->first[0][domain]];; node++)
		if (machine_is_idle(machine, *node))
			return *node;
}

void alloc_round_robin(const struct alloc_request *request, int tier, int from, int to,
		       const int *child, int_vec *nodes)
{
	size_t wanted = (size_t)request->job->nnodes;

	while (nodes->n < wanted)
		for (int i = from; i < to && nodes->n < wanted; i++) {
			int node = alloc_first_idle(request->machine, tier,
						    child != NULL ? child[i] : i);

			if (node >= 0)
				alloc_take(request, node, nodes);
		}
}

struct alloc_rng alloc_rng(const struct alloc_request *request, const char *purpose)
{
	return (struct alloc_rng){
		.rng = rng_make(request->seed, purpose, request->job->run, request->job->name),
		.request = request,
	};
}

uint64_t alloc_draw(struct alloc_rng *rng, uint64_t n)
{
	if (rng->request->draw != NULL)
		return rng->request->draw(rng->request->draw_context, n);
	return rng_below(&rng->rng, n);
}

int *alloc_domains_with_nodes(const struct topo *topo, int tier, int *n)
{
	int *has = xcalloc((size_t)topo->tiers[tier].n, sizeof(*has)), *domains;

	for (int node = 0; node < topo->nnodes; node++)
		has[topo_domain(topo, node, tier)] = 1;
	domains = xmalloc((size_t)topo->tiers[tier].n * sizeof(*domains));
	*n = 0;
	for (int d = 0; d < topo->tiers[tier].n; d++)
		if (has[d])
			domains[(*n)++] = d;
	free(has);
	return domains;
}

int alloc_group_tier(const struct alloc *alloc, struct err *err)
{
	if (alloc->topo->ntiers < 2)
		return err_set(err, "%s: the routers of %s are in no groups",
			       alloc->policy->entry.name, alloc->topo->name);
	return alloc->topo->ntiers - 1;
}
