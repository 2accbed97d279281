/* table_fill.c - next-hop tables: which ports lead nearer to which router */
#include <stdlib.h>
#include <string.h>

#include "sim/network/table_ways.h"

enum { SETS_MOST = UINT16_MAX, CLOSED_PAIRS_MOST = 1 << 20 };

/* Links from every router to router `to`: into hops [nrouters], NO_WAY: there is no path. -1: more
 * than a byte holds. queue [nrouters] */
static int find_hops(const struct topo *topo, int to, uint8_t *hops, int *queue)
{
	const struct topo_graph *graph = topo->graph;
	int nqueued = 0;

	memset(hops, NO_WAY, (size_t)topo->nrouters);
	hops[to] = 0;
	queue[nqueued++] = to;
	for (int done = 0; done < nqueued; done++) {
		int vertex = topo->nnodes + queue[done];

		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || hops[peer] != NO_WAY)
				continue;
			if (hops[queue[done]] + 1 == NO_WAY)
				return -1;
			hops[peer] = (uint8_t)(hops[queue[done]] + 1);
			queue[nqueued++] = peer;
		}
	}
	return 0;
}

/* The channels of a router that lead nearer: into found. */
static void find_channels(const struct topo *topo, int router, const uint8_t *hops, int_vec *found)
{
	const struct topo_graph *graph = topo->graph;
	int vertex = topo->nnodes + router;

	found->n = 0;
	for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
		int peer = graph->peer[i] - topo->nnodes;

		if (peer >= 0 && hops[peer] == hops[router] - 1)
			vec_push(found, graph->channel[i]);
	}
}

/* The number of a set of the router, which is kept if it is new; -1: there are too many. */
static int keep_set(struct tables *tables, int_vec *of_router, const int_vec *found)
{
	struct channel_set set = {(int32_t)tables->channels.n, (int32_t)found->n};

	for (size_t k = 0; k < of_router->n; k++) {
		const struct channel_set *kept = &tables->sets.at[of_router->at[k]];

		if (kept->n == set.n && memcmp(tables->channels.at + kept->first, found->at,
					       found->n * sizeof(*found->at)) == 0)
			return (int)k;
	}
	if (of_router->n == SETS_MOST)
		return -1;
	for (size_t i = 0; i < found->n; i++)
		vec_push(&tables->channels, found->at[i]);
	vec_push(of_router, (int)tables->sets.n);
	vec_push(&tables->sets, set);
	return (int)of_router->n - 1;
}

/* Sets router by router, so that those of one stand together. to_hops [to · nrouters + router] */
static int fill_sets(struct tables *tables, const struct topo *topo, const uint8_t *to_hops)
{
	size_t n = (size_t)tables->nrouters;
	int_vec of_router = {0}, found = {0};
	int status = 0;

	for (size_t router = 0; router < n && status == 0; router++) {
		of_router.n = 0;
		tables->first_set[router] = (int32_t)tables->sets.n;
		for (size_t to = 0; to < n && status == 0; to++) {
			uint8_t hops = to_hops[to * n + router];
			int set;

			tables->hops_of[router * n + to] = hops;
			if (hops == 0 || hops == NO_WAY)
				continue;
			find_channels(topo, (int)router, to_hops + to * n, &found);
			set = keep_set(tables, &of_router, &found);
			tables->set_of[router * n + to] = (uint16_t)set;
			status = set < 0 ? -1 : 0;
		}
	}
	vec_free(&of_router);
	vec_free(&found);
	return status;
}

static int fill(struct tables *tables, const struct topo *topo, int *longest, struct err *err)
{
	size_t n = (size_t)tables->nrouters;
	uint8_t *to_hops = xmalloc(n * n + 1);
	int *queue = xmalloc((n + 1) * sizeof(*queue));
	int status = 0;

	for (size_t to = 0; to < n && status == 0; to++)
		status = find_hops(topo, (int)to, to_hops + to * n, queue);
	if (status == 0)
		status = fill_sets(tables, topo, to_hops);
	*longest = 0;
	for (size_t i = 0; i < n * n && status == 0; i++)
		if (to_hops[i] != NO_WAY && to_hops[i] > *longest)
			*longest = to_hops[i];
	free(to_hops);
	free(queue);
	return status == 0 ? 0
			   : err_set(err,
				     "a path of more than %d links, or a router with more "
				     "than %d sets of equal ports, is more than netsim holds",
				     NO_WAY - 1, SETS_MOST);
}

int tables_fill(struct tables *tables, const struct topo *topo, int *longest, struct err *err)
{
	size_t n = (size_t)topo->nrouters;

	tables->set_of = xcalloc(n * n + 1, sizeof(*tables->set_of));
	tables->hops_of = xcalloc(n * n + 1, sizeof(*tables->hops_of));
	tables->first_set = xcalloc(n + 1, sizeof(*tables->first_set));
	return fill(tables, topo, longest, err);
}

void tables_free(struct tables *tables)
{
	free(tables->set_of);
	free(tables->hops_of);
	free(tables->first_set);
	vec_free(&tables->sets);
	vec_free(&tables->channels);
}

int64_t tables_bytes(int64_t nrouters)
{
	return nrouters * nrouters * (int64_t)(sizeof(uint16_t) + sizeof(uint8_t));
}

/* How far each router is from those with nodes: [nrouters], -1 where none can be reached. */
static int *find_heights(const struct topo *topo, int *queue)
{
	const struct topo_graph *graph = topo->graph;
	int *height = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*height)), nqueued = 0;

	for (int router = 0; router < topo->nrouters; router++) {
		height[router] = router_has_nodes(topo, router) ? 0 : -1;
		if (height[router] == 0)
			queue[nqueued++] = router;
	}
	for (int done = 0; done < nqueued; done++) {
		int vertex = topo->nnodes + queue[done];

		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || height[peer] >= 0)
				continue;
			height[peer] = height[queue[done]] + 1;
			queue[nqueued++] = peer;
		}
	}
	return height;
}

/* From all routers with nodes to one. stack [2 · nrouters] of router · 2 + whether the path came
 * down; was_at: the same, marked with the destination. */
static bool goes_up_and_down(const struct tables *tables, const struct topo *topo, int to,
			     const int *height, int *stack, int *was_at)
{
	const struct topo_graph *graph = topo->graph;
	int n = 0;

	for (int router = 0; router < topo->nrouters; router++)
		if (height[router] == 0 && router != to)
			was_at[stack[n++] = 2 * router] = to;
	while (n > 0) {
		int at = stack[--n], router = at / 2;
		const struct channel_set *set = tables_set(tables, router, to);

		if (router == to || tables->hops_of[tables_pair(tables, router, to)] == NO_WAY)
			continue;
		for (int i = 0; i < set->n; i++) {
			int32_t channel = tables->channels.at[set->first + i];
			const struct topo_link *link = &graph->links[channel / 2];
			int peer = (channel % 2 == 0 ? link->b : link->a) - topo->nnodes;
			int next = 2 * peer + (height[peer] < height[router]);

			if (height[peer] == height[router] || (at % 2 == 1 && next % 2 == 0))
				return false;
			if (was_at[next] != to)
				was_at[stack[n++] = next] = to;
		}
	}
	return true;
}

bool tables_go_up_and_down(const struct tables *tables, struct topo *topo)
{
	size_t size = (2 * (size_t)topo->nrouters + 2) * sizeof(int);
	int *stack = xmalloc(size), *was_at = xmalloc(size), *height;
	bool go = true;

	topo_graph(topo);
	height = find_heights(topo, stack);
	memset(was_at, 0xff, size);
	for (int to = 0; to < topo->nrouters && go; to++)
		if (height[to] == 0)
			go = goes_up_and_down(tables, topo, to, height, stack, was_at);
	free(height);
	free(stack);
	free(was_at);
	return go;
}

int64_t tables_fill_closed(struct tables *tables, const struct topo *topo)
{
	int n = topo->nrouters;
	size_t npairs = (size_t)n * (size_t)n;

	if (topo->type->choices == NULL || (int64_t)n * n > CLOSED_PAIRS_MOST)
		return 0;
	tables->only = xmalloc((npairs + 1) * sizeof(*tables->only));
	tables->hops_of = xmalloc(npairs + 1);
	for (int router = 0; router < n; router++)
		for (int to = 0; to < n; to++) {
			size_t at = tables_pair(tables, router, to);
			bool is_one = to != router && topo->type->choices(topo, router, to) == 1;

			tables->only[at] = is_one ? closed_next(topo, router, to, 0) : NOBODY;
			tables->hops_of[at] = (uint8_t)topo->type->distance(topo, router, to);
		}
	return (int64_t)(npairs * (sizeof(*tables->only) + sizeof(*tables->hops_of)));
}
