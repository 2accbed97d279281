/* window_sums.h - how far a node is from all nodes of a set that changes by one node at a time */
#ifndef MEASURE_METRIC_WINDOW_SUMS_H
#define MEASURE_METRIC_WINDOW_SUMS_H

#include "measure/checker/geometry.h"
#include "measure/metric/job_routers.h"

/*
 * By counts: per domain on hierarchical networks, per coordinate on those with dimensions, per
 * router on others, where the sums at the last two routers asked for are kept; else node by node.
 */
struct coordinate_sums; /* Fenwick trees of one dimension */
struct router_sum {
	int router; /* -1: none */
	int64_t sum;
};

struct window_sums {
	const struct geometry *geometry; /* the caller's */
	int64_t nnodes;                  /* in the set */
	int *of_domain[TOPO_LEVELS];     /* [domains of the tier]; NULL: not hierarchical */
	int ndims;                       /* 0: not by coordinates */
	bool is_ring;
	const int *sizes;
	struct coordinate_sums *along; /* [ndims] */
	bool is_by_router;
	int *nodes_at; /* [nrouters] */
	int *node_of;  /* [nrouters] one of its nodes */
	int_vec routers;
	int *place_of; /* [nrouters] in routers, or -1 */
	struct router_sum kept[2];
	int oldest;
	bool is_by_node;
	int_vec nodes;
};

void window_sums_open(struct window_sums *window, const struct geometry *geometry);
void window_sums_close(struct window_sums *window);
void window_sums_clear(struct window_sums *window);
void window_sums_add(struct window_sums *window, int node);
void window_sums_remove(struct window_sums *window, int node);
/* The sum of the distances (geometry_distance) of a node, not in the set, to its nodes. */
int64_t window_sums_of(struct window_sums *window, int node);

#endif
