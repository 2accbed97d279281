/* own_routes.h - how many routes between a job's nodes stay where only the job computes */
#ifndef MEASURE_METRIC_OWN_ROUTES_H
#define MEASURE_METRIC_OWN_ROUTES_H

#include "measure/checker/geometry.h"
#include "measure/metric/job_routers.h"

/* Routes escape where they visit a router below which other compute nodes are too; two nodes of one
 * router meet no others. */
struct route_counts {
	int64_t nroutes, nescaping; /* between ordered pairs of different nodes */
};

struct own_routes {
	struct geometry *geometry; /* the caller's */
	struct job_routers routers;
	bool is_by_router;              /* a route depends on the source's router only */
	bool is_closed;                 /* and is the closed form of the kind */
	bool *is_open;                  /* [nrouters] */
	int *ncompute[TOPO_LEVELS + 1]; /* [domains of the tier]; last the machine; NULL: no tree */
	int64_t *nnodes, *nlower; /* [nrouters] of a domain: nodes of the job, pairs in one below;
				   * zero between jobs */
	int_vec domains, above, nodes;
};

void own_routes_open(struct own_routes *own, struct geometry *geometry);
void own_routes_close(struct own_routes *own);
/* Of the job at hand of the geometry, whose nodes these are by label: by domains or dimensions
 * where the kind of machine has a closed form, else from router to node. */
struct route_counts own_routes_count(struct own_routes *own, const struct node_ranges *nodes);

/* Whether the route from a to b escapes; -1: there is none. Its channels are geometry->path. */
int geometry_escapes(struct geometry *geometry, int a, int b);

#endif
