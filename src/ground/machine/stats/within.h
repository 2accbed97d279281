/* within.h - pairs of nodes whose routes stay on some of the routers, in networks of dimensions */
#ifndef MACHINE_STATS_WITHIN_H
#define MACHINE_STATS_WITHIN_H

#include "model/topo_type.h"

/* Of one line of a dimension: to[x] becomes the sum of from[y] over all y, x too, whose route to x
 * visits open places only. from is 0 at the others. */
typedef void within_line_fn(const uint64_t *from, const bool *is_open, uint64_t *to, int size);

within_line_fn within_on_mesh, within_on_ring, within_where_joined;

/* Router r is at r / strides[d] % sizes[d] of dimension d; routes go by the dimensions in order. */
struct within {
	int ndims;
	const int *sizes, *strides; /* [ndims] */
	within_line_fn *line;
};

/* As topo_type's within; the time is that of all routers, once per dimension. */
uint64_t within_count(const struct topo *topo, const struct router_counts *counts,
		      const bool *is_open, const struct within *within);

#endif
