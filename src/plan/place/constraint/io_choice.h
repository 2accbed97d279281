/* io_choice.h - which I/O points a job gets, and lists of them */
#ifndef PLACE_CONSTRAINT_IO_CHOICE_H
#define PLACE_CONSTRAINT_IO_CHOICE_H

#include "place/constraint/space.h"

/* What a job asks for. Zeroed: nothing. */
struct io_request {
	int wanted;        /* their number; npinned where it names them */
	const int *pinned; /* [npinned] points that it names */
	int npinned;
	const bool *is_held; /* [npoints] exclusive ones that other jobs have; NULL: none */
};

/* Appends the points that a hostlist names; an unknown one and one named twice are refused. */
int io_list_read(const struct space *space, const char *text, int_vec *points, struct err *err);
void io_list_add(const struct space *space, const int *points, size_t n, struct buf *out);

/* Whether a job may still have a point. */
bool io_is_free(const struct space *space, const struct io_request *request, int point);

/*
 * Which points a job with these nodes gets: those that it pins, else the free ones with the fewest
 * hops to one of its nodes, ties to the lowest; local: only such as are in the closed neighbourhood
 * of its nodes (at a switch: one of them is below it). Returns whether there are enough; points are
 * appended.
 */
bool io_choose(const struct space *space, const struct io_request *request, const int *nodes, int n,
	       bool local, int_vec *points);

#endif
