/* whole_parts.c - parts of a job that do not talk to each other, each on one node where it fits */
#include "map/mapper/whole_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* More parts times nodes take too long. */
enum { PARTS_NODES = 1 << 24 };

/* Ranks in the order of their parts; part p has ranks[first[p]] … ranks[first[p + 1] - 1]. */
struct parts {
	int n;
	int *first, *ranks;
};

/* first and ranks [nranks + 1] */
static void find_parts(struct parts *parts, const struct comm *symmetric)
{
	bool *is_seen = xcalloc((size_t)symmetric->nranks + 1, sizeof(*is_seen));
	int n = 0;

	parts->n = 0;
	for (int r = 0; r < symmetric->nranks; r++) {
		if (is_seen[r])
			continue;
		parts->first[parts->n++] = n;
		is_seen[r] = true;
		parts->ranks[n++] = r;
		for (int at = n - 1; at < n; at++) {
			int rank = parts->ranks[at];

			for (int64_t e = symmetric->first[rank]; e < symmetric->first[rank + 1];
			     e++) {
				int peer = symmetric->peer[e];

				if (!is_seen[peer])
					parts->ranks[n++] = peer;
				is_seen[peer] = true;
			}
		}
	}
	parts->first[parts->n] = n;
	free(is_seen);
}

struct part {
	int size, number;
};

/* The largest first; equal ones in their order. */
static int compare(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return x->size != y->size ? (x->size < y->size ? 1 : -1)
				  : (x->number > y->number) - (x->number < y->number);
}

/* The node with the least room left that takes so many, or -1. */
static int tightest(const struct map_input *in, const int *left, int size)
{
	int best = -1;

	for (int v = 0; v < in->nnodes; v++)
		if (left[v] >= size && (best < 0 || left[v] < left[best]))
			best = v;
	return best;
}

/* What a byte puts on a node's own link. */
static double per_byte(const struct map_input *in, int v)
{
	int32_t up = in->routes->up[v];

	return up >= 0 ? in->routes->per_byte.at[up] : 1;
}

/* The node with the fastest link that has room left, of several the one with the most room. */
static int fastest(const struct map_input *in, const int *left)
{
	int best = -1;

	for (int v = 0; v < in->nnodes; v++) {
		double than = left[v] > 0 && best >= 0 ? per_byte(in, v) - per_byte(in, best) : 0;

		if (left[v] > 0 && (best < 0 || than < 0 || (than == 0 && left[v] > left[best])))
			best = v;
	}
	return best;
}

/* Puts a part on node v (-1: on the fastest, one node after the other). */
static void put(const struct map_input *in, const struct parts *parts, const struct part *part,
		int v, int *left, int *node_of)
{
	const int *ranks = parts->ranks + parts->first[part->number];
	int node = v;

	for (int i = 0; i < part->size; i++) {
		if (node < 0 || left[node] == 0)
			node = fastest(in, left);
		left[node]--;
		node_of[ranks[i]] = node;
	}
}

/* Returns whether a part of several ranks is on one node. */
static bool pack(const struct map_input *in, const struct parts *parts, int *node_of)
{
	struct part *order = xmalloc((size_t)(parts->n + 1) * sizeof(*order));
	int *left = xmalloc((size_t)in->nnodes * sizeof(*left)), nsplit = 0;
	bool is_whole = false;

	memcpy(left, in->room, (size_t)in->nnodes * sizeof(*left));
	for (int p = 0; p < parts->n; p++)
		order[p] = (struct part){parts->first[p + 1] - parts->first[p], p};
	qsort(order, (size_t)parts->n, sizeof(*order), compare);
	for (int k = 0; k < parts->n; k++) {
		int v = tightest(in, left, order[k].size);

		if (v < 0) {
			order[nsplit++] = order[k];
			continue;
		}
		put(in, parts, &order[k], v, left, node_of);
		is_whole = is_whole || order[k].size > 1;
	}
	for (int k = 0; k < nsplit; k++)
		put(in, parts, &order[k], -1, left, node_of);
	free(order);
	free(left);
	return is_whole;
}

bool whole_parts(const struct map_input *in, int *node_of)
{
	size_t size = (size_t)(in->comm->nranks + 1) * sizeof(int);
	struct parts parts = {.first = xmalloc(size + sizeof(int)), .ranks = xmalloc(size)};
	int *packed = xmalloc(size);
	bool is_whole;

	find_parts(&parts, in->symmetric);
	is_whole = parts.n > 1 && (int64_t)parts.n * in->nnodes <= PARTS_NODES &&
		   pack(in, &parts, packed);
	if (is_whole)
		memcpy(node_of, packed, (size_t)in->comm->nranks * sizeof(*node_of));
	free(parts.first);
	free(parts.ranks);
	free(packed);
	return is_whole;
}
