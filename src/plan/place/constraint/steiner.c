/* steiner.c - small connected sets of idle nodes that touch given places */
#include "place/constraint/steiner.h"

#include <stdlib.h>
#include <string.h>

enum { STATES_MOST = 16000000, FAR = INT32_MAX / 4 };

/*
 * Vertices: router r with idle nodes (one of them, weight 1), and nrouters + r: the separate I/O
 * node of router r (weight 0). A state is (mask, vertex): the least weight of a connected set that
 * has the vertex and touches the mask. from records how it was reached: the state before plus 1
 * where the vertex joined, or −(one half) − 1 where two sets with the vertex were put together.
 */
struct states {
	const struct steiner *steiner;
	int nvertices, nmasks;
	int *weight; /* [nmasks · nvertices] */
	int64_t *from;
	int *best_node; /* [nrouters] idle node that comes first by rank; −1: none */
};

static int64_t state_at(const struct states *states, int mask, int vertex)
{
	return (int64_t)mask * states->nvertices + vertex;
}

static int router_at(const struct states *states, int vertex)
{
	return vertex % states->steiner->space->topo->nrouters;
}

static bool is_io(const struct states *states, int vertex)
{
	return vertex >= states->steiner->space->topo->nrouters;
}

static bool is_vertex(const struct states *states, int vertex)
{
	int router = router_at(states, vertex);

	return is_io(states, vertex) ? states->steiner->space->connects[router]
				     : states->best_node[router] >= 0;
}

static unsigned mask_of(const struct states *states, int vertex)
{
	return is_io(states, vertex) ? 0 : states->steiner->mask[vertex];
}

static void find_best_nodes(struct states *states)
{
	const struct steiner *steiner = states->steiner;
	const struct space *space = steiner->space;

	for (int r = 0; r < space->topo->nrouters; r++) {
		states->best_node[r] = -1;
		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++) {
			int node = space->node[k];

			if (machine_is_idle(steiner->machine, node) &&
			    (states->best_node[r] < 0 ||
			     steiner->rank[node] < steiner->rank[states->best_node[r]]))
				states->best_node[r] = node;
		}
	}
}

static void improve(struct states *states, int mask, int vertex, int weight, int64_t from,
		    int_vec *changed)
{
	int64_t at = state_at(states, mask, vertex);

	if (weight >= states->weight[at])
		return;
	states->weight[at] = weight;
	states->from[at] = from;
	if (changed != NULL)
		vec_push(changed, vertex);
}

/* Two sets that meet in a vertex. */
static void join_halves(struct states *states, int mask, int vertex, int own)
{
	for (int half = (mask - 1) & mask; half > 0; half = (half - 1) & mask) {
		int64_t a = state_at(states, half, vertex);
		int64_t b = state_at(states, mask ^ half, vertex);

		if (half < (mask ^ half))
			break; /* the rest mirrors what was seen */
		if (states->weight[a] < FAR && states->weight[b] < FAR)
			improve(states, mask, vertex, states->weight[a] + states->weight[b] - own,
				-a - 1, NULL);
	}
}

/* A set of this mask goes on to a vertex, which may answer for any of the places it touches. */
static void go_on(struct states *states, int mask, int vertex, int next, int_vec *changed)
{
	int64_t at = state_at(states, mask, vertex);
	int new;

	if (!is_vertex(states, next))
		return;
	new = (int)mask_of(states, next) & ~mask;
	for (int part = new;; part = (part - 1) & new) {
		improve(states, mask | part, next, states->weight[at] + !is_io(states, next),
			at + 1, part == 0 ? changed : NULL);
		if (part == 0)
			return;
	}
}

/* Weights along paths are 0 or 1, and rarely improve twice: label correcting. */
static void spread(struct states *states, int mask)
{
	const struct space *space = states->steiner->space;
	int nrouters = space->topo->nrouters;
	int_vec queue = {0};

	for (int v = 0; v < states->nvertices; v++)
		if (states->weight[state_at(states, mask, v)] < FAR)
			vec_push(&queue, v);
	for (size_t i = 0; i < queue.n; i++) {
		int v = queue.at[i], r = router_at(states, v);

		go_on(states, mask, v, is_io(states, v) ? r : r + nrouters, &queue);
		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++) {
			go_on(states, mask, v, space->peer[k], &queue);
			go_on(states, mask, v, space->peer[k] + nrouters, &queue);
		}
	}
	free(queue.at);
}

static void fill(struct states *states)
{
	int64_t n = (int64_t)states->nmasks * states->nvertices;

	for (int64_t i = 0; i < n; i++)
		states->weight[i] = FAR;
	for (int v = 0; v < states->nvertices; v++)
		for (int all = (int)mask_of(states, v), part = all;
		     is_vertex(states, v) && part > 0; part = (part - 1) & all)
			improve(states, part, v, !is_io(states, v), 0, NULL);
	for (int mask = 1; mask < states->nmasks; mask++) {
		for (int v = 0; v < states->nvertices; v++)
			if (is_vertex(states, v))
				join_halves(states, mask, v, !is_io(states, v));
		spread(states, mask);
	}
}

/* The vertices of a state, marked. */
static void trace(const struct states *states, int64_t at, bool *is_in)
{
	for (;;) {
		int64_t from = states->from[at];
		int vertex = (int)(at % states->nvertices);

		is_in[vertex] = true;
		if (from == 0)
			return;
		if (from > 0) {
			at = from - 1;
			continue;
		}
		from = -from - 1;
		trace(states, from, is_in);
		at = state_at(states,
			      (int)(at / states->nvertices) ^ (int)(from / states->nvertices),
			      vertex);
	}
}

static int nbits(int mask)
{
	int n = 0;

	for (; mask != 0; mask &= mask - 1)
		n++;
	return n;
}

/* The lightest sufficient state of each piece; pieces are found by walking from it. */
static int visit_cores(const struct states *states, struct search *search,
		       int (*visit)(void *context, const int *nodes, int n), void *context)
{
	const struct steiner *steiner = states->steiner;
	bool *is_done = xcalloc((size_t)steiner->space->topo->nrouters, sizeof(bool));
	int end = SEARCH_ALL;

	while (end == SEARCH_ALL) {
		int64_t best = -1;
		bool *is_in;
		struct reach reach;
		int_vec core = {0};

		for (int mask = 0; mask < states->nmasks; mask++)
			for (int v = 0; v < states->nvertices && nbits(mask) >= steiner->least;
			     v++) {
				int64_t at = state_at(states, mask, v);

				if (states->weight[at] <= search->wanted &&
				    states->weight[at] > 0 && !is_done[router_at(states, v)] &&
				    (best < 0 || states->weight[at] < states->weight[best]))
					best = at;
			}
		if (best < 0)
			break;
		is_in = xcalloc((size_t)states->nvertices, sizeof(bool));
		trace(states, best, is_in);
		reach_init(&reach, steiner->space);
		for (int v = 0; v < steiner->space->topo->nrouters; v++)
			if (is_in[v])
				vec_push(&core, states->best_node[v]);
		/* this piece is dealt with: routers with idle nodes, and what they reach */
		reach_from(&reach, steiner->space->topo->router_of[core.at[0]]);
		for (size_t i = 0; i < reach.newly.n; i++) {
			is_done[reach.newly.at[i]] = true;
			if (states->best_node[reach.newly.at[i]] >= 0)
				reach_from(&reach, reach.newly.at[i]);
		}
		if (visit(context, core.at, (int)core.n) != 0)
			end = SEARCH_STOP;
		reach_free(&reach);
		free(is_in);
		free(core.at);
	}
	free(is_done);
	return end;
}

int steiner_cores(const struct steiner *steiner, struct search *search,
		  int (*visit)(void *context, const int *nodes, int n), void *context)
{
	int nrouters = steiner->space->topo->nrouters;
	struct states states = {
		.steiner = steiner, .nvertices = 2 * nrouters, .nmasks = 1 << steiner->nplaces};
	int64_t n = (int64_t)states.nmasks * states.nvertices, joins = states.nvertices;
	int end;

	for (int i = 0; i < steiner->nplaces; i++)
		joins *= 3; /* pairs of masks that have no place in common */
	if (n > STATES_MOST || !search_spend(search, joins / 4))
		return SEARCH_BOUND;
	states.best_node = xmalloc((size_t)nrouters * sizeof(int));
	states.weight = xmalloc((size_t)n * sizeof(int));
	states.from = xcalloc((size_t)n, sizeof(int64_t));
	find_best_nodes(&states);
	fill(&states);
	end = visit_cores(&states, search, visit, context);
	free(states.best_node);
	free(states.weight);
	free(states.from);
	return end;
}
