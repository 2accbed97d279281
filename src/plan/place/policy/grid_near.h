/* grid_near.h - nodes that are near each other on a line, ring, mesh, torus or hypercube */
#ifndef PLACE_POLICY_GRID_NEAR_H
#define PLACE_POLICY_GRID_NEAR_H

#include "place/policy/policy.h"

enum near_goal { NEAR_MAX, NEAR_SUM }; /* of the distances of all pairs */

struct grid_near {
	struct topo *topo;
	int ndims;        /* -1: the network has none, and nothing else here is for it */
	const int *sizes; /* [ndims] */
	bool is_ring;
	int *seen_of, nseen; /* [nrouters] */
	int_vec ball, queue, idle, best;
};

/* The open and close of policies whose state it is. */
int grid_near_open(struct alloc *alloc, struct err *err);
void grid_near_close(struct alloc *alloc);

/*
 * Takes nodes whose largest distance, or sum of distances, is small. The least there can be: on
 * lines; the largest distance on two-dimensional meshes. On rings of n routers the shortest arc,
 * which is the least as long as it is no longer than n/3 (half the ring, for the sum). Elsewhere
 * the best of the balls around 64 idle nodes, evenly spaced by label.
 */
void grid_near_take(struct grid_near *near, const struct alloc_request *request,
		    enum near_goal goal, int_vec *nodes, struct buf *reason);

#endif
