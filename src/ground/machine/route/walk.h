/* walk.h - routes by the closed forms of the network, and the ends of routes at nodes */
#ifndef MACHINE_ROUTE_WALK_H
#define MACHINE_ROUTE_WALK_H

#include "machine/route/routing.h"

/* Closed form: the type has distance and next. Directed links, host links included; or -1. */
int walk_hops(const struct topo *topo, int node_a, int node_b);
int walk_path(struct topo *topo, int node_a, int node_b, int_vec *path);

/*
 * The cables by which a route leaves node_a and reaches node_b: of those between which distance
 * (between two routers; -1: none) is least, the one that the destination's number picks among as
 * many, first at the source, then at the destination. Returns that distance, or -1.
 */
typedef int walk_distance_fn(void *context, int router_a, int router_b);
struct walk_ends {
	int up, down; /* channels: node_a to router_a, router_b to node_b */
	int router_a, router_b;
};
int walk_ends(struct topo *topo, int node_a, int node_b, walk_distance_fn *distance, void *context,
	      struct walk_ends *ends);
/*
 * The same where the two cables have weights by their levels [nlevels] (NULL: walk_ends): of those
 * for which the sum over all links of the route is least, where a link between routers counts as
 * the heavier of the two cables.
 */
int walk_ends_weighed(struct topo *topo, int node_a, int node_b, walk_distance_fn *distance,
		      void *context, const int *weights, struct walk_ends *ends);

/* Where the channels from vertex v to vertex w begin among graph->channel, and their number. */
int64_t walk_cables(const struct topo_graph *graph, int v, int w, int *n);

/* Closed form: where the channel from router towards the router `to` of node stands in the graph;
 * *next: the router that it leads to. */
static inline int64_t walk_next(const struct topo *topo, int router, int to, int node, int *next)
{
	const struct topo_graph *graph = topo->graph;
	int cable, ncables;

	*next = topo->type->next(topo, router, to, node, &cable);
	if (topo->type->port != NULL && topo->nrouters >= topo->type->port_pays_from)
		return graph->first[topo->nnodes + router] + topo->type->port(topo, router, *next) +
		       cable;
	return walk_cables(graph, topo->nnodes + router, topo->nnodes + *next, &ncables) + cable;
}

#endif
