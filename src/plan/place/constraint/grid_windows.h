/* grid_windows.h - sums over windows of a grid, one dimension after the other */
#ifndef PLACE_CONSTRAINT_GRID_WINDOWS_H
#define PLACE_CONSTRAINT_GRID_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

/* Over a window of routers. */
struct cell {
	int nbusy;     /* nodes that compute and are not to be had */
	int weight;    /* nodes that count */
	int64_t value; /* sum of their ranks */
};

/*
 * Windows of side cells along dimension d of an array with these extents [ndims], the first one
 * varying fastest; to be freed. *nplaces: what extents[d] becomes. On rings windows wrap, and there
 * is one of the whole.
 */
struct cell *windows_slide(const struct cell *from, const int *extents, int ndims, int d, int side,
			   bool is_ring, int *nplaces);

#endif
