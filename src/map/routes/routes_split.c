/* routes_split.c - a message spread over all shortest paths, for mappers that ignore the routes */
#include <stdlib.h>

#include "map/routes/map_routes_priv.h"

/*
 * Of the σ(a, b) shortest paths between two nodes (parallel cables apart), σ(a, u) · σ(v, b) pass
 * the channel from u to v: that part of σ(a, b) is its share. Nodes pass nothing on.
 */
enum { SPLIT_BYTES = 1 << 26 }; /* searches that are kept */

/* A search from one node. */
struct split_search {
	int from;      /* node of the machine; -1: none */
	int32_t *hops; /* [nrouters] from it; -1: not reached */
	double *nways; /* [nrouters] σ */
};

struct routes_split {
	struct topo *topo;
	struct split_search *searches; /* [nsearches] a node's is at its number modulo nsearches */
	int nsearches;
	int_vec queue;
	double *nrest; /* [nrouters] ways on to b, of the pair at hand, else 0 */
};

struct routes_split *routes_split_new(struct topo *topo)
{
	struct routes_split *split = xcalloc(1, sizeof(*split));
	size_t each = (size_t)topo->nrouters * (sizeof(int32_t) + sizeof(double)) + 1;

	split->topo = topo;
	split->nsearches = (int)(SPLIT_BYTES / each) + 1;
	if (split->nsearches > topo->nnodes)
		split->nsearches = topo->nnodes;
	split->searches = xcalloc((size_t)split->nsearches, sizeof(*split->searches));
	for (int i = 0; i < split->nsearches; i++)
		split->searches[i].from = -1;
	split->nrest = xcalloc((size_t)topo->nrouters, sizeof(*split->nrest));
	return split;
}

void routes_split_free(struct routes_split *split)
{
	if (split == NULL)
		return;
	for (int i = 0; i < split->nsearches; i++) {
		free(split->searches[i].hops);
		free(split->searches[i].nways);
	}
	free(split->searches);
	free(split->queue.at);
	free(split->nrest);
	free(split);
}

/* One hop more from vertex v, which is reached in nways ways. */
static void spread(struct routes_split *split, struct split_search *search, int v, int hops,
		   double nways)
{
	const struct topo_graph *graph = topo_graph(split->topo);

	for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
		int router = graph->peer[i] - split->topo->nnodes;

		if (router < 0 || (search->hops[router] >= 0 && search->hops[router] <= hops))
			continue;
		if (search->hops[router] < 0) {
			search->hops[router] = hops + 1;
			vec_push(&split->queue, router);
		}
		search->nways[router] += nways;
	}
}

static const struct split_search *search_from(struct routes_split *split, int node)
{
	struct split_search *search = &split->searches[node % split->nsearches];
	size_t nrouters = (size_t)split->topo->nrouters;

	if (search->from == node)
		return search;
	if (search->hops == NULL) {
		search->hops = xmalloc(nrouters * sizeof(*search->hops));
		search->nways = xmalloc(nrouters * sizeof(*search->nways));
	}
	search->from = node;
	for (size_t r = 0; r < nrouters; r++) {
		search->hops[r] = -1;
		search->nways[r] = 0;
	}
	split->queue.n = 0;
	spread(split, search, node, 0, 1);
	for (size_t i = 0; i < split->queue.n; i++) {
		int router = split->queue.at[i];

		spread(split, search, split->topo->nnodes + router, search->hops[router],
		       search->nways[router]);
	}
	return search;
}

/* Channels from routers (or node a) that are hops away from a, to vertex v, of which rest ways lead
 * on; a router met first is queued. */
static void collect(struct routes_split *split, const struct split_search *search, int v, int hops,
		    double rest, double all, struct routes *routes)
{
	const struct topo_graph *graph = topo_graph(split->topo);

	for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
		int router = graph->peer[i] - split->topo->nnodes;
		double nways = 1;

		if (router >= 0 ? search->hops[router] != hops
				: hops != 0 || graph->peer[i] != search->from)
			continue;
		if (router >= 0) {
			nways = search->nways[router];
			if (split->nrest[router] == 0)
				vec_push(&split->queue, router);
			split->nrest[router] += rest;
		}
		routes_add(routes, graph->channel[i] ^ 1, nways * rest / all);
	}
}

int routes_split_add(struct routes_split *split, struct routes *routes, int a, int b)
{
	const struct topo_graph *graph = topo_graph(split->topo);
	const struct split_search *search = search_from(split, a);
	int hops = -1, n = (int)routes->pool.n;
	double all = 0;

	for (int64_t i = graph->first[b]; i < graph->first[b + 1]; i++) {
		int router = graph->peer[i] - split->topo->nnodes, h;

		h = router >= 0 ? search->hops[router] : graph->peer[i] == a ? 0 : -1;
		if (h < 0 || (hops >= 0 && h > hops))
			continue;
		all = (h == hops ? all : 0) + (router >= 0 ? search->nways[router] : 1);
		hops = h;
	}
	if (hops < 0)
		return -1;
	split->queue.n = 0;
	collect(split, search, b, hops, 1, all, routes);
	for (size_t i = 0; i < split->queue.n; i++) {
		int router = split->queue.at[i];

		collect(split, search, split->topo->nnodes + router, search->hops[router] - 1,
			split->nrest[router], all, routes);
	}
	for (size_t i = 0; i < split->queue.n; i++)
		split->nrest[split->queue.at[i]] = 0;
	return (int)routes->pool.n - n;
}
