/* connected_sets.c - connected sets of idle nodes: one that grows by rank, or all */
#include <stdlib.h>

#include "place/constraint/connected_pieces.h"

/* ---- a heap of nodes by rank ---- */

struct frontier {
	const int *rank;
	int_vec heap;
};

static void push(struct frontier *frontier, int node)
{
	const int *rank = frontier->rank;
	size_t i = frontier->heap.n;
	int *at;

	vec_push(&frontier->heap, node);
	for (at = frontier->heap.at; i > 0 && rank[at[(i - 1) / 2]] > rank[node]; i = (i - 1) / 2)
		at[i] = at[(i - 1) / 2];
	at[i] = node;
}

static int pop(struct frontier *frontier)
{
	const int *rank = frontier->rank;
	int *at = frontier->heap.at, first = at[0], last = at[--frontier->heap.n];
	size_t n = frontier->heap.n, i = 0;

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && rank[at[child + 1]] < rank[at[child]])
			child++;
		if (rank[at[child]] >= rank[last])
			break;
		at[i] = at[child];
	}
	if (n > 0)
		at[i] = last;
	return first;
}

/* ---- growth ---- */

struct growth {
	struct search *search;
	struct reach reach;
	struct frontier frontier;
	bool *is_in; /* [nnodes] the set or the core */
	int_vec set;
};

/* The set has this node now: what is next to it may follow. */
static void take(struct growth *growth, int node)
{
	const struct space *space = growth->reach.space;

	vec_push(&growth->set, node);
	growth->reach.newly.n = 0;
	reach_from(&growth->reach, space->topo->router_of[node]);
	for (size_t i = 0; i < growth->reach.newly.n; i++) {
		int r = growth->reach.newly.at[i];

		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
			if (machine_is_idle(growth->search->machine, space->node[k]) &&
			    !growth->is_in[space->node[k]])
				push(&growth->frontier, space->node[k]);
	}
}

int connected_grow(struct search *search, const struct space *space, const int *core, int ncore)
{
	struct growth growth = {.search = search, .frontier = {.rank = search->rank}};
	size_t wanted = (size_t)search->wanted;
	int end = SEARCH_ALL;

	if (!search_spend(search, search->wanted))
		return SEARCH_BOUND;
	reach_init(&growth.reach, space);
	growth.is_in = xcalloc((size_t)space->topo->nnodes, sizeof(*growth.is_in));
	for (int i = 0; i < ncore; i++)
		growth.is_in[core[i]] = true;
	for (int i = 0; i < ncore; i++)
		take(&growth, core[i]);
	while (growth.set.n < wanted && growth.frontier.heap.n > 0)
		take(&growth, pop(&growth.frontier));
	if (growth.set.n == wanted)
		end = search_exact(search, growth.set.at);
	reach_free(&growth.reach);
	free(growth.is_in);
	free(growth.frontier.heap.at);
	free(growth.set.at);
	return end;
}

/* ---- all sets ---- */

/* The nodes of a piece by their places in it, and who is adjacent to whom. */
struct esu {
	struct search *search;
	int n;
	const int *node;
	int *first, *peer; /* places: of place i peer[first[i]] … first[i + 1] - 1 */
	int *nearby;       /* [n] members of the set that are adjacent or the node itself */
	int root;
	int_vec set; /* places */
	int *nodes;  /* [wanted] */
};

static void find_adjacent(struct esu *esu, const struct space *space)
{
	struct reach reach;
	int_vec peers = {0};
	int *place = xmalloc((size_t)space->topo->nnodes * sizeof(*place));

	for (int i = 0; i < space->topo->nnodes; i++)
		place[i] = -1;
	for (int i = 0; i < esu->n; i++)
		place[esu->node[i]] = i;
	esu->first = xcalloc((size_t)esu->n + 1, sizeof(int));
	reach_init(&reach, space);
	for (int i = 0; i < esu->n; i++) {
		reach_clear(&reach);
		reach_from(&reach, space->topo->router_of[esu->node[i]]);
		for (size_t k = 0; k < reach.newly.n; k++) {
			int r = reach.newly.at[k];

			for (int m = space->first_node[r]; m < space->first_node[r + 1]; m++)
				if (place[space->node[m]] >= 0 && place[space->node[m]] != i)
					vec_push(&peers, place[space->node[m]]);
		}
		esu->first[i + 1] = (int)peers.n;
	}
	vec_push(&peers, -1);
	esu->peer = peers.at;
	free(place);
	reach_free(&reach);
}

static void count(struct esu *esu, int place, int change)
{
	esu->nearby[place] += change;
	for (int k = esu->first[place]; k < esu->first[place + 1]; k++)
		esu->nearby[esu->peer[k]] += change;
}

/* extension [n]: places that may follow; each is taken in turn, and not again after that. */
static int extend(struct esu *esu, const int *extension, int n)
{
	int end = SEARCH_ALL;

	if (esu->set.n == (size_t)esu->search->wanted) {
		for (size_t i = 0; i < esu->set.n; i++)
			esu->nodes[i] = esu->node[esu->set.at[i]];
		return search_exact(esu->search, esu->nodes);
	}
	for (int i = 0; i < n && end == SEARCH_ALL; i++) {
		int next = extension[i];
		int_vec more = {0};

		if (!search_spend(esu->search, n))
			return SEARCH_BOUND;
		for (int k = i + 1; k < n; k++)
			vec_push(&more, extension[k]);
		for (int k = esu->first[next]; k < esu->first[next + 1]; k++)
			if (esu->peer[k] > esu->root && esu->nearby[esu->peer[k]] == 0)
				vec_push(&more, esu->peer[k]);
		vec_push(&esu->set, next);
		count(esu, next, 1);
		end = extend(esu, more.at, (int)more.n);
		count(esu, next, -1);
		esu->set.n--;
		free(more.at);
	}
	return end;
}

int connected_all(struct search *search, const struct space *space, const int *piece, int n)
{
	struct esu esu = {.search = search, .n = n, .node = piece};
	int end = SEARCH_ALL;

	find_adjacent(&esu, space);
	esu.nearby = xcalloc((size_t)n, sizeof(int));
	esu.nodes = xmalloc((size_t)search->wanted * sizeof(int));
	for (esu.root = 0; esu.root < n && end == SEARCH_ALL; esu.root++)
		end = extend(&esu, &esu.root, 1);
	free(esu.first);
	free(esu.peer);
	free(esu.nearby);
	free(esu.nodes);
	free(esu.set.at);
	return end;
}
