/* rank_grid.c - the grid that ranks are, found from who sends to whom */
#include "map/grid/rank_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "map/grid/product_grid.h"

enum { SAMPLE = 4096, DIVISORS = 2048 };

/* About 1 where numbers are random, well below where they are those of a halo. */
static const double loose = 0.5;

struct divisors {
	int n;
	int at[DIVISORS];
};

static void find_divisors(struct divisors *divisors, int nranks)
{
	for (int d = 1; (int64_t)d * d <= nranks; d++)
		if (nranks % d == 0)
			divisors->at[divisors->n++] = d;
	for (int i = divisors->n - 1; i >= 0; i--)
		if (nranks / divisors->at[i] != divisors->at[i])
			divisors->at[divisors->n++] = nranks / divisors->at[i];
}

/* Two ranks that talk. */
struct talk {
	int a, b;
};

/* Messages at even distances in the list. Returns how many. */
static int sample(const struct comm *comm, struct talk *talks)
{
	int64_t step = comm->nedges / SAMPLE + 1;
	int n = 0;

	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++)
			if (e % step == 0 && comm->peer[e] != r)
				talks[n++] = (struct talk){r, comm->peer[e]};
	return n;
}

/* Distances around the side between two strides. */
static int64_t distance(const struct talk *talks, int n, int stride, int next)
{
	int64_t sum = 0;
	int side = next / stride;

	for (int i = 0; i < n; i++) {
		int apart = abs(talks[i].a / stride % side - talks[i].b / stride % side);

		sum += apart < side - apart ? apart : side - apart;
	}
	return sum;
}

/* Of two ranks, on average. */
static double mean_distance(const struct rank_grid *grid)
{
	double sum = 0;

	for (int s = 0; s < grid->nsides; s++)
		sum += (double)((int64_t)grid->side[s] * grid->side[s] / 4) / grid->side[s];
	return sum;
}

/* A shortest path through the divisors; fewer sides among equals, as the later one wins only if it
 * is shorter. */
static void find_sides(struct rank_grid *grid, int nranks, const struct talk *talks, int ntalks)
{
	struct divisors divisors = {0};
	int64_t *sum;
	int *before, last;

	*grid = (struct rank_grid){0};
	find_divisors(&divisors, nranks);
	sum = xcalloc((size_t)divisors.n, sizeof(*sum));
	before = xcalloc((size_t)divisors.n, sizeof(*before));
	for (int i = 1; i < divisors.n; i++) {
		sum[i] = -1;
		for (int k = 0; k < i; k++) {
			int64_t all;

			if (divisors.at[i] % divisors.at[k] != 0)
				continue;
			all = sum[k] + distance(talks, ntalks, divisors.at[k], divisors.at[i]);
			if (sum[i] < 0 || all < sum[i]) {
				sum[i] = all;
				before[i] = k;
			}
		}
	}
	for (last = divisors.n - 1; last > 0; last = before[last])
		grid->nsides++;
	last = divisors.n - 1;
	for (int s = grid->nsides - 1; s >= 0; s--, last = before[last])
		grid->side[s] = divisors.at[last] / divisors.at[before[last]];
	if (ntalks > 0 && grid->nsides > 0)
		grid->looseness = (double)sum[divisors.n - 1] / ntalks / mean_distance(grid);
	free(sum);
	free(before);
}

/* By other numbers, if these fit better. */
static void number_anew(struct rank_grid *grid, const struct comm *comm, struct talk *talks,
			int ntalks)
{
	struct comm *symmetric = comm_symmetric(comm);
	int *number_of = product_grid_number(symmetric);
	struct rank_grid other;

	comm_free(symmetric);
	if (number_of == NULL)
		return;
	for (int i = 0; i < ntalks; i++)
		talks[i] = (struct talk){number_of[talks[i].a], number_of[talks[i].b]};
	find_sides(&other, comm->nranks, talks, ntalks);
	if (other.looseness < grid->looseness) {
		*grid = other;
		grid->number_of = number_of;
	} else {
		free(number_of);
	}
}

void rank_grid_find(struct rank_grid *grid, const struct comm *comm)
{
	struct talk *talks = xmalloc((SAMPLE + 1) * sizeof(*talks));
	int ntalks = sample(comm, talks);

	find_sides(grid, comm->nranks, talks, ntalks);
	if (grid->looseness > loose)
		number_anew(grid, comm, talks, ntalks);
	free(talks);
}

void rank_grid_copy(struct rank_grid *copy, const struct rank_grid *grid, int nranks)
{
	size_t size = (size_t)nranks * sizeof(*grid->number_of);

	*copy = *grid;
	if (grid->number_of != NULL) {
		copy->number_of = xmalloc(size);
		memcpy(copy->number_of, grid->number_of, size);
	}
}

void rank_grid_free(struct rank_grid *grid)
{
	free(grid->number_of);
	*grid = (struct rank_grid){0};
}
