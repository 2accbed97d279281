/* table_detours.c - detours by domains, where they play the part of a dragonfly's groups */
#include "sim/network/table_ways.h"

/* A random one of the domain's nodes whose routers are nearest; NOBODY: there is no route. */
static int32_t draw_nearest(struct net *net, const struct tables *tables, int router,
			    const struct packet *packet, int domain, int draw)
{
	const struct domains *domains = &tables->domains;
	const struct domain_run *runs = domains->runs + domains->first_run[domain];
	int32_t n = domains->first_run[domain + 1] - domains->first_run[domain];
	int nearest = NO_WAY, nnearest = 0, number;

	for (int32_t i = 0; i < n; i++) {
		int hops = tables_hops(net, tables, router, runs[i].router);

		if (hops < nearest) {
			nearest = hops;
			nnearest = 0;
		}
		nnearest += hops == nearest ? runs[i].nnodes : 0;
	}
	if (nearest == NO_WAY)
		return NOBODY;
	number = (int)net_draw(net, packet->detour, draw, (uint32_t)nnearest);
	for (int32_t i = 0; i < n; i++) {
		if (tables_hops(net, tables, router, runs[i].router) != nearest)
			continue;
		if (number < runs[i].nnodes)
			return domains->nodes[runs[i].first + number];
		number -= runs[i].nnodes;
	}
	return NOBODY;
}

/* By a random domain, or within one by a random router of it; NOBODY: there is none. */
int32_t tables_draw_by_domain(struct net *net, const struct tables *tables, int router,
			      const struct packet *packet)
{
	const struct domains *domains = &tables->domains;
	int from = domains->of[router], to = domains->of[packet->router];
	int32_t first = domains->first[from];

	if (from == to)
		return domains
			->nodes[first +
				(int32_t)net_draw(net, packet->detour, 0,
						  (uint32_t)(domains->first[from + 1] - first))];
	if (domains->n < 3)
		return NOBODY;
	return draw_nearest(net, tables, router, packet,
			    net_draw_beside(net, packet->detour, 0, domains->n, from, to), 1);
}

/*
 * From a router without nodes, such as a spine, on which no minimal path begins: by the domain at
 * the other end of a random one of its links to others, so that the path does not turn back into
 * the domain that it is leaving.
 */
int32_t tables_draw_ahead(struct net *net, const struct tables *tables, int router,
			  const struct packet *packet, int number)
{
	const struct topo_graph *graph = net->plan.graph;
	const int *of = tables->domains.of;
	int nnodes = net->plan.topo->nnodes, n = 0, drawn;
	int64_t first = graph->first[nnodes + router], end = graph->first[nnodes + router + 1];

	for (int64_t i = first; i < end; i++)
		n += of[graph->peer[i] - nnodes] >= 0 && of[graph->peer[i] - nnodes] != of[router];
	if (n == 0)
		return NOBODY;
	drawn = (int)net_draw(net, packet->detour, 2 * number, (uint32_t)n);
	for (int64_t i = first; i < end; i++) {
		int domain = of[graph->peer[i] - nnodes];

		if (domain >= 0 && domain != of[router] && drawn-- == 0)
			return domain == of[packet->router]
				       ? NOBODY
				       : draw_nearest(net, tables, router, packet, domain,
						      2 * number + 1);
	}
	return NOBODY;
}
