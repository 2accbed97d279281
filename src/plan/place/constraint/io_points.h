/* io_points.h - where the jobs of a machine reach their files */
#ifndef PLACE_CONSTRAINT_IO_POINTS_H
#define PLACE_CONSTRAINT_IO_POINTS_H

#include "model/topo.h"

/* Where jobs reach their files: an I/O node, or a switch that has one. */
struct io_point {
	int node;   /* -1: it is at the switch router */
	int router; /* that of the node, or the switch */
	bool is_separate, is_exclusive;
};

/* The points of a machine: nodes in label order, then switches. rank_of [nrouters]: 0 at the nodes,
 * 1 above. A node that two entries of the topology name is refused. */
int io_points(const struct topo *topo, const int *rank_of, struct io_point **points, int *npoints,
	      struct err *err);

/* The name of a point: the node's, or the switch's. */
const char *io_name(const struct topo *topo, const struct io_point *point, char text[TOPO_NAME]);
/* By node, then by router; switches last. */
int io_point_compare(const void *a, const void *b);

#endif
