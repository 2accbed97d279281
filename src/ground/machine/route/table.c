/* table.c - the routes that the machine has set up: its own forwarding tables */
#include "machine/route/routing.h"
#include "model/topo_routes.h"

static int open_table(struct routing *routing, struct err *err)
{
	if (routing->topo->routes == NULL)
		return err_set(err, "table: the machine has no routes of its own: topogen --routes "
				    "gives it those of its switches");
	return 0;
}

/* The cables at both ends with the shortest path between them; of as many the lowest. Returns its
 * links between routers, or -1. */
static int choose(struct topo *topo, int node_a, int node_b, int64_t *up, int64_t *end)
{
	const struct topo_graph *graph = topo_graph(topo);
	int best = -1;

	for (int64_t i = graph->first[node_a]; i < graph->first[node_a + 1]; i++)
		for (int64_t e = graph->first[node_b]; e < graph->first[node_b + 1]; e++) {
			int hops = topo_routes_hops(topo, graph->peer[i] - topo->nnodes, e);

			if (hops < 0 || (best >= 0 && hops >= best))
				continue;
			best = hops;
			*up = i;
			*end = e;
		}
	return best;
}

static int hops_table(struct routing *routing, int node_a, int node_b)
{
	int64_t up, end;
	int hops = choose(routing->topo, node_a, node_b, &up, &end);

	return hops < 0 ? -1 : hops + 2;
}

static int path_table(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	struct topo *topo = routing->topo;
	int64_t up, end;
	int hops = choose(topo, node_a, node_b, &up, &end);
	int router;

	if (hops < 0)
		return -1;
	vec_push(path, topo->graph->channel[up]);
	router = topo->graph->peer[up] - topo->nnodes;
	for (int i = 0; i <= hops; i++) { /* the last one is down to the node */
		int32_t channel = topo_routes_next(topo, router, end);
		const struct topo_link *link = &topo->graph->links[channel / 2];

		vec_push(path, channel);
		router = (channel % 2 == 0 ? link->b : link->a) - topo->nnodes;
	}
	return hops + 2;
}

const struct routing_type routing_type_table = {
	.entry =
		{
			.name = "table",
			.summary = "the machine's forwarding tables, as read by topogen "
				   "--routes",
			.example = "table",
		},
	.minimal = MINIMAL_TABLE,
	.open = open_table,
	.hops = hops_table,
	.path = path_table,
};
