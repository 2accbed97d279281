/* greedy.c - heaviest edges first, each to the node that is nearest over lightly loaded links */
#include <stdlib.h>

#include "map/problem/fit.h"
#include "map/problem/problem.h"
#include "base/mem.h"

/*
 * Hoefler and Snir's Algorithm 1. The part with the most bytes in all goes to the first node of the
 * list; then the heaviest edge between a mapped and an unmapped part says who is next, and that one
 * goes to the nearest free node of its partner. Near means the least sum over the links of a way,
 * there and back, of
 *
 *     (load + bytes of the edge) / capacity, in both directions,
 *
 * and the bytes of all edges to parts that are mapped are then added to the links of the ways that
 * such searches found: a separate routing, which knows nothing of the machine's. Ties go to the
 * lowest number.
 */
struct greedy {
	const struct map_input *in;
	const struct map_parts *parts;
	const struct comm *both; /* of the parts, both directions added up */
	const struct topo_graph *graph;
	int *node_of;                 /* [nparts] -1: not mapped */
	int *index_of;                /* [vertices] its first free place in the allocation, or -1 */
	int *next_of;                 /* [nnodes] the next free place at the same vertex, or -1 */
	double *load;                 /* [links] both directions, bytes over capacity */
	double per_byte[TOPO_LEVELS]; /* 1 / capacity */

	VEC(struct edge) edges; /* a heap: the heaviest first */
	VEC(struct step) steps; /* a heap: the nearest first */
	double *distance;       /* [vertices] in the search at hand; −1: none */
	int32_t *by;            /* [vertices] the channel that led there */
	int_vec reached;
	struct map_fit fit;
};

struct edge {
	double bytes;
	int from, to;
};

struct step {
	double distance;
	int vertex;
};

static bool edge_first(const struct edge *a, const struct edge *b)
{
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes;
	return a->to != b->to ? a->to < b->to : a->from < b->from;
}

static bool step_first(const struct step *a, const struct step *b)
{
	return a->distance != b->distance ? a->distance < b->distance : a->vertex < b->vertex;
}

#define HEAP(type, name, vector)                                                                   \
	static void push_##name(struct greedy *g, struct type new)                                 \
	{                                                                                          \
		size_t i = g->vector.n;                                                            \
                                                                                                   \
		vec_push(&g->vector, new);                                                         \
		for (; i > 0 && name##_first(&new, &g->vector.at[(i - 1) / 2]); i = (i - 1) / 2)   \
			g->vector.at[i] = g->vector.at[(i - 1) / 2];                               \
		g->vector.at[i] = new;                                                             \
	}                                                                                          \
                                                                                                   \
	static struct type pop_##name(struct greedy *g)                                            \
	{                                                                                          \
		struct type *at = g->vector.at, top = at[0], last = at[--g->vector.n];             \
		size_t i = 0, n = g->vector.n;                                                     \
                                                                                                   \
		for (size_t child; (child = 2 * i + 1) < n; i = child) {                           \
			if (child + 1 < n && name##_first(&at[child + 1], &at[child]))             \
				child++;                                                           \
			if (!name##_first(&at[child], &last))                                      \
				break;                                                             \
			at[i] = at[child];                                                         \
		}                                                                                  \
		at[i] = last;                                                                      \
		return top;                                                                        \
	}

HEAP(edge, edge, edges)
HEAP(step, step, steps)

static void relax(struct greedy *g, int v, int target, double bytes)
{
	for (int64_t i = g->graph->first[v]; i < g->graph->first[v + 1]; i++) {
		int64_t link = g->graph->channel[i] / 2;
		double way = g->distance[v] + g->load[link] +
			     bytes * g->per_byte[g->graph->links[link].level];
		int peer = g->graph->peer[i];

		if (peer < g->in->topo->nnodes && peer != target && g->index_of[peer] < 0)
			continue; /* nodes pass nothing on */
		if (g->distance[peer] >= 0 && g->distance[peer] <= way)
			continue;
		if (g->distance[peer] < 0)
			vec_push(&g->reached, peer);
		g->distance[peer] = way;
		g->by[peer] = g->graph->channel[i];
		push_step(g, (struct step){way, peer});
	}
}

/* Whether a vertex is a free node that a part of this size may take. */
static bool is_free(const struct greedy *g, int v, int size)
{
	int room;

	if (v >= g->in->topo->nnodes || g->index_of[v] < 0)
		return false;
	room = g->in->room[g->index_of[v]];
	return room >= size && room <= map_fit_most(&g->fit, size);
}

/* Dijkstra's search from a vertex to the target, or (-1) to a free node for a part of this size.
 * Returns the vertex found, or -1. */
static int search(struct greedy *g, int from, int target, double bytes, int size)
{
	int found = -1;

	for (size_t i = 0; i < g->reached.n; i++)
		g->distance[g->reached.at[i]] = -1;
	g->reached.n = g->steps.n = 0;
	g->distance[from] = 0;
	vec_push(&g->reached, from);
	push_step(g, (struct step){0, from});
	while (g->steps.n > 0 && found < 0) {
		struct step step = pop_step(g);
		int v = step.vertex;

		if (step.distance > g->distance[v])
			continue;
		if (target >= 0 ? v == target : is_free(g, v, size))
			found = v;
		else if (v == from || v >= g->in->topo->nnodes)
			relax(g, v, target, bytes);
	}
	return found;
}

/* bytes more on the way that the last search found. */
static void load_way(struct greedy *g, int from, int to, double bytes)
{
	while (to != from) {
		int32_t channel = g->by[to];
		const struct topo_link *link = &g->graph->links[channel / 2];

		g->load[channel / 2] += bytes * g->per_byte[link->level];
		to = channel % 2 == 0 ? link->a : link->b;
	}
}

static void place(struct greedy *g, int part, int vertex)
{
	g->node_of[part] = g->index_of[vertex];
	map_fit_take(&g->fit, g->parts->size[part], g->in->room[g->node_of[part]]);
	g->index_of[vertex] = g->next_of[g->index_of[vertex]];
	for (int64_t e = g->both->first[part]; e < g->both->first[part + 1]; e++) {
		int peer = g->both->peer[e], from;

		if (g->node_of[peer] < 0) {
			push_edge(g, (struct edge){g->both->bytes[e], part, peer});
			continue;
		}
		from = g->in->nodes[g->node_of[peer]];
		if (search(g, from, vertex, g->both->bytes[e], 0) >= 0)
			load_way(g, from, vertex, g->both->bytes[e]);
	}
}

/* The unmapped part with the most bytes in all. */
static int heaviest(const struct greedy *g, const double *weight)
{
	int best = -1;

	for (int p = 0; p < g->parts->nparts; p++)
		if (g->node_of[p] < 0 && (best < 0 || weight[p] > weight[best]))
			best = p;
	return best;
}

/* The first free node of the list for a part of this size: there is always one. */
static int first_free(const struct greedy *g, int size)
{
	int v = 0;

	while (g->index_of[g->in->nodes[v]] != v || !is_free(g, g->in->nodes[v], size))
		v++;
	return g->in->nodes[v];
}

/* The heaviest edge to a part that is not mapped; false: none. */
static bool next_edge(struct greedy *g, struct edge *edge)
{
	while (g->edges.n > 0) {
		*edge = pop_edge(g);
		if (g->node_of[edge->to] < 0)
			return true;
	}
	return false;
}

static void place_all(struct greedy *g, const double *weight)
{
	struct edge edge;

	for (int part; (part = heaviest(g, weight)) >= 0;) {
		int vertex = first_free(g, g->parts->size[part]);

		for (;;) {
			place(g, part, vertex);
			if (!next_edge(g, &edge))
				break;
			part = edge.to;
			vertex = search(g, g->in->nodes[g->node_of[edge.from]], -1, edge.bytes,
					g->parts->size[part]);
			if (vertex < 0) /* a network in several pieces */
				vertex = first_free(g, g->parts->size[part]);
		}
	}
}

static void start(struct greedy *g)
{
	const struct map_input *in = g->in;
	int nvertices = topo_nvertices(in->topo);

	g->index_of = xmalloc((size_t)nvertices * sizeof(*g->index_of));
	g->next_of = xmalloc((size_t)in->nnodes * sizeof(*g->next_of));
	g->distance = xmalloc((size_t)nvertices * sizeof(*g->distance));
	g->by = xmalloc((size_t)nvertices * sizeof(*g->by));
	g->load = xcalloc((size_t)g->graph->nlinks, sizeof(*g->load));
	for (int v = 0; v < nvertices; v++) {
		g->index_of[v] = -1;
		g->distance[v] = -1;
	}
	for (int v = in->nnodes - 1; v >= 0; v--) {
		g->next_of[v] = g->index_of[in->nodes[v]];
		g->index_of[in->nodes[v]] = v;
	}
	for (int level = 0; level < in->topo->nlevels; level++)
		g->per_byte[level] = in->topo->levels[LINK_TERMINAL].bandwidth /
				     in->topo->levels[level].bandwidth;
	for (int p = 0; p < g->parts->nparts; p++)
		g->node_of[p] = -1;
	map_fit_open(&g->fit, in, g->parts);
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	struct greedy g = {
		.in = in, .parts = parts, .graph = topo_graph(in->topo), .node_of = node_of};
	struct comm *both = comm_symmetric(parts->comm);
	double *weight = xcalloc((size_t)parts->nparts, sizeof(*weight));

	(void)pick, (void)err;
	g.both = both;
	start(&g);
	for (int p = 0; p < parts->nparts; p++)
		for (int64_t e = both->first[p]; e < both->first[p + 1]; e++)
			weight[p] += both->bytes[e];
	place_all(&g, weight);
	map_fit_close(&g.fit);
	vec_free(&g.edges);
	vec_free(&g.steps);
	vec_free(&g.reached);
	free(g.index_of);
	free(g.next_of);
	free(g.distance);
	free(g.by);
	free(g.load);
	free(weight);
	comm_free(both);
	return 0;
}

const struct map_policy map_policy_greedy = {
	.entry =
		{
			.name = "greedy",
			.example = "greedy",
			.summary = "heaviest edges first, each to the nearest node over "
				   "lightly loaded links",
			.paper = "Hoefler, Snir: Generic topology mapping strategies, §5.1",
		},
	.partition = "scotch",
	.refine = "none",
	.run = run,
};
