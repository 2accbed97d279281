/* places.h - the slots of an allocation as a grid, or as domains within domains of equal sizes */
#ifndef MAP_GRID_PLACES_H
#define MAP_GRID_PLACES_H

#include "map/problem/problem.h"

enum { PLACE_DIMS = 40 };

/* What it costs to go along a dimension. */
enum place_kind {
	PLACE_ANY,  /* all places of a domain are alike: cores of a node, nodes of a router */
	PLACE_LINE, /* neighbours are near */
	PLACE_RING  /* and the last is the neighbour of the first */
};

struct place_dim {
	int size;
	enum place_kind kind;
};

/*
 * dims[0] are the ranks of a node. Place c0 + size0 · (c1 + size1 · (…)) is on node node_at[place /
 * size0]. There are as many places as ranks.
 */
struct places {
	int ndims;
	struct place_dim dims[PLACE_DIMS];
	int *node_at; /* indices into the allocation */
};

/*
 * Nodes of a mesh, torus or hypercube that fill a box of it are a grid; nodes of any machine that
 * has equally many in each domain of a tier are domains within domains. Returns false, and makes
 * none, where nodes are neither, or do not take equally many ranks.
 */
bool places_find(struct places *places, const struct map_input *in);
void places_free(struct places *places);

#endif
