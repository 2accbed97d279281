/* link_cliques.h - sets of nodes that go together by pairs: cliques by branching */
#ifndef PLACE_CONSTRAINT_LINK_CLIQUES_H
#define PLACE_CONSTRAINT_LINK_CLIQUES_H

#include "place/constraint/constraint.h"
#include "place/constraint/link_forms.h"

/*
 * Visits sets of search->wanted of the nodes [n, by rank] of which no route between two has a link
 * in use. All of them, or the first one: that whose nodes come first, by rank, at the first place
 * where two sets differ. It is looked for with a quarter of the steps; with the others one try that
 * never goes back is made from each of some places, and the first set that is found will do.
 * SEARCH_BOUND: the steps were spent before one was; the first try is made whatever they are.
 */
int link_cliques(struct links *links, struct search *search, const int *nodes, int n);

/* Whether no route between two of the nodes has one; steps are spent. */
bool links_go_together(struct links *links, struct search *search, const int *nodes, int n);

#endif
