/* rank_grid.h - the grid in which ranks are numbered, found from who sends to whom */
#ifndef MAP_GRID_RANK_GRID_H
#define MAP_GRID_RANK_GRID_H

#include "model/comm.h"

enum { RANK_GRID_SIDES = 32 };

/* Sides, the one that is numbered fastest first; their product is the number of ranks. */
struct rank_grid {
	int nsides;
	int side[RANK_GRID_SIDES];
	/* Distance of partners over that of any two ranks: about 1 where there is no grid. */
	double looseness;
};

/*
 * The sides for which partners are nearest to each other: of all chains of divisors 1 | s | … |
 * nranks the one with the least sum, over (a sample of) the messages, of the distances around each
 * side. Exact for halos and for all-to-alls along sides; of any other graph it is the grid that
 * fits least badly. Sides of 1 are left out.
 */
void rank_grid_find(struct rank_grid *grid, const struct comm *comm);

#endif
