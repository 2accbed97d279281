/* digits_priv.h - where each digit goes */
#ifndef MAP_GRID_DIGITS_PRIV_H
#define MAP_GRID_DIGITS_PRIV_H

#include "map/grid/digits.h"
#include "base/rng.h"

enum { DIGITS_MOST = 32 };

/* The digits of one side or dimension, the least significant first. */
struct digits_code {
	int n, radix[DIGITS_MOST];
	int number[DIGITS_MOST]; /* of the digit among all: those of the ranks' sides in a row */
	bool is_folded;
};

/* In each dimension the digits of one side are consecutive, ascending; place_of_side [dim][side]
 * says in which order the sides do. */
struct digits_plan {
	int nsides, ndims;
	struct digits_code side[RANK_GRID_SIDES], dim[PLACE_DIMS];
	int place_of_side[PLACE_DIMS][RANK_GRID_SIDES];
};

/* SWAP: digit `at` of a dimension with digit `with` of another; ORDER: sides `at` and `with` in a
 * dimension; TURN: digits at, at + 1 of side dim, of unlike radix; FOLD: a dimension. */
enum digits_change_kind { DIGITS_SWAP, DIGITS_ORDER, DIGITS_TURN, DIGITS_FOLD };
struct digits_change {
	enum digits_change_kind kind;
	int dim, at, other, with;
};

/* Digits in order, or (rng) at random. */
void digits_plan_make(struct digits_plan *plan, const struct rank_grid *grid,
		      const struct places *places, struct rng *rng);
/* All changes there are; to be freed. */
struct digits_change *digits_changes(const struct digits_plan *plan, const struct places *places,
				     int *n);
/* Returns whether it did anything. */
bool digits_change(struct digits_plan *plan, const struct digits_change *change);
/* Where all ranks go. node_of [nranks] */
void digits_decode(const struct digits_plan *plan, const struct places *places, int nranks,
		   int *node_of);

#endif
