/* distance.c - how far the nodes of a machine are apart */
#include "machine/stats/distance.h"

#include <stdlib.h>
#include <string.h>

/* A search through the routers from all those of one node. */
struct search {
	struct topo *topo;
	const struct topo_graph *graph;
	int *hops, *queue;  /* [nrouters] */
	uint64_t *nodes_at; /* [nrouters] nodes at that distance in links */
	int_vec places;     /* the first nodes of runs that hang on the same routers */
	uint64_t nunreached;
	int longest;
};

static void reach(struct search *search, int node)
{
	const struct topo_graph *graph = search->graph;
	int nnodes = search->topo->nnodes, nqueued = 0;

	memset(search->hops, -1, (size_t)search->topo->nrouters * sizeof(int));
	for (int64_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
		int router = graph->peer[i] - nnodes;

		if (search->hops[router] != 0)
			search->queue[nqueued++] = router;
		search->hops[router] = 0;
	}
	for (int done = 0; done < nqueued; done++) {
		int router = search->queue[done];

		for (int64_t i = graph->first[nnodes + router];
		     i < graph->first[nnodes + router + 1]; i++) {
			int peer = graph->peer[i] - nnodes;

			if (peer < 0 || search->hops[peer] >= 0)
				continue;
			search->hops[peer] = search->hops[router] + 1;
			search->queue[nqueued++] = peer;
		}
	}
}

/* Every node counts by the nearest of its routers. */
static void count_nodes(struct search *search)
{
	const struct topo_graph *graph = search->graph;
	int nnodes = search->topo->nnodes;

	memset(search->nodes_at, 0, (size_t)search->topo->nrouters * sizeof(uint64_t));
	search->nunreached = 0;
	search->longest = 0;
	for (size_t p = 0; p < search->places.n; p++) {
		int node = search->places.at[p], best = -1;
		int end = p + 1 < search->places.n ? search->places.at[p + 1] : nnodes;

		for (int64_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
			int hops = search->hops[graph->peer[i] - nnodes];

			if (hops >= 0 && (best < 0 || hops < best))
				best = hops;
		}
		if (best < 0)
			search->nunreached += (uint64_t)(end - node);
		else
			search->nodes_at[best] += (uint64_t)(end - node);
		search->longest = best > search->longest ? best : search->longest;
	}
}

/* Whether both nodes hang on the same routers by as many cables. */
static bool is_same_place(const struct topo_graph *graph, int a, int b)
{
	int64_t n = graph->first[a + 1] - graph->first[a];

	return n == graph->first[b + 1] - graph->first[b] &&
	       memcmp(graph->peer + graph->first[a], graph->peer + graph->first[b],
		      (size_t)n * sizeof(*graph->peer)) == 0;
}

static void search_distances(struct topo *topo, struct distance_counts *counts)
{
	size_t nrouters = (size_t)topo->nrouters;
	struct search search = {
		.topo = topo,
		.graph = topo_graph(topo),
		.hops = xmalloc(nrouters * sizeof(int)),
		.queue = xmalloc(nrouters * sizeof(int)),
		.nodes_at = xcalloc(nrouters, sizeof(uint64_t)),
	};

	*counts = (struct distance_counts){.pairs = xcalloc(nrouters, sizeof(uint64_t))};
	for (int node = 0; node < topo->nnodes; node++)
		if (node == 0 || !is_same_place(search.graph, node - 1, node))
			vec_push(&search.places, node);
	for (int node = 0; node < topo->nnodes; node++) {
		if (node == 0 || !is_same_place(search.graph, node - 1, node)) {
			reach(&search, node);
			count_nodes(&search);
		}
		for (int hops = 0; hops <= search.longest; hops++)
			counts->pairs[hops] += search.nodes_at[hops];
		counts->pairs[0]--; /* itself */
		counts->unreachable += search.nunreached;
		if (search.longest > counts->longest)
			counts->longest = search.longest;
	}
	free(search.hops);
	free(search.queue);
	free(search.nodes_at);
	free(search.places.at);
}

void topo_distances(struct topo *topo, struct distance_counts *counts)
{
	if (topo->type->distances != NULL)
		topo->type->distances(topo, counts);
	else
		search_distances(topo, counts);
	while (counts->longest >= 0 && counts->pairs[counts->longest] == 0)
		counts->longest--;
}

double topo_mean_distance(const struct distance_counts *counts)
{
	double links = 0, pairs = 0;

	for (int hops = 0; hops <= counts->longest; hops++) {
		links += (double)hops * (double)counts->pairs[hops];
		pairs += (double)counts->pairs[hops];
	}
	return pairs > 0 ? links / pairs : -1;
}
