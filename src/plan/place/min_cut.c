/* min_cut.c - a minimum cut of a network, by Dinic's algorithm */
#include "place/min_cut.h"

#include <stdlib.h>
#include <string.h>

void cut_init(struct cut *cut, int n)
{
	*cut = (struct cut){.n = n};
	cut->last = xmalloc(((size_t)n + 1) * sizeof(int));
	cut->depth = xmalloc(((size_t)n + 1) * sizeof(int));
	cut->at = xmalloc(((size_t)n + 1) * sizeof(int));
	for (int v = 0; v < n; v++)
		cut->last[v] = -1;
}

void cut_free(struct cut *cut)
{
	vec_free(&cut->arcs);
	free(cut->last);
	free(cut->depth);
	free(cut->at);
}

static void add(struct cut *cut, int from, int to, int64_t capacity)
{
	vec_push(&cut->arcs, (struct cut_arc){to, cut->last[from], capacity});
	cut->last[from] = (int)cut->arcs.n - 1;
}

void cut_arc(struct cut *cut, int from, int to, int64_t capacity)
{
	add(cut, from, to, capacity);
	add(cut, to, from, 0);
}

/* Breadth first over what is left. Whether the sink is reached. */
static bool level(struct cut *cut, int source, int sink, int *queue)
{
	int n = 0;

	for (int v = 0; v < cut->n; v++)
		cut->depth[v] = -1;
	cut->depth[source] = 0;
	queue[n++] = source;
	for (int done = 0; done < n; done++)
		for (int i = cut->last[queue[done]]; i >= 0; i = cut->arcs.at[i].next)
			if (cut->arcs.at[i].left > 0 && cut->depth[cut->arcs.at[i].to] < 0) {
				cut->depth[cut->arcs.at[i].to] = cut->depth[queue[done]] + 1;
				queue[n++] = cut->arcs.at[i].to;
			}
	return cut->depth[sink] >= 0;
}

/* One path along the levels, by a stack of arcs; what went through it. */
static int64_t push(struct cut *cut, int source, int sink, int *path)
{
	int n = 0, v = source;
	int64_t least = INT64_MAX;

	while (v != sink) {
		int i = cut->at[v];

		while (i >= 0 && (cut->arcs.at[i].left == 0 ||
				  cut->depth[cut->arcs.at[i].to] != cut->depth[v] + 1))
			i = cut->arcs.at[i].next;
		cut->at[v] = i;
		if (i >= 0) {
			path[n++] = i;
			v = cut->arcs.at[i].to;
		} else if (n == 0) {
			return 0;
		} else {
			v = cut->arcs.at[path[--n] ^ 1].to;
			cut->at[v] = cut->arcs.at[cut->at[v]].next;
		}
	}
	for (int i = 0; i < n; i++)
		least = cut->arcs.at[path[i]].left < least ? cut->arcs.at[path[i]].left : least;
	for (int i = 0; i < n; i++) {
		cut->arcs.at[path[i]].left -= least;
		cut->arcs.at[path[i] ^ 1].left += least;
	}
	return least;
}

int64_t cut_find(struct cut *cut, int source, int sink)
{
	int *scratch = xmalloc(((size_t)cut->n + 1) * sizeof(int));
	int64_t flow = 0, pushed;

	while (level(cut, source, sink, scratch)) {
		memcpy(cut->at, cut->last, (size_t)cut->n * sizeof(int));
		while ((pushed = push(cut, source, sink, scratch)) > 0)
			flow += pushed;
	}
	free(scratch);
	return flow;
}
