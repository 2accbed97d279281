/* farthest.h - the longest distance of two routers of a set, in networks of dimensions */
#ifndef MACHINE_STATS_FARTHEST_H
#define MACHINE_STATS_FARTHEST_H

#include "machine/stats/pairs.h"

/* Of one line of a dimension: to[x] becomes the greatest from[y] + distance of x and y over all y.
 * scratch [size]. */
typedef void farthest_line_fn(const int *from, int *to, int size, int *scratch);

farthest_line_fn farthest_on_mesh, farthest_on_ring, farthest_where_joined;

/* Router r is at r / strides[d] % sizes[d] of dimension d; distances add up over dimensions. */
struct farthest {
	int ndims;
	const int *sizes, *strides; /* [ndims] */
	farthest_line_fn *line;
};

/* At most so much is known. Pairs are tried first, while that costs less than going through all
 * routers of the machine once per dimension, which bounds the time. */
int farthest_find(const struct topo *topo, const struct router_counts *counts,
		  const struct farthest *farthest, int most);

#endif
