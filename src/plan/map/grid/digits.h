/* digits.h - a grid of ranks is embedded into a grid of places, digit by digit */
#ifndef MAP_GRID_DIGITS_H
#define MAP_GRID_DIGITS_H

#include <pthread.h>

#include "map/grid/places.h"
#include "map/grid/rank_grid.h"

/*
 * The sides of both grids are split into prime digits. A coordinate is written in the reflected
 * mixed-radix Gray code, so that neighbours differ in one digit, by one. Every digit of a rank is a
 * digit of some dimension of the places, of the same radix; a dimension reads its digits by the
 * inverse code. So a halo keeps neighbours near whatever the sides are, and a side that goes around
 * two dimensions of a torus is a ring there. A line may be folded (0, 2, 4 … 5, 3, 1): a side that
 * is a ring then has no link that all of it crosses.
 *
 * Which digits a dimension has, in what order, and what is folded is climbed from many starts,
 * counted on the routes: the greatest load plus the mean of all links.
 */

/* One member's best embeddings that differ, most at most, best first, into node_of [most · nranks].
 * Returns how many. Takes a part of a second; less for a graph that is hardly a grid. */
int digits_embed(const struct map_input *in, struct routes *routes, const struct rank_grid *grid,
		 const struct places *places, int most, int *node_of);

/* Of a job, the grid that its ranks are and the places that its nodes are: mappers and rivals ask
 * for the same. Members of a team may ask at once. */
struct digits_memo {
	pthread_mutex_t lock;
	const struct comm *comm;
	struct rank_grid grid;
	bool has_grid;
	const int *room; /* other rooms have other places */
	int most, n;     /* asked for, found; 0: nothing yet */
	int *node_of;    /* [n · nranks] */
};
void digits_memo_open(struct digits_memo *memo, const struct map_input *in);
void digits_memo_close(struct digits_memo *memo);
/* The grid of rank_grid_find, a copy to be freed, by what in->digits has kept. */
void digits_grid_once(const struct map_input *in, struct rank_grid *grid);
/* The same as digits_embed, by what in->digits has kept. */
int digits_embed_once(const struct map_input *in, struct routes *routes,
		      const struct rank_grid *grid, const struct places *places, int most,
		      int *node_of);

#endif
