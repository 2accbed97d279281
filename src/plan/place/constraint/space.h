/* space.h - a machine as constraints see it: who computes, who does I/O, who is next to whom */
#ifndef PLACE_CONSTRAINT_SPACE_H
#define PLACE_CONSTRAINT_SPACE_H

#include "place/constraint/io_points.h"
#include "machine/route/route.h"
#include "model/topo_type.h"

/*
 * Made once for a machine; it must outlive it. A network is direct where every router has nodes:
 * then the nodes of a router, and of two routers with a cable between them, are adjacent. The
 * others are hierarchical: their nodes are joined through switches only, and distances are levels
 * (tiers). A node computes unless the topology names it as a separate I/O node; it serves if it
 * also is in service, which is to say: may ever be given out.
 */
struct space {
	struct topo *topo;
	struct routing *routing;
	bool is_direct, is_tree, is_grid, is_ring, is_dor; /* is_tree: tree or fat tree */
	bool is_adaptive; /* messages may take other ways than the one that route_path says */
	int ndims;
	const int *sizes;        /* of a grid, [ndims] */
	bool *computes, *serves; /* [nnodes] */
	int nserving;
	bool has_separate;      /* some node does not compute */
	int *ncompute;          /* [nrouters] */
	bool *connects;         /* [nrouters] has a separate I/O node */
	int *first_node, *node; /* those of router r: node[first_node[r]] … of first_node[r + 1] */
	int *first_peer, *peer;  /* routers next to router r, in order, each once; as above */
	int *rank_of;            /* [nrouters]: 0 where nodes are, 1 next to these, … */
	struct io_point *points; /* [npoints] */
	int npoints;
};

/* away [nnodes]: nodes that are never given out; NULL: none. routing NULL: as the topology says. */
int space_open(struct space *space, struct topo *topo, const char *routing, const bool *away,
	       struct err *err);
void space_close(struct space *space);

/* Where a router of a grid is. at [ndims] */
void space_coordinates(const struct space *space, int router, int *at);

/* Appends the nodes below a router that compute: its own, or where it has none, those below the
 * routers next to it that are nearer to nodes; each once. */
void space_below(const struct space *space, int router, int_vec *nodes);

/*
 * Walks over routers that are next to each other: reached routers are those where the next node of
 * a connected set may be. Separate I/O nodes connect for nothing.
 */
struct reach {
	const struct space *space;
	bool *is_reached; /* [nrouters] */
	int_vec newly;    /* routers reached since it was last emptied */
	int_vec all;      /* of them */
};
void reach_init(struct reach *reach, const struct space *space);
void reach_free(struct reach *reach);
void reach_clear(struct reach *reach); /* in time proportional to what was reached */
/* The set may begin here. */
void reach_start(struct reach *reach, int router);
/* The set has a node of this router now. */
void reach_from(struct reach *reach, int router);

#endif
