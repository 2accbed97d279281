/* pending.h - the jobs that wait, in the order of their places, and the next one that fits */
#ifndef PLACE_RUN_PENDING_H
#define PLACE_RUN_PENDING_H

#include <stdint.h>

/*
 * Places 0 … n − 1 in the order of the queue. A tree over them knows the least number of nodes and
 * the shortest length of the jobs below each of its knots, so that jobs that can't fit are passed
 * over many at a time.
 */
struct pending {
	int nleaves; /* a power of two */
	int n;       /* jobs that wait */
	int first;   /* no job before this place waits */
	struct pending_knot *knots;
};

void pending_init(struct pending *pending, int n);
void pending_free(struct pending *pending);

void pending_add(struct pending *pending, int place, int nnodes, int64_t length_ns);
void pending_remove(struct pending *pending, int place);

/* The first job that waits at or behind a place; -1: none. */
int pending_next(const struct pending *pending, int from);
/* The first of at most nnodes nodes that takes at most length_ns, or at most nlong nodes. */
int pending_next_fitting(const struct pending *pending, int from, int nnodes, int64_t length_ns,
			 int nlong);

#endif
