/* walk.c - routes by the closed forms of the network, and the ends of routes at nodes */
#include "algo/route/walk.h"

int64_t walk_cables(const struct topo_graph *graph, int v, int w, int *n)
{
	int64_t low = graph->first[v], high = graph->first[v + 1], end = high;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (graph->peer[middle] < w)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < end && graph->peer[high] == w;)
		high++;
	*n = (int)(high - low);
	return low;
}

/* The best distance from router_a to any router of node_b, and how many cables of it have that;
 * with wanted ≥ 0 also the channel (of node_b to its router) of that number among them. */
static int best_end(struct topo *topo, int router_a, int node_b, walk_distance_fn *distance,
		    void *context, int wanted, int *nbest, int64_t *chosen)
{
	const struct topo_graph *graph = topo_graph(topo);
	int best = -1;

	*nbest = 0;
	for (int64_t i = graph->first[node_b]; i < graph->first[node_b + 1]; i++) {
		int hops = distance(context, router_a, graph->peer[i] - topo->nnodes);

		if (hops < 0 || (best >= 0 && hops > best))
			continue;
		if (best < 0 || hops < best)
			*nbest = 0;
		best = hops;
		if ((*nbest)++ == wanted)
			*chosen = i;
	}
	return best;
}

int walk_ends(struct topo *topo, int node_a, int node_b, walk_distance_fn *distance, void *context,
	      struct walk_ends *ends)
{
	const struct topo_graph *graph = topo_graph(topo);
	int64_t first = graph->first[node_a], last = graph->first[node_a + 1], at = -1;
	int best = -1, nbest = 0, unused;

	/* Twice: the first pass finds how good it can be and how many are. */
	for (int pass = 0; pass < 2 && (pass == 0 || best >= 0); pass++) {
		int wanted = pass ? node_b % nbest : -1;

		nbest = 0;
		for (int64_t i = first; i < last; i++) {
			int hops = best_end(topo, graph->peer[i] - topo->nnodes, node_b, distance,
					    context, -1, &unused, NULL);

			if (hops < 0 || (best >= 0 && hops > best))
				continue;
			if (best < 0 || hops < best)
				nbest = 0;
			best = hops;
			if (nbest++ == wanted)
				at = i;
		}
	}
	if (best < 0)
		return -1;
	ends->up = graph->channel[at];
	ends->router_a = graph->peer[at] - topo->nnodes;
	best_end(topo, ends->router_a, node_b, distance, context, -1, &nbest, NULL);
	best_end(topo, ends->router_a, node_b, distance, context, node_b % nbest, &unused, &at);
	ends->down = graph->channel[at] ^ 1;
	ends->router_b = graph->peer[at] - topo->nnodes;
	return best;
}

static int closed_distance(void *context, int router_a, int router_b)
{
	const struct topo *topo = context;

	return topo->type->distance(topo, router_a, router_b);
}

/* Where nodes have several routers, those of structured networks are alike, plane by plane. */
int walk_hops(const struct topo *topo, int node_a, int node_b)
{
	int hops = topo->type->distance(topo, topo->router_of[node_a], topo->router_of[node_b]);

	return hops < 0 ? -1 : hops + 2;
}

int walk_path(struct topo *topo, int node_a, int node_b, int_vec *path)
{
	const struct topo_graph *graph = topo_graph(topo);
	struct walk_ends ends;
	int hops = walk_ends(topo, node_a, node_b, closed_distance, topo, &ends);

	if (hops < 0)
		return -1;
	vec_push(path, ends.up);
	for (int router = ends.router_a; router != ends.router_b;) {
		int cable, ncables;
		int next = topo->type->next(topo, router, ends.router_b, node_b, &cable);
		int64_t first =
			walk_cables(graph, topo->nnodes + router, topo->nnodes + next, &ncables);

		vec_push(path, graph->channel[first + cable]);
		router = next;
	}
	vec_push(path, ends.down);
	return hops + 2;
}
