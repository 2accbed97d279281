/* connected_pieces.h - pieces of idle nodes, and connected sets in them */
#ifndef PLACE_CONSTRAINT_CONNECTED_PIECES_H
#define PLACE_CONSTRAINT_CONNECTED_PIECES_H

#include "place/constraint/constraint.h"

/* Refuses networks where it says nothing: hierarchies (paper, section 4). */
int connected_open(struct constraint *constraint, struct err *err);

/* Pieces of idle nodes with at least so many: those of piece i are nodes[first[i]] … first[i + 1]
 * - 1. Returns their number. */
int connected_pieces(const struct space *space, const struct machine *machine, int least,
		     int_vec *nodes, int_vec *first);

/* Whether n ≥ 1 nodes are in one piece. */
bool connected_is(const struct space *space, const int *nodes, int n);

/* Visits one set: core (connected, ncore ≥ 1, by separate I/O nodes if need be), and from there
 * on always the idle node next to the set that comes first by rank. Nothing if the piece is too
 * small. */
int connected_grow(struct search *search, const struct space *space, const int *core, int ncore);

/* Visits every connected set of wanted nodes of a piece, once (ESU: Wernicke, Efficient detection
 * of network motifs, IEEE/ACM TCBB 2006). */
int connected_all(struct search *search, const struct space *space, const int *piece, int n);

#endif
