/* cut.c - cutting a machine in two: moves of routers from side to side */
#include "machine/stats/cut.h"

#include <stdlib.h>
#include <string.h>

/* ---- the graph ---- */

static bool is_on_several(const struct topo_graph *graph, int node)
{
	int64_t first = graph->first[node], last = graph->first[node + 1] - 1;

	return graph->peer[first] != graph->peer[last];
}

/* at [nvertices]: the place of each router and of each node that is a separate vertex; other
 * nodes have that of their router. */
static void number_vertices(struct cut_graph *cut, const struct topo *topo, int *at)
{
	for (int v = 0; v < topo_nvertices(topo); v++)
		at[v] = -1;
	for (int node = 0; node < topo->nnodes; node++) {
		int router = topo->nnodes + topo->router_of[node];

		if (at[router] < 0)
			at[router] = cut->n++;
	}
	for (int router = topo->nnodes; router < topo_nvertices(topo); router++)
		if (at[router] < 0)
			at[router] = cut->n++;
	for (int node = 0; node < topo->nnodes; node++)
		at[node] = is_on_several(topo->graph, node)
				   ? cut->n++
				   : at[topo->nnodes + topo->router_of[node]];
}

static void weigh_vertices(struct cut_graph *cut, const struct topo *topo, const int *at)
{
	cut->weight = xcalloc((size_t)cut->n + 1, sizeof(*cut->weight));
	for (int node = 0; node < topo->nnodes; node++)
		cut->weight[at[node]]++;
	for (int v = 0; v < cut->n; v++) {
		cut->nweighted += cut->weight[v] > 0;
		cut->total += cut->weight[v];
		cut->heaviest = cut->weight[v] > cut->heaviest ? cut->weight[v] : cut->heaviest;
	}
}

/* Each channel between two places, at the one that it leaves; parallel ones are consecutive, as the
 * channels of a vertex are sorted by where they lead. */
static int64_t add_joints(struct cut_graph *cut, const struct topo *topo, const int *at, int vertex,
			  int64_t n)
{
	const struct topo_graph *graph = topo->graph;
	int64_t start = n;

	for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
		const struct topo_link *link = &graph->links[graph->channel[i] / 2];
		int peer = at[graph->peer[i]];

		if (peer == at[vertex])
			continue;
		if (n > start && cut->peer[n - 1] == peer) {
			cut->width[n - 1] += topo->levels[link->level].bandwidth;
			continue;
		}
		cut->peer[n] = peer;
		cut->width[n++] = topo->levels[link->level].bandwidth;
	}
	return n;
}

void cut_graph_make(struct cut_graph *cut, struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);
	int nvertices = topo_nvertices(topo);
	int *at = xmalloc((size_t)nvertices * sizeof(*at));
	int *vertex_of;
	int64_t n = 0;

	*cut = (struct cut_graph){0};
	number_vertices(cut, topo, at);
	weigh_vertices(cut, topo, at);
	vertex_of = xmalloc(((size_t)cut->n + 1) * sizeof(*vertex_of));
	for (int v = 0; v < nvertices; v++)
		if (v >= topo->nnodes || is_on_several(graph, v))
			vertex_of[at[v]] = v;
	cut->first = xmalloc(((size_t)cut->n + 1) * sizeof(*cut->first));
	cut->peer = xmalloc(((size_t)graph->nlinks * 2 + 1) * sizeof(*cut->peer));
	cut->width = xmalloc(((size_t)graph->nlinks * 2 + 1) * sizeof(*cut->width));
	for (int v = 0; v < cut->n; v++) {
		cut->first[v] = n;
		n = add_joints(cut, topo, at, vertex_of[v], n);
	}
	cut->first[cut->n] = n;
	free(vertex_of);
	free(at);
}

void cut_graph_free(struct cut_graph *cut)
{
	free(cut->weight);
	free(cut->first);
	free(cut->peer);
	free(cut->width);
}

/* ---- cuts ---- */

double cut_width(const struct cut_graph *graph, const char *side)
{
	double width = 0;

	for (int v = 0; v < graph->n; v++)
		for (int64_t i = graph->first[v]; side[v] == 0 && i < graph->first[v + 1]; i++)
			if (side[graph->peer[i]] != 0)
				width += graph->width[i];
	return width;
}

static int64_t imbalance_of(const struct cut_graph *graph, const char *side)
{
	int64_t difference = 0;

	for (int v = 0; v < graph->n; v++)
		difference += side[v] ? -graph->weight[v] : graph->weight[v];
	return difference;
}

bool cut_is_balanced(const struct cut_graph *graph, const char *side)
{
	return llabs(imbalance_of(graph, side)) <= graph->heaviest;
}

/* ---- a pass of moves ---- */

/* A vertex that may move, by how much narrower the cut becomes; what is out of date stays in the
 * heap until it comes to the top. */
struct move {
	double gain;
	int vertex;
};

struct heap {
	VEC(struct move) moves;
};

static bool is_before(const struct move *a, const struct move *b)
{
	return a->gain > b->gain || (a->gain == b->gain && a->vertex < b->vertex);
}

static void heap_push(struct heap *heap, struct move move)
{
	size_t i = heap->moves.n;

	vec_push(&heap->moves, move);
	for (; i > 0 && is_before(&move, &heap->moves.at[(i - 1) / 2]); i = (i - 1) / 2)
		heap->moves.at[i] = heap->moves.at[(i - 1) / 2];
	heap->moves.at[i] = move;
}

static void heap_pop(struct heap *heap)
{
	struct move last = heap->moves.at[--heap->moves.n];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap->moves.n &&
		    is_before(&heap->moves.at[child + 1], &heap->moves.at[child]))
			child++;
		if (child >= heap->moves.n || !is_before(&heap->moves.at[child], &last))
			break;
		heap->moves.at[i] = heap->moves.at[child];
		i = child;
	}
	if (heap->moves.n > 0)
		heap->moves.at[i] = last;
}

/* One heap for each side, and one for vertices without weight, which any balance can move. */
struct pass {
	const struct cut_graph *graph;
	char *side;
	double *gain;   /* [n] */
	char *is_moved; /* [n] */
	struct heap heaps[3];
	int64_t difference; /* weight of side 0 less that of side 1 */
};

static struct heap *heap_of(struct pass *pass, int v)
{
	return &pass->heaps[pass->graph->weight[v] == 0 ? 2 : pass->side[v]];
}

/* The valid top of a heap, or NULL. */
static const struct move *top_of(struct pass *pass, struct heap *heap)
{
	while (heap->moves.n > 0) {
		const struct move *top = &heap->moves.at[0];

		if (!pass->is_moved[top->vertex] && pass->gain[top->vertex] == top->gain)
			return top;
		heap_pop(heap);
	}
	return NULL;
}

/* Of the moves that keep the parts within two of the heaviest vertices of each other the one with
 * the greatest gain; -1: none. */
static int choose_move(struct pass *pass)
{
	const struct move *best = NULL;

	for (int i = 0; i < 3; i++) {
		const struct move *top = top_of(pass, &pass->heaps[i]);
		int64_t after;

		if (top == NULL)
			continue;
		after = pass->difference +
			(pass->side[top->vertex] ? 2 : -2) * pass->graph->weight[top->vertex];
		if (llabs(after) > 2 * pass->graph->heaviest &&
		    llabs(after) >= llabs(pass->difference))
			continue;
		if (best == NULL || is_before(top, best))
			best = top;
	}
	return best != NULL ? best->vertex : -1;
}

static void move_vertex(struct pass *pass, int v)
{
	const struct cut_graph *graph = pass->graph;

	pass->is_moved[v] = 1;
	pass->difference += (pass->side[v] ? 2 : -2) * graph->weight[v];
	pass->side[v] = !pass->side[v];
	for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
		int peer = graph->peer[i];

		if (pass->is_moved[peer])
			continue;
		pass->gain[peer] += pass->side[peer] == pass->side[v] ? -2 * graph->width[i]
								      : 2 * graph->width[i];
		heap_push(heap_of(pass, peer), (struct move){pass->gain[peer], peer});
	}
}

static void start_pass(struct pass *pass)
{
	const struct cut_graph *graph = pass->graph;

	for (int v = 0; v < graph->n; v++) {
		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++)
			pass->gain[v] += pass->side[graph->peer[i]] != pass->side[v]
						 ? graph->width[i]
						 : -graph->width[i];
		heap_push(heap_of(pass, v), (struct move){pass->gain[v], v});
	}
	pass->difference = imbalance_of(graph, pass->side);
}

/* Moves while there are moves; moved [n] lists them. Returns how many of them to keep. */
static int run_pass(struct pass *pass, int *moved, int *nmoved, bool *is_better)
{
	int64_t allowed = pass->graph->heaviest;
	bool was_balanced = llabs(pass->difference) <= allowed, is_found = was_balanced;
	double gain = 0, best = 0;
	int nbest = 0, v;

	*nmoved = 0;
	while ((v = choose_move(pass)) >= 0) {
		gain += pass->gain[v];
		move_vertex(pass, v);
		moved[(*nmoved)++] = v;
		/* Rounding must not look like progress. */
		if (llabs(pass->difference) <= allowed &&
		    (!is_found || gain > best + 1e-9 * (best < 0 ? -best : best) + 1e-9)) {
			is_found = true;
			best = gain;
			nbest = *nmoved;
		}
	}
	*is_better = nbest > 0;
	return nbest;
}

bool cut_improve(const struct cut_graph *graph, char *side)
{
	struct pass pass = {
		.graph = graph,
		.side = side,
		.gain = xcalloc((size_t)graph->n + 1, sizeof(double)),
		.is_moved = xcalloc((size_t)graph->n + 1, 1),
	};
	int *moved = xmalloc(((size_t)graph->n + 1) * sizeof(*moved)), nmoved, nkept;
	bool is_better;

	start_pass(&pass);
	nkept = run_pass(&pass, moved, &nmoved, &is_better);
	for (int i = nkept; i < nmoved; i++)
		side[moved[i]] = !side[moved[i]];
	free(moved);
	free(pass.gain);
	free(pass.is_moved);
	for (int i = 0; i < 3; i++)
		free(pass.heaps[i].moves.at);
	return is_better;
}
