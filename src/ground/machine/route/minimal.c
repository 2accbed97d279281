/* minimal.c - the shortest routes: by the network's own closed form, or by breadth-first search */
#include <stdlib.h>

#include "machine/route/shortest.h"
#include "machine/route/walk.h"

struct minimal {
	bool is_spread;
	int64_t *first; /* channels between routers */
	struct search_cache cache;
	int *queue; /* [nrouters] */
};

enum { WEIGHT_MOST = 16 };

static bool has_links(const struct topo *topo, int level)
{
	for (int64_t i = 0; i < topo->graph->nlinks; i++)
		if (topo->graph->links[i].level == level)
			return true;
	return false;
}

/* What a link of each level counts: 1 to 16, in proportion to the time that a byte takes. */
static int *weigh_levels(const struct topo *topo)
{
	int *weights = xmalloc(sizeof(*weights) * TOPO_LEVELS);
	double slowest = 0;

	for (int level = LINK_TERMINAL; level < topo->nlevels; level++)
		if (has_links(topo, level) &&
		    (slowest == 0 || topo->levels[level].bandwidth < slowest))
			slowest = topo->levels[level].bandwidth;
	for (int level = 0; level < TOPO_LEVELS; level++) {
		double share = level < topo->nlevels ? slowest / topo->levels[level].bandwidth : 1;

		weights[level] = share >= 1 ? WEIGHT_MOST : (int)(share * WEIGHT_MOST + .5);
		if (weights[level] < 1)
			weights[level] = 1;
	}
	return weights;
}

static bool weighs_levels(const struct routing *routing)
{
	return pick_has(&routing->pick, "paths") ? pick_is(&routing->pick, "paths", "levels")
						 : routing->topo->type->weighs_levels;
}

static int open_minimal(struct routing *routing, struct err *err)
{
	struct topo *topo = routing->topo;
	struct minimal *minimal;

	(void)err;
	topo_graph(topo);
	if (weighs_levels(routing) && !topo_nodes_have_one_link(topo))
		routing->weights = weigh_levels(topo);
	if (topo->type->distance != NULL && topo->type->next != NULL)
		return 0;
	minimal = xcalloc(1, sizeof(*minimal));
	minimal->is_spread = routing_ties(routing) != TIES_LOWEST;
	minimal->first = search_first_channels(topo);
	minimal->queue = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*minimal->queue));
	search_cache_open(&minimal->cache, topo, 1);
	routing->state = minimal;
	return 0;
}

static void close_minimal(struct routing *routing)
{
	struct minimal *minimal = routing->state;

	if (minimal == NULL)
		return;
	search_cache_close(&minimal->cache);
	free(minimal->first);
	free(minimal->queue);
	free(minimal);
}

/* Links from every router to router_b; -1: no route. */
static const int32_t *distances_to(struct routing *routing, int router_b)
{
	struct minimal *minimal = routing->state;
	const struct topo *topo = routing->topo;
	const struct topo_graph *graph = topo->graph;
	bool is_new;
	int32_t *hops = search_cache_get(&minimal->cache, router_b, &is_new);
	int nqueued = 0;

	if (!is_new)
		return hops;
	for (int router = 0; router < topo->nrouters; router++)
		hops[router] = -1;
	hops[router_b] = 0;
	minimal->queue[nqueued++] = router_b;
	for (int done = 0; done < nqueued; done++) {
		int router = minimal->queue[done];

		for (int64_t i = minimal->first[router];
		     i < graph->first[topo->nnodes + router + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (hops[peer] >= 0)
				continue;
			hops[peer] = hops[router] + 1;
			minimal->queue[nqueued++] = peer;
		}
	}
	return hops;
}

static int searched_distance(void *context, int router_a, int router_b)
{
	return distances_to(context, router_b)[router_a];
}

static int find_ends(struct routing *routing, int node_a, int node_b, struct walk_ends *ends)
{
	return walk_ends_weighed(routing->topo, node_a, node_b, searched_distance, routing,
				 routing->weights, ends);
}

static int hops_minimal(struct routing *routing, int node_a, int node_b)
{
	struct walk_ends ends;
	int hops;

	if (routing->state == NULL)
		return walk_hops(routing->topo, node_a, node_b);
	hops = find_ends(routing, node_a, node_b, &ends);
	return hops < 0 ? -1 : hops + 2;
}

static int64_t next_channel(const struct routing *routing, const int32_t *hops, int router,
			    int node, int *rest)
{
	const struct minimal *minimal = routing->state;
	const struct topo *topo = routing->topo;
	const struct topo_graph *graph = topo->graph;
	int64_t first = minimal->first[router];
	int64_t end = graph->first[routing->topo->nnodes + router + 1];
	int n = 0, chosen;

	for (int64_t i = first; i < end; i++)
		n += hops[graph->peer[i] - routing->topo->nnodes] == hops[router] - 1;
	chosen = minimal->is_spread && topo->type->tie != NULL
			 ? topo->type->tie(topo, router, node) % n
			 : search_choose(minimal->is_spread, n, rest);
	for (int64_t i = first;; i++)
		if (hops[graph->peer[i] - routing->topo->nnodes] == hops[router] - 1 &&
		    chosen-- == 0)
			return i;
}

static int path_minimal(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	struct topo *topo = routing->topo;
	struct walk_ends ends;
	int hops, rest = node_b;
	const int32_t *hops_to;

	if (routing->state == NULL)
		return walk_path(topo, node_a, node_b, path);
	hops = find_ends(routing, node_a, node_b, &ends);
	if (hops < 0)
		return -1;
	hops_to = distances_to(routing, ends.router_b);
	vec_push(path, ends.up);
	for (int router = ends.router_a; router != ends.router_b;) {
		int64_t i = next_channel(routing, hops_to, router, node_b, &rest);

		vec_push(path, topo->graph->channel[i]);
		router = topo->graph->peer[i] - topo->nnodes;
	}
	vec_push(path, ends.down);
	return hops + 2;
}

static const struct param params[] = {
	SEARCH_TIES,
	{.key = "paths",
	 .type = PARAM_WORD,
	 .choices = "links|levels",
	 .optional = true,
	 .meaning = "how nodes with several cables choose among them, where there is no closed "
		    "form. links: by the fewest links. levels: a link counts by how slow its "
		    "level is, so that NVLink goes before a NIC. Default: links, but for rails"},
	{.key = NULL},
};

const struct routing_type routing_type_minimal = {
	.entry =
		{
			.name = "minimal",
			.summary = "a shortest path; on a dragonfly with at most one "
				   "global link",
			.example = "minimal",
			.params = params,
		},
	.minimal = MINIMAL_SHORTEST,
	.ties = search_ties,
	.open = open_minimal,
	.close = close_minimal,
	.hops = hops_minimal,
	.path = path_minimal,
};

int routing_open_minimal(struct routing **routing, struct topo *topo, struct err *err)
{
	return routing_open_entry(routing, topo, &routing_type_minimal.entry, err);
}
