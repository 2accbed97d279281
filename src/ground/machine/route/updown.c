/* updown.c - up-down: first only towards the roots, then only away from them */
#include <stdlib.h>
#include <string.h>

#include "machine/route/shortest.h"
#include "machine/route/walk.h"

enum { FAR = INT32_MAX / 2 };

/*
 * Routers are ranked by their distance from the roots, then by number. A link leads up towards the
 * lower rank. Routes that go up first and then down have no cycles of waiting (Schroeder et al.,
 * Autonet, 1991).
 */
struct updown {
	bool is_spread;
	int64_t *first;      /* channels between routers */
	int *rank, *by_rank; /* [nrouters] */
	struct search_cache cache;
};

/* Distance of every router from the nearest one that is marked with 0; the others hold FAR. */
static void spread(const struct topo *topo, const int64_t *first, int *hops, int *queue)
{
	int nqueued = 0;

	for (int router = 0; router < topo->nrouters; router++)
		if (hops[router] == 0)
			queue[nqueued++] = router;
	for (int done = 0; done < nqueued; done++)
		for (int64_t i = first[queue[done]];
		     i < topo->graph->first[topo->nnodes + queue[done] + 1]; i++) {
			int peer = topo->graph->peer[i] - topo->nnodes;

			if (hops[peer] != FAR)
				continue;
			hops[peer] = hops[queue[done]] + 1;
			queue[nqueued++] = peer;
		}
}

static void fill(int *hops, int n, int value)
{
	for (int i = 0; i < n; i++)
		hops[i] = value;
}

/* by_rank in the order of (hops, number), by counting. */
static void set_ranks(struct updown *updown, const int *hops, int nrouters)
{
	int *place = xcalloc((size_t)nrouters + 2, sizeof(*place));

	for (int router = 0; router < nrouters; router++)
		place[(hops[router] < nrouters ? hops[router] : nrouters) + 1]++;
	for (int i = 0; i < nrouters; i++)
		place[i + 1] += place[i];
	for (int router = 0; router < nrouters; router++) {
		int at = place[hops[router] < nrouters ? hops[router] : nrouters]++;

		updown->rank[router] = at;
		updown->by_rank[at] = router;
	}
	free(place);
}

/* Whether a router of every node can climb to the router of rank 0. */
static bool has_common_root(const struct updown *updown, const struct topo *topo)
{
	char *is_above = xcalloc((size_t)topo->nrouters, 1); /* reaches it going up */
	bool is_common = true;

	is_above[updown->by_rank[0]] = 1;
	for (int at = 1; at < topo->nrouters; at++) {
		int router = updown->by_rank[at];

		for (int64_t i = updown->first[router];
		     i < topo->graph->first[topo->nnodes + router + 1]; i++) {
			int peer = topo->graph->peer[i] - topo->nnodes;

			is_above[router] |= updown->rank[peer] < at && is_above[peer];
		}
	}
	for (int node = 0; node < topo->nnodes && is_common; node++) {
		const struct topo_graph *graph = topo->graph;

		is_common = false;
		for (int64_t i = graph->first[node]; i < graph->first[node + 1]; i++)
			is_common |= is_above[graph->peer[i] - topo->nnodes] != 0;
	}
	free(is_above);
	return is_common;
}

/* The routers farthest from any node (the top of a fat tree) are the roots if all nodes share one;
 * else the lowest of them alone is, from which everything can be reached that is joined at all. */
static void find_roots(struct updown *updown, const struct topo *topo)
{
	size_t size = ((size_t)topo->nrouters + 1) * sizeof(int);
	int *hops = xmalloc(size), *queue = xmalloc(size), farthest = 0, lowest = -1;

	fill(hops, topo->nrouters, FAR);
	for (int64_t i = 0; i < topo->graph->first[topo->nnodes]; i++) /* the nodes' cables */
		hops[topo->graph->peer[i] - topo->nnodes] = 0;
	spread(topo, updown->first, hops, queue);
	for (int router = 0; router < topo->nrouters; router++)
		if (hops[router] != FAR && hops[router] > farthest)
			farthest = hops[router];
	for (int router = 0; router < topo->nrouters; router++) {
		hops[router] = hops[router] == farthest ? 0 : FAR;
		if (hops[router] == 0 && lowest < 0)
			lowest = router;
	}
	if (farthest > 0) {
		spread(topo, updown->first, hops, queue);
		set_ranks(updown, hops, topo->nrouters);
	}
	if (farthest == 0 || !has_common_root(updown, topo)) {
		fill(hops, topo->nrouters, FAR);
		hops[lowest] = 0;
		spread(topo, updown->first, hops, queue);
		set_ranks(updown, hops, topo->nrouters);
	}
	free(hops);
	free(queue);
}

static int set_root(struct updown *updown, const struct topo *topo, const char *name,
		    struct err *err)
{
	int root = topo_router_find(topo, name, strlen(name)), *hops, *queue;

	if (root < 0)
		return err_set(err, "updown: root: there is no router '%.200s'", name);
	hops = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*hops));
	queue = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*queue));
	fill(hops, topo->nrouters, FAR);
	hops[root] = 0;
	spread(topo, updown->first, hops, queue);
	set_ranks(updown, hops, topo->nrouters);
	free(hops);
	free(queue);
	return 0;
}

static int open_updown(struct routing *routing, struct err *err)
{
	struct topo *topo = routing->topo;
	struct updown *updown = xcalloc(1, sizeof(*updown));
	size_t size = (size_t)topo->nrouters * sizeof(int);

	routing->state = updown;
	updown->is_spread = routing_ties(routing) != TIES_LOWEST;
	updown->first = search_first_channels(topo);
	updown->rank = xmalloc(size);
	updown->by_rank = xmalloc(size);
	search_cache_open(&updown->cache, topo, 2);
	if (pick_has(&routing->pick, "root"))
		return set_root(updown, topo, pick_word(&routing->pick, "root"), err);
	find_roots(updown, topo);
	return 0;
}

static void close_updown(struct routing *routing)
{
	struct updown *updown = routing->state;

	search_cache_close(&updown->cache);
	free(updown->first);
	free(updown->rank);
	free(updown->by_rank);
	free(updown);
}

/* Links to a destination from each router: going down only, and up first where that helps. */
struct legal {
	const int32_t *down, *any; /* [nrouters]; FAR: no route */
};

/* Downwards from router means to a higher rank, so what is below was settled before. */
static struct legal legal_to(struct routing *routing, int router_b)
{
	struct updown *updown = routing->state;
	const struct topo *topo = routing->topo;
	const struct topo_graph *graph = topo->graph;
	bool is_new;
	int32_t *down = search_cache_get(&updown->cache, router_b, &is_new);
	int32_t *any = down + topo->nrouters;

	if (!is_new)
		return (struct legal){down, any};
	for (int pass = 0; pass < 2; pass++)
		for (int n = 0; n < topo->nrouters; n++) {
			int at = pass ? n : topo->nrouters - 1 - n, router = updown->by_rank[at];
			int32_t *own = pass ? any : down;

			own[router] = pass ? down[router] : router == router_b ? 0 : FAR;
			for (int64_t i = updown->first[router];
			     i < graph->first[topo->nnodes + router + 1]; i++) {
				int peer = graph->peer[i] - topo->nnodes;
				bool is_settled =
					pass ? updown->rank[peer] < at : updown->rank[peer] > at;

				if (is_settled && own[peer] + 1 < own[router])
					own[router] = own[peer] + 1;
			}
		}
	return (struct legal){down, any};
}

static int legal_distance(void *context, int router_a, int router_b)
{
	int hops = legal_to(context, router_b).any[router_a];

	return hops >= FAR ? -1 : hops;
}

static int hops_updown(struct routing *routing, int node_a, int node_b)
{
	struct walk_ends ends;
	int hops = walk_ends(routing->topo, node_a, node_b, legal_distance, routing, &ends);

	return hops < 0 ? -1 : hops + 2;
}

/* Whether a channel leads on along a shortest legal path of left links. */
static bool leads_on(const struct routing *routing, const struct legal *legal, int router,
		     int64_t channel, bool may_climb, int left)
{
	const struct updown *updown = routing->state;
	int peer = routing->topo->graph->peer[channel] - routing->topo->nnodes;

	if (updown->rank[peer] < updown->rank[router])
		return may_climb && legal->any[peer] == left - 1;
	return legal->down[peer] == left - 1;
}

static int path_updown(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	const struct updown *updown = routing->state;
	const struct topo *topo = routing->topo;
	struct walk_ends ends;
	int hops = walk_ends(routing->topo, node_a, node_b, legal_distance, routing, &ends);
	int rest = node_b, router = ends.router_a;
	bool may_climb = true;
	struct legal legal;

	if (hops < 0)
		return -1;
	legal = legal_to(routing, ends.router_b);
	vec_push(path, ends.up);
	for (int left = hops; left > 0; left--) {
		int64_t end = topo->graph->first[topo->nnodes + router + 1];
		int n = 0, chosen, peer;
		int64_t i;

		for (i = updown->first[router]; i < end; i++)
			n += leads_on(routing, &legal, router, i, may_climb, left);
		chosen = search_choose(updown->is_spread, n, &rest);
		for (i = updown->first[router];; i++)
			if (leads_on(routing, &legal, router, i, may_climb, left) && chosen-- == 0)
				break;
		peer = topo->graph->peer[i] - topo->nnodes;
		may_climb = may_climb && updown->rank[peer] < updown->rank[router];
		vec_push(path, topo->graph->channel[i]);
		router = peer;
	}
	vec_push(path, ends.down);
	return hops + 2;
}

static const struct param params[] = {
	{.key = "root",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "name of the root; default: the routers farthest from any node, or "
		    "the lowest of them if some nodes can't reach all"},
	SEARCH_TIES,
	{.key = NULL},
};

const struct routing_type routing_type_updown = {
	.entry =
		{
			.name = "updown",
			.summary = "first towards the root, then away from it: free of "
				   "deadlock",
			.paper = "Schroeder et al., Autonet, IEEE JSAC 1991",
			.example = "updown",
			.params = params,
		},
	.minimal = MINIMAL_UP_DOWN,
	.ties = search_ties,
	.open = open_updown,
	.close = close_updown,
	.hops = hops_updown,
	.path = path_updown,
};
