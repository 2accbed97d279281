/* connected_pieces.h - pieces of idle nodes, and connected sets in them */
#ifndef PLACE_CONSTRAINT_CONNECTED_PIECES_H
#define PLACE_CONSTRAINT_CONNECTED_PIECES_H

#include "place/constraint/constraint.h"

/* Refuses networks where it says nothing: hierarchies (paper, section 4). */
int connected_open(struct constraint *constraint, struct err *err);

/* Pieces with a minimum number of idle nodes: those of piece i are nodes[first[i]] … first[i + 1]
 * - 1. Returns their number. */
int connected_pieces(const struct space *space, const struct machine *machine, int least,
		     int_vec *nodes, int_vec *first);

/*
 * Pieces as routers join one after the other: those with a separate I/O node are there from the
 * beginning, and have no nodes.
 */
struct joining {
	const struct space *space;
	int *parent; /* [nrouters] −1: it has not joined */
	int *weight; /* [nrouters] nodes of the piece, at its root */
	int most;    /* nodes of the largest piece */
};
/* As the state of a constraint. */
void joining_open(struct constraint *constraint);
void joining_close(struct constraint *constraint);
void joining_start(struct joining *joining);
void joining_add(struct joining *joining, int node);

/* Exactly, without I/O nodes: place/constraint/joining.c */
bool connected_fits(struct joining *joining, const uint64_t *idle, int n);
int64_t connected_earliest(struct joining *joining, const struct free_times *times, int n);

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
