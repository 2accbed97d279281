/* parts.c - ranks are grouped into super-processes, one for each node */
#include <stdlib.h>
#include <string.h>

#include "map/problem/problem.h"
#include "base/mem.h"
#include "base/str.h"

/* Nodes are filled in list order: the first ones are full, the last one may be not. */
static void fill_sizes(struct map_parts *parts, const struct map_input *in)
{
	int left = in->comm->nranks;

	parts->size = xcalloc((size_t)in->nnodes, sizeof(*parts->size));
	for (int v = 0; v < in->nnodes && left > 0; v++) {
		int n = in->room[v] < left ? in->room[v] : left;

		if (n > 0)
			parts->size[parts->nparts++] = n;
		left -= n;
	}
}

void parts_memo_open(struct parts_memo *memo, const struct map_input *in)
{
	*memo = (struct parts_memo){.comm = in->comm, .room = in->room};
}

void parts_memo_close(struct parts_memo *memo)
{
	free(memo->partition);
	free(memo->part_of);
}

static int run_partition(const struct map_input *in, const struct pick *pick,
			 struct map_parts *parts, struct err *err)
{
	const struct map_partition *partition = (const struct map_partition *)pick->entry;

	return partition->run(in, pick, parts->nparts, parts->size, parts->part_of, err);
}

/* Only if it is not what was found last. */
static int run_partition_once(const struct map_input *in, const struct pick *pick,
			      struct map_parts *parts, struct err *err)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*parts->part_of);
	struct parts_memo *memo = in->parts;
	char *text;

	if (memo == NULL || memo->room != in->room || memo->comm != in->comm)
		return run_partition(in, pick, parts, err);
	text = pick_text(pick);
	if (memo->partition != NULL && str_eq(text, memo->partition)) {
		memcpy(parts->part_of, memo->part_of, size);
		free(text);
		return 0;
	}
	if (run_partition(in, pick, parts, err) != 0) {
		free(text);
		return -1;
	}
	parts_memo_close(memo);
	memo->partition = text;
	memo->part_of = xmalloc(size);
	memcpy(memo->part_of, parts->part_of, size);
	return 0;
}

int map_parts_make(struct map_parts *parts, const struct map_input *in, const struct pick *pick,
		   struct err *err)
{
	*parts = (struct map_parts){0};
	fill_sizes(parts, in);
	parts->part_of = xcalloc((size_t)in->comm->nranks, sizeof(*parts->part_of));
	if (run_partition_once(in, pick, parts, err) != 0) {
		map_parts_free(parts);
		return err_prefix(err, "--partition: ");
	}
	parts->comm = comm_quotient(in->comm, parts->part_of, parts->nparts);
	return 0;
}

void map_parts_free(struct map_parts *parts)
{
	comm_free(parts->comm);
	free(parts->part_of);
	free(parts->size);
	*parts = (struct map_parts){0};
}

bool map_fits(const struct map_input *in, const struct map_parts *parts, int part, int node)
{
	return in->room[node] >= parts->size[part];
}

int *map_used_nodes(const struct map_input *in, const struct map_parts *parts)
{
	int *used = xmalloc((size_t)parts->nparts * sizeof(*used)), n = 0;

	for (int v = 0; v < in->nnodes && n < parts->nparts; v++)
		if (in->room[v] > 0)
			used[n++] = v;
	return used;
}

struct by_size {
	int part, size;
};

static int larger(const void *a, const void *b)
{
	const struct by_size *x = a, *y = b;

	return x->size != y->size ? (x->size < y->size) - (x->size > y->size)
				  : (x->part > y->part) - (x->part < y->part);
}

void map_make_fit(const struct map_input *in, const struct map_parts *parts, int *node_of)
{
	struct by_size *order = xmalloc((size_t)parts->nparts * sizeof(*order));

	for (int p = 0; p < parts->nparts; p++)
		order[p] = (struct by_size){p, parts->size[p]};
	qsort(order, (size_t)parts->nparts, sizeof(*order), larger);
	for (int i = 0; i < parts->nparts; i++) {
		int part = order[i].part, node = node_of[part], k = i;

		/* of the nodes that smaller parts hold one has room, as there are as many that do
		 * as parts of this size and more */
		while (k < parts->nparts && in->room[node_of[order[k].part]] < order[i].size)
			k++;
		if (k == i || k == parts->nparts)
			continue;
		node_of[part] = node_of[order[k].part];
		node_of[order[k].part] = node;
	}
	free(order);
}

void map_along(const struct map_input *in, const struct map_parts *parts, const int *part_at,
	       const int *node_at, int *node_of)
{
	int *used = map_used_nodes(in, parts), n = 0;
	bool *is_used = xcalloc((size_t)in->nnodes, sizeof(*is_used));

	for (int p = 0; p < parts->nparts; p++)
		is_used[used[p]] = true;
	for (int i = 0; i < in->nnodes; i++)
		if (is_used[node_at[i]])
			node_of[part_at[n++]] = node_at[i];
	map_make_fit(in, parts, node_of);
	free(used);
	free(is_used);
}

void map_nodes_in_order(const struct map_input *in, const int *order, int n, int *at)
{
	int *first = xmalloc((size_t)n * sizeof(*first)), nfound = 0;
	int *next = xmalloc((size_t)in->nnodes * sizeof(*next));

	for (int v = 0; v < n; v++)
		first[v] = -1;
	for (int i = in->nnodes - 1; i >= 0; i--) {
		next[i] = first[in->nodes[i]];
		first[in->nodes[i]] = i;
	}
	for (int v = 0; v < n; v++)
		for (int i = first[order != NULL ? order[v] : v]; i >= 0; i = next[i])
			at[nfound++] = i;
	free(first);
	free(next);
}

bool map_rooms_are_equal(const struct map_input *in)
{
	for (int v = 1; v < in->nnodes; v++)
		if (in->room[v] != in->room[0])
			return false;
	return true;
}
