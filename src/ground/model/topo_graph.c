/* topo_graph.c - the links of a machine as lists, and what leaves each vertex */
#include <stdlib.h>

#include "base/mem.h"
#include "model/topo.h"
#include "model/topo_type.h"

struct filling {
	struct topo_link *links; /* NULL: only count */
	int64_t n;
};

static void add_link(void *context, int a, int b, int level)
{
	struct filling *filling = context;

	if (filling->links != NULL)
		filling->links[filling->n] = (struct topo_link){a, b, level};
	filling->n++;
}

static int from_of(const struct topo_graph *graph, int64_t channel)
{
	const struct topo_link *link = &graph->links[channel / 2];

	return channel % 2 == 0 ? link->a : link->b;
}

/* place[v] becomes where the channels that leave v begin; place has nvertices + 1 elements. */
static int64_t *count_channels(const struct topo_graph *graph, int nvertices)
{
	int64_t *first = xcalloc((size_t)nvertices + 1, sizeof(*first));

	for (int64_t i = 0; i < graph->nlinks; i++) {
		first[graph->links[i].a + 1]++;
		first[graph->links[i].b + 1]++;
	}
	for (int v = 0; v < nvertices; v++)
		first[v + 1] += first[v];
	return first;
}

/* Sorted by two counting passes: first every vertex's own channels in the order of their numbers,
 * then, vertex by vertex, each channel's reverse goes to the vertex at its other end. */
static void sort_channels(struct topo_graph *graph, int nvertices)
{
	size_t nchannels = (size_t)graph->nlinks * 2;
	int32_t *by_number = xmalloc((nchannels + 1) * sizeof(*by_number));
	int64_t *place = xmalloc(((size_t)nvertices + 1) * sizeof(*place));

	for (int v = 0; v < nvertices; v++)
		place[v] = graph->first[v];
	for (int64_t c = 0; c < (int64_t)nchannels; c++)
		by_number[place[from_of(graph, c)]++] = (int32_t)c;
	for (int v = 0; v < nvertices; v++)
		place[v] = graph->first[v];
	for (int v = 0; v < nvertices; v++)
		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
			int32_t back = by_number[i] ^ 1;
			int64_t at = place[from_of(graph, back)]++;

			graph->channel[at] = back;
			graph->peer[at] = v;
		}
	free(by_number);
	free(place);
}

const struct topo_graph *topo_graph(struct topo *topo)
{
	struct filling filling = {0};
	struct topo_graph *graph;
	size_t nchannels;

	if (topo->graph != NULL)
		return topo->graph;
	topo->type->links(topo, add_link, &filling);
	graph = xcalloc(1, sizeof(*graph));
	graph->nlinks = filling.n;
	nchannels = (size_t)filling.n * 2;
	graph->links = xcalloc((size_t)filling.n + 1, sizeof(*graph->links));
	filling = (struct filling){graph->links, 0};
	topo->type->links(topo, add_link, &filling);
	graph->first = count_channels(graph, topo_nvertices(topo));
	graph->peer = xmalloc((nchannels + 1) * sizeof(*graph->peer));
	graph->channel = xmalloc((nchannels + 1) * sizeof(*graph->channel));
	sort_channels(graph, topo_nvertices(topo));
	topo->graph = graph;
	return graph;
}

bool topo_nodes_have_one_link(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);

	for (int node = 0; node < topo->nnodes; node++)
		if (graph->first[node + 1] - graph->first[node] != 1)
			return false;
	return true;
}

bool topo_routers_have_single_cables(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);

	for (int router = topo->nnodes; router < topo_nvertices(topo); router++)
		for (int64_t i = graph->first[router] + 1; i < graph->first[router + 1]; i++)
			if (graph->peer[i] == graph->peer[i - 1])
				return false;
	return true;
}
