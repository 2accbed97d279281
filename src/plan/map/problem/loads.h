/* loads.h - what a mapping puts on links, counted from nothing and fast */
#ifndef MAP_PROBLEM_LOADS_H
#define MAP_PROBLEM_LOADS_H

#include "map/routes/map_routes.h"
#include "base/mem.h"
#include "model/comm.h"

/* Zeroed is empty; kept between mappings so that nothing is allocated anew. */
struct loads {
	VEC(double) bytes; /* by dense number of channels */
	double greatest;   /* bytes over capacity */
	double norm8;      /* (Σ load^8)^(1/8) of the same */
	double hop_bytes;
};

/* Of the graph's messages between nodes (indices of the routes' allocation). node_of [nranks] */
void loads_count(struct loads *loads, struct routes *routes, const struct comm *comm,
		 const int *node_of);
void loads_free(struct loads *loads);

#endif
