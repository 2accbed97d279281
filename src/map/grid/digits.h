/* digits.h - a grid of ranks is embedded into a grid of places, digit by digit */
#ifndef MAP_GRID_DIGITS_H
#define MAP_GRID_DIGITS_H

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

/* One member's embedding. evaluations: how many to try; node_of [nranks] is filled. */
void digits_embed(const struct map_input *in, struct routes *routes, const struct rank_grid *grid,
		  const struct places *places, int evaluations, int *node_of);

/* The best ones that differ, most at most, best first, into node_of [most · nranks]. Returns how
 * many. */
int digits_embed_several(const struct map_input *in, struct routes *routes,
			 const struct rank_grid *grid, const struct places *places, int evaluations,
			 int most, int *node_of);

/* Evaluations that take a part of a second; a few for a graph that is hardly a grid. */
int digits_evaluations(const struct map_input *in, const struct rank_grid *grid);

#endif
