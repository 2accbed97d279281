/* rcm.c - both graphs are brought into an order of small bandwidth, and laid side by side */
#include <stdlib.h>

#include "map/problem/problem.h"
#include "base/mem.h"

/* An undirected graph: neighbours of v are peer[first[v]] …; one may be there several times. */
struct graph {
	int n;
	const int64_t *first; /* [n + 1] */
	const int32_t *peer;
};

struct rcm {
	const struct graph *graph;
	int *level; /* [n] -1: not reached in the search at hand */
	int *order; /* [n] so far */
	int norder;
	int *queue; /* [n] */
};

static int64_t degree(const struct graph *graph, int v)
{
	return graph->first[v + 1] - graph->first[v];
}

/* Breadth first from start among those not yet in order (whose level is −2). Returns how many were
 * reached; *last: the one of least degree in the last level; *depth: that level. */
static int search(struct rcm *rcm, int start, int *last, int *depth)
{
	const struct graph *graph = rcm->graph;
	int n = 0;

	rcm->queue[n++] = start;
	rcm->level[start] = 0;
	for (int i = 0; i < n; i++) {
		int v = rcm->queue[i];

		for (int64_t e = graph->first[v]; e < graph->first[v + 1]; e++)
			if (rcm->level[graph->peer[e]] == -1) {
				rcm->level[graph->peer[e]] = rcm->level[v] + 1;
				rcm->queue[n++] = graph->peer[e];
			}
	}
	*last = rcm->queue[n - 1];
	*depth = rcm->level[*last];
	for (int i = n - 1; i >= 0 && rcm->level[rcm->queue[i]] == *depth; i--)
		if (degree(graph, rcm->queue[i]) < degree(graph, *last) ||
		    (degree(graph, rcm->queue[i]) == degree(graph, *last) && rcm->queue[i] < *last))
			*last = rcm->queue[i];
	for (int i = 0; i < n; i++)
		rcm->level[rcm->queue[i]] = -1;
	return n;
}

/* George and Liu's pseudo-peripheral vertex: as long as the search gets deeper. */
static int far_vertex(struct rcm *rcm, int start)
{
	int last, depth, deeper, next;

	search(rcm, start, &last, &depth);
	for (;;) {
		search(rcm, last, &next, &deeper);
		if (deeper <= depth)
			return last;
		depth = deeper;
		last = next;
	}
}

struct neighbour {
	int vertex;
	int64_t degree;
};

static int by_degree(const void *a, const void *b)
{
	const struct neighbour *x = a, *y = b;

	return x->degree != y->degree ? (x->degree > y->degree) - (x->degree < y->degree)
				      : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Cuthill and McKee: each vertex's new neighbours follow it, those of low degree first. */
static void number(struct rcm *rcm, int start, struct neighbour *found)
{
	const struct graph *graph = rcm->graph;
	int at = rcm->norder;

	rcm->order[rcm->norder++] = start;
	rcm->level[start] = -2;
	for (; at < rcm->norder; at++) {
		int v = rcm->order[at];
		size_t n = 0;

		for (int64_t e = graph->first[v]; e < graph->first[v + 1]; e++) {
			int peer = graph->peer[e];

			if (rcm->level[peer] != -1)
				continue;
			rcm->level[peer] = -2;
			found[n++] = (struct neighbour){peer, degree(graph, peer)};
		}
		qsort(found, n, sizeof(*found), by_degree);
		for (size_t i = 0; i < n; i++)
			rcm->order[rcm->norder++] = found[i].vertex;
	}
}

/* Reversed, component after component from the lowest vertex. order [n] */
static void rcm_order(const struct graph *graph, int *order)
{
	struct rcm rcm = {.graph = graph, .order = order};
	struct neighbour *found = xmalloc((size_t)graph->n * sizeof(*found));

	rcm.level = xmalloc((size_t)graph->n * sizeof(*rcm.level));
	rcm.queue = xmalloc((size_t)graph->n * sizeof(*rcm.queue));
	for (int v = 0; v < graph->n; v++)
		rcm.level[v] = -1;
	for (int v = 0; v < graph->n; v++)
		if (rcm.level[v] == -1)
			number(&rcm, far_vertex(&rcm, v), found);
	for (int i = 0; i < graph->n / 2; i++) {
		int v = order[i];

		order[i] = order[graph->n - 1 - i];
		order[graph->n - 1 - i] = v;
	}
	free(rcm.level);
	free(rcm.queue);
	free(found);
}

/* The nodes of the allocation in the machine's order. at [nnodes] */
static void order_nodes(const struct map_input *in, int *at)
{
	const struct topo_graph *links = topo_graph(in->topo);
	struct graph graph = {topo_nvertices(in->topo), links->first, links->peer};
	int *order = xmalloc((size_t)graph.n * sizeof(*order));

	rcm_order(&graph, order);
	map_nodes_in_order(in, order, graph.n, at);
	free(order);
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	struct comm *both = comm_symmetric(parts->comm);
	struct graph graph = {parts->nparts, both->first, both->peer};
	int *part_at = xmalloc((size_t)parts->nparts * sizeof(*part_at));
	int *node_at = xmalloc((size_t)in->nnodes * sizeof(*node_at));

	(void)pick, (void)err;
	rcm_order(&graph, part_at);
	order_nodes(in, node_at);
	map_along(in, parts, part_at, node_at, node_of);
	free(part_at);
	free(node_at);
	comm_free(both);
	return 0;
}

const struct map_policy map_policy_rcm = {
	.entry =
		{
			.name = "rcm",
			.example = "rcm",
			.summary = "graph and machine in Reverse Cuthill–McKee order, "
				   "matched one to one",
			.paper = "Hoefler, Snir: Generic topology mapping strategies, §5.3",
		},
	.partition = "scotch",
	.refine = "none",
	.run = run,
};
