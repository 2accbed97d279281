/* convex_switched.c - convex sets where routers have several nodes: routers, groups, subtrees */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/convex.h"

/* Idle nodes of a router, appended; returns their number. */
static int idle_of(const struct space *space, const struct search *search, int router,
		   int_vec *nodes)
{
	size_t before = nodes->n;

	for (int k = space->first_node[router]; k < space->first_node[router + 1]; k++)
		if (machine_is_idle(search->machine, space->node[k]))
			vec_push(nodes, space->node[k]);
	return (int)(nodes->n - before);
}

int convex_routers(const struct space *space, struct search *search)
{
	int_vec nodes = {0};
	int end = SEARCH_ALL;

	for (int r = 0; r < space->topo->nrouters && end == SEARCH_ALL; r++) {
		nodes.n = 0;
		if (idle_of(space, search, r, &nodes) >= search->wanted)
			end = search_any(search, nodes.at, (int)nodes.n);
	}
	free(nodes.at);
	return end;
}

int convex_adaptive(const struct space *space, struct search *search)
{
	int_vec nodes = {0};
	int end = SEARCH_ALL, ncompute = 0;

	for (int r = 0; r < space->topo->nrouters && end == SEARCH_ALL; r++) {
		bool stays = true;

		nodes.n = 0;
		if (idle_of(space, search, r, &nodes) < search->wanted)
			continue;
		for (size_t i = 0; i < nodes.n && search->wanted > 1; i++)
			for (size_t k = 0; k < i; k++)
				stays = stays &&
					route_hops(space->routing, nodes.at[i], nodes.at[k]) == 2 &&
					route_hops(space->routing, nodes.at[k], nodes.at[i]) == 2;
		if (stays)
			end = search_any(search, nodes.at, (int)nodes.n);
	}
	nodes.n = 0;
	for (int r = 0; r < space->topo->nrouters; r++) {
		idle_of(space, search, r, &nodes);
		ncompute += space->ncompute[r];
	}
	if (end == SEARCH_ALL && search->wanted > 1 && search->wanted == ncompute)
		end = search_any(search, nodes.at, (int)nodes.n);
	free(nodes.at);
	return end;
}

int convex_subtrees(const struct space *space, struct search *search)
{
	const struct topo *topo = space->topo;
	int end = SEARCH_ALL;

	for (int tier = 1; tier <= topo->ntiers && end == SEARCH_ALL; tier++) {
		int ndomains = tier < topo->ntiers ? topo->tiers[tier].n : 1;
		int_vec *nodes = xcalloc((size_t)ndomains, sizeof(*nodes));
		bool *is_idle = xcalloc((size_t)ndomains, sizeof(*is_idle));

		memset(is_idle, true, (size_t)ndomains);
		for (int node = 0; node < topo->nnodes; node++) {
			int d = tier < topo->ntiers ? topo_domain(topo, node, tier) : 0;

			if (!space->computes[node])
				continue;
			is_idle[d] = is_idle[d] && machine_is_idle(search->machine, node);
			vec_push(&nodes[d], node);
		}
		for (int d = 0; d < ndomains; d++) {
			/* what is no more than one leaf was visited with the routers */
			if (end == SEARCH_ALL && is_idle[d] &&
			    nodes[d].n == (size_t)search->wanted &&
			    topo->router_of[nodes[d].at[0]] !=
				    topo->router_of[nodes[d].at[nodes[d].n - 1]])
				end = search_exact(search, nodes[d].at);
			free(nodes[d].at);
		}
		free(nodes);
		free(is_idle);
	}
	return end;
}

/* Whether the routers of a group are all next to each other. */
static bool is_complete(const struct space *space, const int *group_of, int first, int last)
{
	for (int r = first; r <= last; r++) {
		int nnext = 0;

		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++)
			nnext += group_of[space->peer[k]] == group_of[r];
		if (nnext != last - first)
			return false;
	}
	return true;
}

int convex_groups(const struct space *space, struct search *search)
{
	const struct topo *topo = space->topo;
	const int *group_of = topo->ntiers > 1 ? topo->tiers[1].of : NULL;
	int per = space->ncompute[0], end = SEARCH_ALL, first = 0;
	int_vec nodes = {0};

	if (!space->is_direct || per == 0 || search->wanted % per != 0 || search->wanted == per)
		return SEARCH_ALL;
	for (int r = 0; r < topo->nrouters && end == SEARCH_ALL; r++) {
		size_t before = nodes.n;
		bool is_last = r + 1 == topo->nrouters ||
			       (group_of != NULL && group_of[r + 1] != group_of[r]);

		if (space->ncompute[r] != per || idle_of(space, search, r, &nodes) != per)
			nodes.n = before;
		if (!is_last)
			continue;
		if (group_of == NULL
			    ? space->first_peer[r + 1] - space->first_peer[r] == topo->nrouters - 1
			    : is_complete(space, group_of, first, r))
			end = search_units(search, nodes.at, (int)nodes.n / per, per);
		nodes.n = 0;
		first = r + 1;
	}
	free(nodes.at);
	return end;
}
