/* grid.c - networks of dimensions: torus, mesh, ring, line, hypercube */
#include "machine/kind/grid.h"

#include <stdlib.h>
#include <string.h>

enum { LEVEL_LOCAL = LINK_TERMINAL + 1 };

/* Joints of a line of routers along one dimension. */
static int njoints(int size, bool is_ring)
{
	return is_ring && size > 2 ? size : size - 1;
}

static int check_cables(struct grid *grid, const struct value *cables, struct err *err)
{
	if (cables == NULL || !cables->is_set)
		return 0;
	if (cables->nsizes != grid->ndims)
		return err_set(err, "cables: '%s' needs %d numbers, one for each dimension",
			       cables->text, grid->ndims);
	for (int d = 0; d < grid->ndims; d++)
		grid->cables[d] = (int)cables->sizes[d];
	return 0;
}

int grid_shape(struct topo *topo, const int64_t *sizes, int ndims, const struct value *cables,
	       bool is_ring, int64_t per, struct err *err)
{
	struct grid *grid = xcalloc(1, sizeof(*grid));
	int64_t nrouters = 1, nlinks = 0;

	topo->shape = grid;
	if (ndims > GRID_DIMS)
		return err_set(err, "%d dimensions are more than %d", ndims, GRID_DIMS);
	*grid = (struct grid){.ndims = ndims, .is_ring = is_ring, .per = (int)per};
	for (int d = 0; d < ndims; d++) {
		grid->sizes[d] = (int)sizes[d];
		grid->cables[d] = 1;
		grid->strides[d] = (int)nrouters;
		nrouters *= sizes[d];
		if (nrouters > INT32_MAX)
			return err_set(err, "there are too many routers to be numbered");
	}
	if (check_cables(grid, cables, err) != 0)
		return -1;
	for (int d = 0; d < ndims; d++)
		nlinks += nrouters / sizes[d] * njoints(grid->sizes[d], is_ring) * grid->cables[d];
	if (topo_set_size(topo, nrouters * per, nrouters, nlinks + nrouters * per, err) != 0)
		return -1;
	topo_set_routers(topo, grid->per);
	topo_level_add(topo, "local");
	return 0;
}

void grid_links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct grid *grid = topo->shape;
	int at[GRID_DIMS] = {0}; /* coordinates of the router */

	topo_add_terminals(topo, add, context);
	for (int router = 0; router < topo->nrouters; router++) {
		int vertex = topo->nnodes + router;

		for (int d = 0; d < grid->ndims; d++) {
			int size = grid->sizes[d], next = vertex + grid->strides[d];

			if (at[d] == size - 1) {
				if (!grid->is_ring || size <= 2)
					continue;
				next -= size * grid->strides[d];
			}
			for (int cable = 0; cable < grid->cables[d]; cable++)
				add(context, vertex, next, LEVEL_LOCAL);
		}
		for (int d = 0; d < grid->ndims && ++at[d] == grid->sizes[d]; d++)
			at[d] = 0;
	}
}

/* Steps in the + direction from a to b on a ring, or b − a. */
static int offset(const struct grid *grid, int d, int a, int b)
{
	int size = grid->sizes[d];
	int steps = b / grid->strides[d] % size - a / grid->strides[d] % size;

	return grid->is_ring && steps < 0 ? steps + size : steps;
}

int grid_distance(const struct topo *topo, int a, int b)
{
	const struct grid *grid = topo->shape;
	int hops = 0;

	for (int d = 0; d < grid->ndims; d++) {
		int steps = abs(offset(grid, d, a, b));

		hops += grid->is_ring && 2 * steps > grid->sizes[d] ? grid->sizes[d] - steps
								    : steps;
	}
	return hops;
}

/* Dimension order, the first dimension first; half way round a ring the + direction. */
int grid_next(const struct topo *topo, int a, int b, int node_b, int *cable)
{
	const struct grid *grid = topo->shape;

	for (int d = 0; d < grid->ndims; d++) {
		int steps = offset(grid, d, a, b), size = grid->sizes[d], stride = grid->strides[d];
		bool is_up = grid->is_ring ? 2 * steps <= size : steps > 0;
		int at = a / stride % size;

		if (steps == 0)
			continue;
		*cable = node_b % grid->cables[d];
		if (is_up)
			return at == size - 1 ? a - at * stride : a + stride;
		return at == 0 ? a + (size - 1) * stride : a - stride;
	}
	*cable = 0;
	return a;
}

/* Neighbours before peer among the channels of router: nodes, then routers by number. */
int grid_port(const struct topo *topo, int router, int peer)
{
	const struct grid *grid = topo->shape;
	int n = grid->per;

	for (int d = 0; d < grid->ndims; d++) {
		int size = grid->sizes[d], stride = grid->strides[d], at = router / stride % size;
		bool wraps = grid->is_ring && size > 2;

		if (at > 0 || wraps)
			n += (at > 0 ? router - stride : router + (size - 1) * stride) < peer
				     ? grid->cables[d]
				     : 0;
		if (at < size - 1 || wraps)
			n += (at < size - 1 ? router + stride : router - at * stride) < peer
				     ? grid->cables[d]
				     : 0;
	}
	return n;
}

/* Ordered pairs on a line or ring of size routers that are steps apart. */
static uint64_t pairs_apart(int size, bool is_ring, int steps)
{
	if (steps == 0)
		return (uint64_t)size;
	if (!is_ring)
		return 2 * (uint64_t)(size - steps);
	if (2 * steps > size)
		return 0;
	return (uint64_t)size * (2 * steps == size ? 1 : 2);
}

void grid_distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct grid *grid = topo->shape;
	uint64_t per = (uint64_t)grid->per;
	int longest = 0;

	for (int d = 0; d < grid->ndims; d++)
		longest += grid->is_ring ? grid->sizes[d] / 2 : grid->sizes[d] - 1;
	topo_counts_start(counts, longest);
	counts->pairs[0] = 1;
	longest = 0;
	for (int d = 0; d < grid->ndims; d++) { /* the counts of d + 1 dimensions from those of d */
		int reach = grid->is_ring ? grid->sizes[d] / 2 : grid->sizes[d] - 1;

		for (int hops = longest + reach; hops >= 0; hops--) {
			uint64_t sum = 0;

			for (int steps = 0; steps <= reach && steps <= hops; steps++)
				if (hops - steps <= longest)
					sum += counts->pairs[hops - steps] *
					       pairs_apart(grid->sizes[d], grid->is_ring, steps);
			counts->pairs[hops] = sum;
		}
		longest += reach;
	}
	for (int hops = 0; hops <= counts->longest; hops++)
		counts->pairs[hops] *= per * per;
	counts->pairs[0] -= (uint64_t)topo->nnodes;
}

static int compare_down(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/*
 * Ψ = Σ_{i=1}^{e} Π_{j>i} k_j over the sizes in falling order, where e is the first even one (the
 * last, if none is): exact for arrays, and 2Ψ for tori (Aroca and Fernández Anta, Bisection
 * (band)width of product networks with application to data centers, IEEE TPDS 2014, after Azizoğlu
 * and Eğecioğlu, Discrete Applied Mathematics 2004).
 */
int grid_bisection(const struct topo *topo, double *bytes_per_s, const char **how)
{
	const struct grid *grid = topo->shape;
	int sizes[GRID_DIMS], ndims = 0, nrings = 0;
	int64_t links = 0, plane = topo->nrouters;

	for (int d = 0; d < grid->ndims; d++) {
		if (grid->cables[d] != grid->cables[0])
			return -1;
		nrings += grid->is_ring && grid->sizes[d] > 2;
		if (grid->sizes[d] > 1)
			sizes[ndims++] = grid->sizes[d];
	}
	if (ndims == 0 || (nrings > 0 && nrings < ndims))
		return -1;
	qsort(sizes, (size_t)ndims, sizeof(*sizes), compare_down);
	for (int i = 0; i < ndims; i++) {
		plane /= sizes[i];
		links += plane;
		if (sizes[i] % 2 == 0)
			break;
	}
	*bytes_per_s = (double)(links * (nrings > 0 ? 2 : 1) * grid->cables[0]) *
		       topo->levels[LEVEL_LOCAL].bandwidth;
	*how = nrings > 0 ? "exact: 2 sum_i prod_{j>i} k_j up to the first even size, of a torus"
			  : "exact: sum_i prod_{j>i} k_j up to the first even size, of an array";
	return 0;
}

int grid_dims(const struct topo *topo, const int **sizes, bool *is_ring)
{
	const struct grid *grid = topo->shape;

	*sizes = grid->sizes;
	*is_ring = grid->is_ring;
	return grid->ndims;
}

void dims_place(const int *sizes, const int *strides, int ndims, int router, double *x, double *y)
{
	double step[2] = {1, 1}, at[2] = {0, 0};

	for (int d = 0; d < ndims; d++) {
		at[d % 2] += router / strides[d] % sizes[d] * step[d % 2];
		step[d % 2] *= sizes[d] + .5;
	}
	*x = at[0];
	*y = at[1];
}

void grid_place(const struct topo *topo, int router, double *x, double *y)
{
	const struct grid *grid = topo->shape;

	dims_place(grid->sizes, grid->strides, grid->ndims, router, x, y);
}

void grid_free(struct topo *topo)
{
	free(topo->shape);
}
