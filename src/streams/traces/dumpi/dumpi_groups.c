/* dumpi_groups.c - lists of ranks, as MPI makes groups of groups */
#include "traces/dumpi/dumpi_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/umap.h"

static const int32_t nobody[1];
const struct rank_list rank_list_unknown = {NULL, 0}, rank_list_empty = {nobody, 0};

void rank_lists_free(struct rank_lists *lists)
{
	vec_free(&lists->kept);
	map_free(&lists->index);
	arena_free(&lists->arena);
}

struct rank_list rank_list_keep(struct rank_lists *lists, const int32_t *ranks, int n)
{
	size_t size = (size_t)n * sizeof(*ranks);
	int64_t at;
	int32_t *copy;

	if (n == 0)
		return rank_list_empty;
	at = map_get(&lists->index, (const char *)ranks, size);
	if (at >= 0)
		return lists->kept.at[at];
	if ((size_t)n > RANK_LISTS_MOST - lists->nranks || n > RANK_LIST_LONGEST) {
		lists->is_full = true;
		return rank_list_unknown;
	}
	lists->nranks += (size_t)n;
	copy = arena_alloc(&lists->arena, size);
	memcpy(copy, ranks, size);
	map_add(&lists->index, (const char *)ranks, size, (int64_t)lists->kept.n);
	vec_push(&lists->kept, (struct rank_list){copy, n});
	return (struct rank_list){copy, n};
}

/* Keeps a list and frees what it was made in. */
static struct rank_list keep_made(struct rank_lists *lists, int32_t *ranks, int n)
{
	struct rank_list list = rank_list_keep(lists, ranks, n);

	free(ranks);
	return list;
}

struct rank_list rank_list_world(struct rank_lists *lists, int32_t nranks)
{
	int32_t *ranks;

	if (nranks > RANK_LIST_LONGEST) {
		lists->is_full = true;
		return rank_list_unknown;
	}
	ranks = xcalloc((size_t)nranks + 1, sizeof(*ranks));
	for (int32_t i = 0; i < nranks; i++)
		ranks[i] = i;
	return keep_made(lists, ranks, nranks);
}

static void put_all(struct umap *in, struct rank_list list)
{
	for (int i = 0; i < list.n; i++)
		umap_set(in, (uint64_t)list.ranks[i], i);
}

static bool is_known(struct rank_list a, struct rank_list b)
{
	return a.ranks != NULL && b.ranks != NULL;
}

struct rank_list rank_list_union(struct rank_lists *lists, struct rank_list a, struct rank_list b)
{
	struct umap in = {0};
	int64_t value;
	int32_t *ranks;
	int n = a.n;

	if (!is_known(a, b))
		return rank_list_unknown;
	ranks = xcalloc((size_t)a.n + (size_t)b.n + 1, sizeof(*ranks));
	memcpy(ranks, a.ranks, (size_t)a.n * sizeof(*ranks));
	put_all(&in, a);
	for (int i = 0; i < b.n; i++)
		if (!umap_get(&in, (uint64_t)b.ranks[i], &value))
			ranks[n++] = b.ranks[i];
	umap_free(&in);
	return keep_made(lists, ranks, n);
}

struct rank_list rank_list_filter(struct rank_lists *lists, struct rank_list a, struct rank_list b,
				  bool is_in)
{
	struct umap in = {0};
	int64_t value;
	int32_t *ranks;
	int n = 0;

	if (!is_known(a, b))
		return rank_list_unknown;
	ranks = xcalloc((size_t)a.n + 1, sizeof(*ranks));
	put_all(&in, b);
	for (int i = 0; i < a.n; i++)
		if (umap_get(&in, (uint64_t)a.ranks[i], &value) == is_in)
			ranks[n++] = a.ranks[i];
	umap_free(&in);
	return keep_made(lists, ranks, n);
}

struct rank_list rank_list_choose(struct rank_lists *lists, struct rank_list list,
				  struct rank_list places, bool is_excl)
{
	struct umap at = {0};
	int64_t value;
	int32_t *ranks;
	int n = 0;

	if (!is_known(list, places))
		return rank_list_unknown;
	for (int i = 0; i < places.n; i++)
		if (places.ranks[i] < 0 || places.ranks[i] >= list.n)
			return rank_list_unknown;
	ranks = xcalloc((size_t)list.n + (size_t)places.n + 1, sizeof(*ranks));
	if (is_excl)
		put_all(&at, places);
	for (int i = 0; !is_excl && i < places.n; i++)
		ranks[n++] = list.ranks[places.ranks[i]];
	for (int i = 0; is_excl && i < list.n; i++)
		if (!umap_get(&at, (uint64_t)i, &value))
			ranks[n++] = list.ranks[i];
	umap_free(&at);
	return keep_made(lists, ranks, n);
}

struct rank_list rank_list_ranges(struct rank_lists *lists, const int32_t *ranges, int n,
				  int nranks)
{
	int32_t *places = xcalloc((size_t)nranks + 1, sizeof(*places));
	bool is_good = n % 3 == 0;
	int nplaces = 0;

	for (int i = 0; i < n && is_good; i += 3) {
		int64_t stride = ranges[i + 2], last = ranges[i + 1];

		is_good = stride != 0;
		for (int64_t at = ranges[i]; is_good && (stride > 0 ? at <= last : at >= last);
		     at += stride) {
			is_good = at >= 0 && at < nranks && nplaces < nranks;
			if (is_good)
				places[nplaces++] = (int32_t)at;
		}
	}
	if (is_good)
		return keep_made(lists, places, nplaces);
	free(places);
	return rank_list_unknown;
}

struct rank_list rank_list_sub_grid(struct rank_lists *lists, struct rank_list grid,
				    struct rank_list dims, const int32_t *remains, int64_t place,
				    struct rank_list *kept)
{
	enum { DIMS_MOST = 64 };
	int64_t strides[DIMS_MOST], base = 0, stride = 1;
	int32_t sizes[DIMS_MOST] = {0}, *ranks;
	int first = dims.n, n = 1; /* the remaining ones are first … dims.n - 1 of the arrays */

	if (grid.ranks == NULL || dims.n == 0 || dims.n > DIMS_MOST || place < 0)
		return rank_list_unknown;
	for (int i = dims.n - 1; i >= 0; stride *= dims.ranks[i--]) {
		if (remains[i] == 0) {
			base += place / stride % dims.ranks[i] * stride;
			continue;
		}
		strides[--first] = stride;
		sizes[first] = dims.ranks[i];
		n *= dims.ranks[i];
	}
	*kept = rank_list_keep(lists, sizes + first, dims.n - first);
	ranks = xcalloc((size_t)n, sizeof(*ranks));
	for (int k = 0; k < n; k++) {
		int64_t rest = k, at = base;

		for (int i = dims.n - 1; i >= first; i--) {
			at += rest % sizes[i] * strides[i];
			rest /= sizes[i];
		}
		ranks[k] = grid.ranks[at];
	}
	return keep_made(lists, ranks, n);
}
