/* route_split.c - a message spread over all shortest paths */
#include "machine/route/route_split.h"

#include <stdlib.h>

#include "model/topo_type.h"

/*
 * Of the σ(a, b) shortest paths between two nodes (parallel cables apart), σ(a, u) · σ(v, b) pass
 * the channel from u to v: that part of σ(a, b) is its share. Nodes pass nothing on.
 */
enum { SPLIT_BYTES = 1 << 26 }; /* searches that are kept */

/* A search from one node. */
struct split_search {
	int from;      /* node of the machine; -1: none */
	int group;     /* of the node to which it goes; -1: it goes everywhere */
	int32_t *hops; /* [nrouters] from it; -1: not reached */
	double *nways; /* [nrouters] σ */
};

struct route_split {
	struct topo *topo;
	struct split_search *searches; /* [nsearches] a node's is at its number modulo nsearches */
	int nsearches;
	int_vec queue;
	double *nrest; /* [nrouters] ways on to b, of the pair at hand, else 0 */
	int *group_of; /* [nrouters] where paths stay in the two groups; NULL: anywhere */
};

/* The domains of the highest tier that routers are in. */
static int *find_groups(const struct topo *topo)
{
	int *group_of = xmalloc((size_t)topo->nrouters * sizeof(*group_of));

	for (int r = 0; r < topo->nrouters; r++) {
		group_of[r] = r;
		for (int tier = 1; tier < topo->ntiers && group_of[r] >= 0; tier++)
			group_of[r] = topo->tiers[tier].of[group_of[r]];
	}
	return group_of;
}

struct route_split *route_split_new(struct topo *topo)
{
	struct route_split *split = xcalloc(1, sizeof(*split));
	size_t each = (size_t)topo->nrouters * (sizeof(int32_t) + sizeof(double)) + 1;

	split->topo = topo;
	split->nsearches = (int)(SPLIT_BYTES / each) + 1;
	if (split->nsearches > topo->nnodes)
		split->nsearches = topo->nnodes;
	split->searches = xcalloc((size_t)split->nsearches, sizeof(*split->searches));
	for (int i = 0; i < split->nsearches; i++)
		split->searches[i].from = -1;
	split->nrest = xcalloc((size_t)topo->nrouters, sizeof(*split->nrest));
	/* a third group may be a short cut, which minimal routes do not take */
	if (topo->type->is_distance_routed)
		split->group_of = find_groups(topo);
	return split;
}

void route_split_free(struct route_split *split)
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
	free(split->group_of);
	free(split);
}

static int group_of_node(const struct route_split *split, int node)
{
	return split->group_of[split->topo->router_of[node]];
}

static bool may_pass(const struct route_split *split, const struct split_search *search, int router)
{
	return split->group_of == NULL || split->group_of[router] == search->group ||
	       split->group_of[router] == group_of_node(split, search->from);
}

/* One hop more from vertex v, which is reached in nways ways. */
static void spread(struct route_split *split, struct split_search *search, int v, int hops,
		   double nways)
{
	const struct topo_graph *graph = topo_graph(split->topo);

	for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
		int router = graph->peer[i] - split->topo->nnodes;

		if (router < 0 || (search->hops[router] >= 0 && search->hops[router] <= hops) ||
		    !may_pass(split, search, router))
			continue;
		if (search->hops[router] < 0) {
			search->hops[router] = hops + 1;
			vec_push(&split->queue, router);
		}
		search->nways[router] += nways;
	}
}

static const struct split_search *search_from(struct route_split *split, int node, int to)
{
	struct split_search *search = &split->searches[node % split->nsearches];
	size_t nrouters = (size_t)split->topo->nrouters;
	int group = split->group_of != NULL ? group_of_node(split, to) : -1;

	if (search->from == node && search->group == group)
		return search;
	if (search->hops == NULL) {
		search->hops = xmalloc(nrouters * sizeof(*search->hops));
		search->nways = xmalloc(nrouters * sizeof(*search->nways));
	}
	search->from = node;
	search->group = group;
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
static void collect(struct route_split *split, const struct split_search *search, int v, int hops,
		    double rest, double all, channel_shares *shares)
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
		vec_push(shares, (struct channel_share){graph->channel[i] ^ 1, nways * rest / all});
	}
}

int route_split_add(struct route_split *split, int a, int b, channel_shares *shares)
{
	const struct topo_graph *graph = topo_graph(split->topo);
	const struct split_search *search = search_from(split, a, b);
	int hops = -1;
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
	collect(split, search, b, hops, 1, all, shares);
	for (size_t i = 0; i < split->queue.n; i++) {
		int router = split->queue.at[i];

		collect(split, search, split->topo->nnodes + router, search->hops[router] - 1,
			split->nrest[router], all, shares);
	}
	for (size_t i = 0; i < split->queue.n; i++)
		split->nrest[split->queue.at[i]] = 0;
	return 0;
}
