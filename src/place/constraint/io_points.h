/* io_points.h - the I/O nodes of a machine, and which of them a job uses */
#ifndef PLACE_CONSTRAINT_IO_POINTS_H
#define PLACE_CONSTRAINT_IO_POINTS_H

#include "model/topo.h"

struct space;

/* Where jobs reach their files: an I/O node, or a switch that has one. */
struct io_point {
	int node;   /* -1: it is at the switch router */
	int router; /* that of the node, or the switch */
	bool is_separate, is_exclusive;
};

/* What a job asks for. Zeroed: nothing. */
struct io_request {
	int wanted;        /* their number; npinned where it names them */
	const int *pinned; /* [npinned] points that it names */
	int npinned;
	const bool *is_held; /* [npoints] exclusive ones that other jobs have; NULL: none */
};

/* The points of a machine: nodes in label order, then switches. rank_of [nrouters]: 0 at the nodes,
 * 1 above. A node that two entries of the topology name is refused. */
int io_points(const struct topo *topo, const int *rank_of, struct io_point **points, int *npoints,
	      struct err *err);

/* The name of a point: the node's, or the switch's. */
const char *io_name(const struct topo *topo, const struct io_point *point, char text[TOPO_NAME]);
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
