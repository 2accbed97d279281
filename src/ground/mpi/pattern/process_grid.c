/* process_grid.c - process grids: factorizations of the ranks, and neighbours in them */
#include <limits.h>

#include "mpi/pattern/pattern.h"

void grid_square(struct grid *grid, int n)
{
	int x = 1;

	for (int i = 1; i <= n / i; i++)
		if (n % i == 0)
			x = i;
	*grid = (struct grid){.ndims = 2, .size = {x, n / x}};
}

/* As SST's Halo3D and Halo3D26 have it: whole numbers all the way. */
static int64_t variance(int64_t i, int64_t j, int64_t k)
{
	int64_t mean = (i + j + k) / 3;

	return (i * i + j * j + k * k) / 3 - mean * mean;
}

void grid_cube(struct grid *grid, int n)
{
	int64_t best = variance(n, 1, 1);

	*grid = (struct grid){.ndims = 3, .size = {n, 1, 1}};
	for (int i = 1; i <= n; i++) {
		if (n % i != 0)
			continue;
		for (int j = 1; j <= n / i; j++) {
			int k = n / i / j;

			if (n / i % j != 0 || variance(i, j, k) > best)
				continue;
			best = variance(i, j, k);
			grid->size[0] = i;
			grid->size[1] = j;
			grid->size[2] = k;
		}
	}
}

struct even {
	struct grid *best;
	int64_t sum;
	int size[GRID_DIMS];
};

static void try_even(struct even *even, int dim, int ndims, int least, int n, int64_t sum)
{
	if (dim == ndims - 1) {
		if (n < least || sum + n >= even->sum)
			return;
		even->size[dim] = n;
		even->sum = sum + n;
		for (int i = 0; i < ndims; i++)
			even->best->size[i] = even->size[i];
		return;
	}
	for (int side = least; side <= n / side; side++)
		if (n % side == 0) {
			even->size[dim] = side;
			try_even(even, dim + 1, ndims, side, n / side, sum + side);
		}
}

void grid_even(struct grid *grid, int ndims, int n)
{
	struct even even = {.best = grid, .sum = INT64_MAX};

	*grid = (struct grid){.ndims = ndims};
	for (int i = 0; i < ndims; i++)
		grid->size[i] = i == ndims - 1 ? n : 1;
	/* (1, …, 1, n) is always there; the loop above ends early for it where n is prime */
	even.sum = (int64_t)n + ndims;
	try_even(&even, 0, ndims, 1, n, 0);
}

int grid_neighbour(const struct grid *grid, int rank, const int8_t *offset)
{
	int neighbour = 0, stride = 1, rest = rank;

	for (int i = 0; i < grid->ndims; i++) {
		int size = grid->size[i], at = rest % size + offset[i];

		rest /= size;
		if (at < 0 || at >= size) {
			if (!grid->is_periodic)
				return -1;
			at = (at + size) % size;
		}
		neighbour += at * stride;
		stride *= size;
	}
	return neighbour == rank ? -1 : neighbour;
}
