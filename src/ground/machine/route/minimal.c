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

static int open_minimal(struct routing *routing, struct err *err)
{
	struct topo *topo = routing->topo;
	struct minimal *minimal;

	(void)err;
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

static int hops_minimal(struct routing *routing, int node_a, int node_b)
{
	struct walk_ends ends;
	int hops;

	if (routing->state == NULL)
		return walk_hops(routing->topo, node_a, node_b);
	hops = walk_ends(routing->topo, node_a, node_b, searched_distance, routing, &ends);
	return hops < 0 ? -1 : hops + 2;
}

static int64_t next_channel(const struct routing *routing, const int32_t *hops, int router,
			    int *rest)
{
	const struct minimal *minimal = routing->state;
	const struct topo_graph *graph = routing->topo->graph;
	int64_t first = minimal->first[router];
	int64_t end = graph->first[routing->topo->nnodes + router + 1];
	int n = 0, chosen;

	for (int64_t i = first; i < end; i++)
		n += hops[graph->peer[i] - routing->topo->nnodes] == hops[router] - 1;
	chosen = search_choose(minimal->is_spread, n, rest);
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
	hops = walk_ends(topo, node_a, node_b, searched_distance, routing, &ends);
	if (hops < 0)
		return -1;
	hops_to = distances_to(routing, ends.router_b);
	vec_push(path, ends.up);
	for (int router = ends.router_a; router != ends.router_b;) {
		int64_t i = next_channel(routing, hops_to, router, &rest);

		vec_push(path, topo->graph->channel[i]);
		router = topo->graph->peer[i] - topo->nnodes;
	}
	vec_push(path, ends.down);
	return hops + 2;
}

static const struct param params[] = {
	SEARCH_TIES,
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
