/* own_routes.c - how many routes between a job's nodes stay where only the job computes */
#include "measure/metric/own_routes.h"

#include <stdlib.h>

#include "machine/route/routing.h"

static void open_tree(struct own_routes *own)
{
	const struct topo *topo = own->geometry->topo;
	int ntiers = topo->ntiers;

	for (int t = 0; t <= ntiers; t++)
		own->ncompute[t] = xcalloc(t < ntiers ? (size_t)topo->tiers[t].n : 1, sizeof(int));
	for (int router = 0; router < topo->nrouters; router++)
		for (int t = 0, domain = router; domain >= 0 && t <= ntiers; t++) {
			domain = t == 0 ? router : t == ntiers ? 0 : topo->tiers[t].of[domain];
			if (domain >= 0)
				own->ncompute[t][domain] += own->geometry->ncompute[router];
		}
	own->nnodes = xcalloc((size_t)topo->nrouters, sizeof(*own->nnodes));
	own->nlower = xcalloc((size_t)topo->nrouters, sizeof(*own->nlower));
}

void own_routes_open(struct own_routes *own, struct geometry *geometry)
{
	struct topo *topo = geometry->topo;

	*own = (struct own_routes){.geometry = geometry};
	job_routers_open(&own->routers, topo);
	own->is_by_router = own->routers.is_of_routers &&
			    geometry->routing->type->detour == DETOUR_NONE &&
			    !geometry->routing->type->is_by_pair;
	own->is_closed = own->is_by_router && routing_is_closed(geometry->routing) &&
			 topo->type->distance != NULL && topo->type->next != NULL;
	own->is_open = xcalloc((size_t)topo->nrouters, sizeof(*own->is_open));
	if (own->is_closed && topo->type->is_tree)
		open_tree(own);
}

void own_routes_close(struct own_routes *own)
{
	if (own->geometry == NULL)
		return;
	job_routers_close(&own->routers);
	free(own->is_open);
	for (int t = 0; t <= TOPO_LEVELS; t++)
		free(own->ncompute[t]);
	free(own->nnodes);
	free(own->nlower);
	free(own->domains.at);
	free(own->above.at);
	free(own->nodes.at);
}

int geometry_escapes(struct geometry *geometry, int a, int b)
{
	geometry->path.n = 0;
	if (route_path(geometry->routing, a, b, &geometry->path) < 0)
		return -1;
	for (size_t i = 0; i + 1 < geometry->path.n && geometry->path.n > 2; i++)
		if (geometry_router(geometry, geometry_router_at(geometry, geometry->path.at[i])) ==
		    ROUTER_FOREIGN)
			return 1;
	return 0;
}

/* ---- trees: the highest switch of a route has all others below it ---- */

/* Pairs of nodes in different domains of one tier below: all escape, or none. */
static int64_t climb(struct own_routes *own, int tier, int64_t *nnodes_of)
{
	const struct topo *topo = own->geometry->topo;
	int64_t nescaping = 0;

	own->above.n = 0;
	for (size_t i = 0; i < own->domains.n; i++) {
		int below = own->domains.at[i];
		int domain = tier < topo->ntiers ? topo->tiers[tier].of[below] : 0;

		if (own->nnodes[domain] == 0)
			vec_push(&own->above, domain);
		own->nnodes[domain] += nnodes_of[i];
		own->nlower[domain] += nnodes_of[i] * nnodes_of[i];
	}
	own->domains.n = 0;
	for (size_t i = 0; i < own->above.n; i++) {
		int domain = own->above.at[i];
		int64_t n = own->nnodes[domain];

		if (n < own->ncompute[tier][domain])
			nescaping += n * n - own->nlower[domain];
		vec_push(&own->domains, domain);
		nnodes_of[i] = n;
		own->nnodes[domain] = own->nlower[domain] = 0;
	}
	return nescaping;
}

static int64_t count_on_tree(struct own_routes *own, const struct router_counts *counts)
{
	int64_t *nnodes_of = xmalloc(((size_t)counts->n + 1) * sizeof(*nnodes_of)), nescaping = 0;

	own->domains.n = 0;
	for (int i = 0; i < counts->n; i++) {
		vec_push(&own->domains, counts->routers[i]);
		nnodes_of[i] = counts->count_of[counts->routers[i]];
	}
	for (int tier = 1; tier <= own->geometry->topo->ntiers; tier++)
		nescaping += climb(own, tier, nnodes_of);
	free(nnodes_of);
	return nescaping;
}

/* ---- others ---- */

static bool count_closed(struct own_routes *own, const struct router_counts *counts, int64_t napart,
			 int64_t *nescaping)
{
	const struct topo *topo = own->geometry->topo;
	uint64_t nwithin;

	if (own->ncompute[0] != NULL) {
		*nescaping = count_on_tree(own, counts);
		return true;
	}
	if (topo->type->within == NULL)
		return false;
	for (int router = 0; router < topo->nrouters; router++)
		own->is_open[router] = geometry_router(own->geometry, router) != ROUTER_FOREIGN;
	if (!topo->type->within(topo, counts, own->is_open, &nwithin))
		return false;
	*nescaping = napart - (int64_t)nwithin;
	return true;
}

/* From one node of each router to each node, or from each node. */
static struct route_counts count_each(struct own_routes *own, const struct node_ranges *nodes,
				      const struct router_counts *counts)
{
	struct route_counts found = {0};
	int nnodes = (int)nodes->nnodes, nfrom = own->is_by_router ? counts->n : nnodes;
	const int *from;

	own->nodes.n = 0;
	for (int i = 0; i < nnodes; i++)
		vec_push(&own->nodes, 0);
	node_ranges_list(nodes, own->nodes.at);
	from = own->is_by_router ? own->routers.nodes.at : own->nodes.at;
	for (int i = 0; i < nfrom; i++) {
		int router = own->geometry->topo->router_of[from[i]];

		for (int k = 0; k < nnodes; k++) {
			int b = own->nodes.at[k], escapes;
			bool is_here =
				own->is_by_router && own->geometry->topo->router_of[b] == router;
			int64_t n = own->is_by_router ? counts->count_of[router] - is_here : 1;

			if (is_here || b == from[i])
				escapes = 0;
			else
				escapes = geometry_escapes(own->geometry, from[i], b);
			n = !own->is_by_router && b == from[i] ? 0 : n;
			found.nroutes += escapes >= 0 ? n : 0;
			found.nescaping += escapes > 0 ? n : 0;
		}
	}
	return found;
}

static bool has_only_compute_nodes(const struct own_routes *own, const struct node_ranges *nodes)
{
	for (size_t i = 0; i < nodes->of.n; i++)
		for (int node = nodes->of.at[i].first; node <= nodes->of.at[i].last; node++)
			if (!geometry_computes(own->geometry, node))
				return false;
	return true;
}

struct route_counts own_routes_count(struct own_routes *own, const struct node_ranges *nodes)
{
	struct router_counts counts = job_routers_of(&own->routers, nodes);
	int64_t nall = nodes->nnodes * (nodes->nnodes - 1), nhere = 0, nescaping;

	for (int i = 0; i < counts.n; i++)
		nhere += (int64_t)counts.count_of[counts.routers[i]] *
			 (counts.count_of[counts.routers[i]] - 1);
	/* going through all routers of the machine does not pay for a few routes */
	if (own->is_closed && has_only_compute_nodes(own, nodes) &&
	    (own->ncompute[0] != NULL ||
	     counts.n * nodes->nnodes > own->geometry->topo->nrouters) &&
	    count_closed(own, &counts, nall - nhere, &nescaping))
		return (struct route_counts){nall, nescaping};
	return count_each(own, nodes, &counts);
}
