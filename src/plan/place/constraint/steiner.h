/* steiner.h - small connected sets of idle nodes that touch given places */
#ifndef PLACE_CONSTRAINT_STEINER_H
#define PLACE_CONSTRAINT_STEINER_H

#include "place/constraint/constraint.h"

enum { STEINER_PLACES = 10 };

/* What a set has to touch: bit i of mask[router] says that a node of the router touches place i. */
struct steiner {
	const struct space *space;
	const struct machine *machine;
	const int *rank;
	int nplaces;          /* at most STEINER_PLACES */
	const unsigned *mask; /* [nrouters] */
	int least;            /* places that must be touched, at most nplaces */
};

/*
 * For each piece of idle nodes the smallest connected set that touches enough places (Dreyfus and
 * Wagner's recursion, with weights at the vertices; separate I/O nodes weigh nothing), nodes of a
 * router by rank. Calls visit with each; nonzero ends it. Returns enum search_end: SEARCH_BOUND
 * where it would need more memory or time than there is.
 */
int steiner_cores(const struct steiner *steiner, struct search *search,
		  int (*visit)(void *context, const int *nodes, int n), void *context);

#endif
