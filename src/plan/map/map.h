/* map.h - a request of mapref, from its files to the mapping */
#ifndef MAP_MAP_H
#define MAP_MAP_H

#include "base/run_context.h"
#include "map/allocation.h"
#include "map/map_run.h"
#include "map/problem/travel.h"

struct map_request {
	/* How messages travel on the machine; NULL: as large ones do. */
	int (*learn_travel)(struct travel *travel, struct topo *topo, struct err *err);
	const char *graph, *routing, *stats; /* NULL: not given */
	const char *explain;                 /* a file for map_explain; or NULL */
	const char *metric;                  /* what is to be small; NULL: what the mapper says */
	double imbalance;                    /* of nodes in ranks; below 0: as many as slots */
	int64_t nfinalists;                  /* mappings to write; 0: the one that is found */
	bool ignores_routes;                 /* the mapper sees all shortest paths */
	double expected; /* loads are those that an adaptive routing is expected to cause, this
			  * part of a message on minimal paths; below 0: on the one path of each */
	struct allocation_request allocation;
	struct map_choice choice;
};

/* Reads the graph and the machine (the context's topology, or the stream's), maps, and writes the
 * mapping to the context's output. *whole: the graph was not cut off. Under an MPI launcher all
 * processes come here; one says what is wrong, and 0 is returned to the others. */
int map_job(const struct run_context *context, const struct map_request *request, bool *whole,
	    struct err *err);

#endif
