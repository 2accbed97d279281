/* farthest.c - the longest distance of two routers of a set, in networks of dimensions */
#include "machine/stats/farthest.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = INT32_MIN / 2 };

static int greater(int a, int b)
{
	return a > b ? a : b;
}

void farthest_on_mesh(const int *from, int *to, int size, int *scratch)
{
	int best = NOWHERE;

	(void)scratch;
	for (int x = 0; x < size; x++) {
		best = greater(best, from[x] - x);
		to[x] = best + x;
	}
	best = NOWHERE;
	for (int x = size - 1; x >= 0; x--) {
		best = greater(best, from[x] + x);
		to[x] = greater(to[x], best - x);
	}
}

/* The farthest place from x is opposite, and what is d from there is so much nearer; on an odd ring
 * two places are. scratch has the greatest from[y] less the distance of y. */
void farthest_on_ring(const int *from, int *to, int size, int *scratch)
{
	int half = size / 2, best = NOWHERE;

	for (int i = 0; i < 2 * size; i++) {
		int x = i % size;

		best = greater(best - 1, from[x]);
		scratch[x] = best;
	}
	best = NOWHERE;
	for (int i = 2 * size - 1; i >= 0; i--) {
		int x = i % size;

		best = greater(best - 1, from[x]);
		scratch[x] = greater(scratch[x], best);
	}
	for (int x = 0; x < size; x++)
		to[x] = half +
			greater(scratch[(x + half) % size], scratch[(x + half + size % 2) % size]);
}

void farthest_where_joined(const int *from, int *to, int size, int *scratch)
{
	int best = 0, second = NOWHERE;

	(void)scratch;
	for (int x = 1; x < size; x++)
		if (from[x] > from[best]) {
			second = from[best];
			best = x;
		} else {
			second = greater(second, from[x]);
		}
	for (int x = 0; x < size; x++)
		to[x] = greater(from[x], (x == best ? second : from[best]) + 1);
}

/* After dimension d the number at a router is the greatest distance to one of the set that differs
 * from it in dimensions up to d only; below zero: there is none. */
static void go_along(const struct farthest *farthest, int d, int nrouters, int *at, int *lines)
{
	int size = farthest->sizes[d], stride = farthest->strides[d];
	int *from = lines, *to = lines + size;

	for (int first = 0; first < nrouters; first++) {
		if (first / stride % size != 0)
			continue;
		for (int x = 0; x < size; x++)
			from[x] = at[first + x * stride];
		farthest->line(from, to, size, lines + 2 * size);
		for (int x = 0; x < size; x++)
			at[first + x * stride] = to[x] < 0 ? NOWHERE : to[x];
	}
}

static int find_by_dimension(const struct topo *topo, const struct router_counts *counts,
			     const struct farthest *farthest)
{
	int *at = xmalloc((size_t)topo->nrouters * sizeof(*at)), *lines, widest = 1, longest = 0;

	for (int router = 0; router < topo->nrouters; router++)
		at[router] = NOWHERE;
	for (int i = 0; i < counts->n; i++)
		at[counts->routers[i]] = 0;
	for (int d = 0; d < farthest->ndims; d++)
		widest = greater(widest, farthest->sizes[d]);
	lines = xmalloc(3 * (size_t)widest * sizeof(*lines));
	for (int d = 0; d < farthest->ndims; d++)
		go_along(farthest, d, topo->nrouters, at, lines);
	for (int i = 0; i < counts->n; i++)
		longest = greater(longest, at[counts->routers[i]]);
	free(lines);
	free(at);
	return longest;
}

int farthest_find(const struct topo *topo, const struct router_counts *counts,
		  const struct farthest *farthest, int most)
{
	int64_t left = (int64_t)topo->nrouters * farthest->ndims;
	int longest = 0;

	/* the first router against the last ones: far apart, where routers are in their order */
	for (int i = 0; i < counts->n && longest < most; i++)
		for (int k = counts->n - 1; k > i && longest < most; k--) {
			if (left-- == 0)
				return find_by_dimension(topo, counts, farthest);
			longest = greater(longest, topo->type->distance(topo, counts->routers[i],
									counts->routers[k]));
		}
	return longest;
}
