/* rank_grid.h - the grid that ranks are, found from who sends to whom */
#ifndef MAP_GRID_RANK_GRID_H
#define MAP_GRID_RANK_GRID_H

#include "model/comm.h"

enum { RANK_GRID_SIDES = 32 };

/* Sides, the one that is numbered fastest first; their product is the number of ranks. */
struct rank_grid {
	int nsides;
	int side[RANK_GRID_SIDES];
	int *number_of; /* [nranks] numbers of the ranks in it; NULL: they are numbered so */
	/* Distance of partners over that of any two ranks: about 1 where there is no grid. */
	double looseness;
};

/*
 * The sides for which partners are nearest to each other: of all chains of divisors 1 | s | … |
 * nranks the one with the least sum, over (a sample of) the messages, of the distances around each
 * side. Exact for halos and for all-to-alls along sides; of any other graph it is the grid that
 * fits least badly. Sides of 1 are left out. Where ranks are not numbered so, but the graph is a
 * grid (product_grid.h), they are given numbers.
 */
void rank_grid_find(struct rank_grid *grid, const struct comm *comm);
/* copy is to be freed as well. */
void rank_grid_copy(struct rank_grid *copy, const struct rank_grid *grid, int nranks);
void rank_grid_free(struct rank_grid *grid);

#endif
