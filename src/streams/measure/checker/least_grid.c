/* least_grid.c - on lines, and the diameter on two-dimensional meshes */
#include <stdlib.h>

#include "measure/checker/least_priv.h"
#include "model/topo_type.h"

/* On a line some n nodes in a row have the least diameter and the least sum. */
static void by_windows(const struct least *least, int n, struct bounds *bounds)
{
	const int *at = least->serving.at;
	int a, b;

	bounds->upper = INT64_MAX;
	for (size_t i = 0; i + (size_t)n <= least->serving.n; i++) {
		int64_t value =
			least->measure == LEAST_MAX
				? (n > 1 ? least_distance(least, at[i], at[i + (size_t)n - 1]) : 0)
				: least_measure(least, at + i, n, &a, &b);

		if (value < bounds->upper)
			bounds->upper = value;
	}
	bounds->lower = bounds->upper;
}

/* Nodes of a mesh over u = x + y and v = x − y + height: sums over what is below and left. */
struct rotated {
	int width, height, side;
	int *below; /* [(side + 1)²] */
};

static int *sum_at(const struct rotated *rotated, int u, int v)
{
	return &rotated->below[(size_t)u * (size_t)(rotated->side + 1) + (size_t)v];
}

static void fill(struct rotated *rotated, const struct least *least)
{
	const struct topo *topo = least->geometry->topo;

	for (size_t i = 0; i < least->serving.n; i++) {
		int router = topo->router_of[least->serving.at[i]];
		int x = router % rotated->width, y = router / rotated->width;

		++*sum_at(rotated, x + y + 1, x - y + rotated->height);
	}
	for (int u = 1; u <= rotated->side; u++)
		for (int v = 1; v <= rotated->side; v++)
			*sum_at(rotated, u, v) += *sum_at(rotated, u - 1, v) +
						  *sum_at(rotated, u, v - 1) -
						  *sum_at(rotated, u - 1, v - 1);
}

/* Whether n nodes are at most so far apart: a square of u and v holds them, since the distance in x
 * and y is the larger of those in u and v. */
static bool has_square(const struct rotated *rotated, int n, int diameter)
{
	int side = diameter + 1 < rotated->side ? diameter + 1 : rotated->side;

	for (int u = side; u <= rotated->side; u++)
		for (int v = side; v <= rotated->side; v++)
			if (*sum_at(rotated, u, v) - *sum_at(rotated, u - side, v) -
				    *sum_at(rotated, u, v - side) +
				    *sum_at(rotated, u - side, v - side) >=
			    n)
				return true;
	return false;
}

static void by_squares(const struct least *least, int n, const int *sizes, struct bounds *bounds)
{
	struct rotated rotated = {
		.width = sizes[0], .height = sizes[1], .side = sizes[0] + sizes[1]};
	int diameter = 0;

	rotated.below = xcalloc((size_t)(rotated.side + 1) * (size_t)(rotated.side + 1),
				sizeof(*rotated.below));
	fill(&rotated, least);
	while (!has_square(&rotated, n, diameter))
		diameter++;
	free(rotated.below);
	bounds->lower = bounds->upper = diameter;
}

bool least_by_coordinates(const struct least *least, int n, struct bounds *bounds)
{
	const struct topo *topo = least->geometry->topo;
	const int *sizes;
	bool is_ring;
	int ndims = topo->type->dims != NULL ? topo->type->dims(topo, &sizes, &is_ring) : -1;

	if (ndims == 1 && !is_ring)
		by_windows(least, n, bounds);
	else if (ndims == 2 && !is_ring && least->measure == LEAST_MAX)
		by_squares(least, n, sizes, bounds);
	else
		return false;
	return true;
}
