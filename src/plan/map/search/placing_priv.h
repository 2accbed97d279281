/* placing_priv.h - what the files of a placing share */
#ifndef MAP_SEARCH_PLACING_PRIV_H
#define MAP_SEARCH_PLACING_PRIV_H

#include "map/search/placing.h"

/* The number of equal parts of a message that is spread. */
enum { PART_BITS = 12, PARTS = 1 << PART_BITS };

/* Fills what items send and get, and the quantum. */
void placing_make_ends(struct placing *placing, const struct comm *comm);

/* What a link with a load adds to what is small, where that is steep: placing_aim. */
static inline double placing_steep_cost(const struct placing *s, double load)
{
	double part = load / s->limit, power = part * part;

	power *= power;
	power *= power;
	return load + s->limit * power * power;
}

#endif
