/* scotch_grid.h - libscotch maps the graph onto the mesh, torus or hypercube of the nodes */
#ifndef MAP_MAPPER_SCOTCH_GRID_H
#define MAP_MAPPER_SCOTCH_GRID_H

#include "map/problem/problem.h"

/*
 * Onto libscotch's own architecture: a box of nodes is one of its own, others are a part of the
 * machine's (Scotch's "sub"). Fills node_of [nranks]. Returns false where nodes are no mesh, torus
 * or hypercube, or of more than five dimensions, do not take equally many ranks, or have no router
 * for themselves and fill no box; or where libscotch is missing.
 */
bool scotch_grid(const struct map_input *in, int *node_of);

#endif
