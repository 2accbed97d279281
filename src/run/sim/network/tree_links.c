/* tree_links.c - by which channels packets climb and come down in a fat tree whose nodes have one
 * link */
#include "sim/network/tree_links.h"

#include <stdlib.h>

#include "base/mem.h"

bool tree_links_fit(const struct topo *topo)
{
	const struct pgft *tree = topo_as_tree(topo);

	if (tree == NULL || tree->w[1] * tree->p[1] != 1)
		return false;
	for (int l = 2; l <= tree->nlevels; l++)
		if (tree->w[l] * tree->p[l] > UINT16_MAX)
			return false;
	return true;
}

static void open_switch(struct tree_links *links, const struct topo *topo, int router, int level)
{
	const struct pgft *tree = topo_as_tree(topo);
	const struct topo_graph *graph = links->graph;
	int64_t first = graph->first[topo->nnodes + router];
	int64_t end = graph->first[topo->nnodes + router + 1], up = first;
	int32_t subtree = (router - tree->first[level]) / tree->tops[level];

	while (up < end && graph->peer[up] < topo->nnodes + router)
		up++;
	links->at[router] = (struct tree_switch){
		.first_up = up,
		.down = first - (int64_t)subtree * tree->m[level] * tree->p[level],
		.subtree = subtree,
		.level = level,
		.nup = (int32_t)(end - up),
	};
}

/* What leads into a level from below, and out of it. */
static void open_level(struct tree_links *links, const struct topo *topo, int l)
{
	const struct pgft *tree = topo_as_tree(topo);
	int nnodes = topo->nnodes, w = tree->w[l], p = tree->p[l];

	links->cables[l] = p;
	links->port_up[l] = xmalloc(((size_t)nnodes + 1) * sizeof(*links->port_up[l]));
	if (p > 1)
		links->cable_down[l] =
			xmalloc(((size_t)nnodes + 1) * sizeof(*links->cable_down[l]));
	for (int node = 0; node < nnodes; node++) {
		int port = node / tree->tops[l - 1] % (w * p);

		links->port_up[l][node] = (uint16_t)(port % w * p + port / w);
		if (p > 1)
			links->cable_down[l][node] = (uint16_t)(port / w);
	}
}

struct tree_links *tree_links_new(const struct topo *topo)
{
	const struct pgft *tree = topo_as_tree(topo);
	struct tree_links *links = xcalloc(1, sizeof(*links));
	int nleaves = topo->nnodes / tree->nodes_below[1];

	links->graph = topo->graph;
	links->at = xmalloc((size_t)topo->nrouters * sizeof(*links->at));
	for (int l = 1; l <= tree->nlevels; l++) {
		int leaves_below = tree->nodes_below[l] / tree->nodes_below[1];

		links->subtree_of[l] = xmalloc((size_t)nleaves * sizeof(*links->subtree_of[l]));
		for (int leaf = 0; leaf < nleaves; leaf++)
			links->subtree_of[l][leaf] = leaf / leaves_below;
		for (int router = tree->first[l]; router < tree->first[l + 1]; router++)
			open_switch(links, topo, router, l);
		if (l > 1)
			open_level(links, topo, l);
	}
	return links;
}

void tree_links_free(struct tree_links *links)
{
	if (links == NULL)
		return;
	for (int l = 1; l <= PGFT_LEVELS; l++) {
		free(links->subtree_of[l]);
		free(links->port_up[l]);
		free(links->cable_down[l]);
	}
	free(links->at);
	free(links);
}
