/* product_grid.h - the grid that a graph is, however its ranks are numbered */
#ifndef MAP_GRID_PRODUCT_GRID_H
#define MAP_GRID_PRODUCT_GRID_H

#include "model/comm.h"

/*
 * Finds whether ranks and some of their edges are a Cartesian product of paths, rings or other
 * graphs: halos, and all-to-alls along the sides of a grid. Of a stencil with diagonals, the edges
 * along sides are found by weight, or by how many triangles and squares they are in. Factors are
 * classes of edges: two that meet and are the only square over them belong to two factors, as
 * opposite sides of a square belong to one, as in Imrich and Peterin, Recognizing Cartesian
 * products in linear time, Discrete Mathematics 307 (2007); what these local rules lead to is then
 * checked.
 *
 * symmetric: comm_symmetric. Returns numbers [nranks] of the ranks in the grid, to be freed, or
 * NULL: there is none, or it is too dense to look.
 */
int *product_grid_number(const struct comm *symmetric);

#endif
