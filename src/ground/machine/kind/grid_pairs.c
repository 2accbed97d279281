/* grid_pairs.c - how far some nodes of a mesh or torus are apart: dimension by dimension */
#include <stdlib.h>

#include "machine/kind/grid.h"
#include "machine/stats/farthest.h"
#include "machine/stats/within.h"

/* Nodes by their coordinate in one dimension; before [size + 1] those below a coordinate, and the
 * sum of their coordinates. */
struct marginal {
	int size;
	uint64_t *at; /* [size] */
	uint64_t *before, *weighted;
};

static void open_marginal(struct marginal *marginal, const struct grid *grid, int d,
			  const struct router_counts *counts)
{
	int size = grid->sizes[d];

	marginal->size = size;
	marginal->at = xcalloc(3 * (size_t)size + 2, sizeof(*marginal->at));
	marginal->before = marginal->at + size;
	marginal->weighted = marginal->before + size + 1;
	for (int i = 0; i < counts->n; i++)
		marginal->at[counts->routers[i] / grid->strides[d] % size] +=
			(uint64_t)counts->count_of[counts->routers[i]];
	for (int x = 0; x < size; x++) {
		marginal->before[x + 1] = marginal->before[x] + marginal->at[x];
		marginal->weighted[x + 1] = marginal->weighted[x] + marginal->at[x] * (uint64_t)x;
	}
}

/* The steps of all ordered pairs: from x down to y, or around a ring where that is more than half
 * of it. */
static uint64_t sum_steps(const struct marginal *marginal, bool is_ring)
{
	uint64_t sum = 0, size = (uint64_t)marginal->size;

	for (int x = 0; x < marginal->size; x++) {
		int far = is_ring && x - marginal->size / 2 > 0 ? x - marginal->size / 2 : 0;
		uint64_t near = marginal->before[x] - marginal->before[far];
		uint64_t around = marginal->before[far], at = (uint64_t)x;

		sum += 2 * marginal->at[x] *
		       (at * near - (marginal->weighted[x] - marginal->weighted[far]) +
			(size - at) * around + marginal->weighted[far]);
	}
	return sum;
}

/* The greatest coordinate below one that has nodes, or -1. */
static int below(const struct marginal *marginal, int x)
{
	while (x >= 0 && marginal->at[x] == 0)
		x--;
	return x;
}

/* The most steps of a pair. On a ring the farthest from x are those just at or beyond half way. */
static int longest_steps(const struct marginal *marginal, bool is_ring)
{
	int size = marginal->size, longest = 0, nearest = -1;

	for (int x = 0, last = below(marginal, size - 1); x <= last; x++) {
		int half = x - size / 2, far = -1;

		if (half >= 0 && marginal->at[half] > 0)
			nearest = half; /* of those at least half a ring below */
		if (marginal->at[x] == 0)
			continue;
		for (int y = is_ring && half > 0 ? half : 0; y < x && far < 0; y++)
			far = marginal->at[y] > 0 ? y : -1;
		if (far >= 0 && x - far > longest)
			longest = x - far;
		if (is_ring && nearest >= 0 && size - (x - nearest) <= size / 2 &&
		    size - (x - nearest) > longest)
			longest = size - (x - nearest);
	}
	return longest;
}

void grid_pairs(const struct topo *topo, const struct router_counts *counts,
		struct pair_links *links)
{
	const struct grid *grid = topo->shape;
	uint64_t all, same;
	int most = 0;

	topo_count_pairs(counts, &all, &same);
	links->npairs = all - same;
	for (int d = 0; d < grid->ndims; d++) {
		struct marginal marginal;

		open_marginal(&marginal, grid, d, counts);
		links->sum += sum_steps(&marginal, grid->is_ring);
		most += longest_steps(&marginal, grid->is_ring);
		free(marginal.at);
	}
	links->longest = farthest_find(
		topo, counts,
		&(struct farthest){grid->ndims, grid->sizes, grid->strides,
				   grid->is_ring ? farthest_on_ring : farthest_on_mesh},
		most);
}

bool grid_within(const struct topo *topo, const struct router_counts *counts, const bool *is_open,
		 uint64_t *npairs)
{
	const struct grid *grid = topo->shape;

	*npairs = within_count(topo, counts, is_open,
			       &(struct within){grid->ndims, grid->sizes, grid->strides,
						grid->is_ring ? within_on_ring : within_on_mesh});
	return true;
}
