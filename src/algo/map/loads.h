/* loads.h - the loads that a mapping puts on links, kept while ranks move */
#ifndef ALGO_MAP_LOADS_H
#define ALGO_MAP_LOADS_H

#include <stdint.h>

#include "algo/route/route.h"
#include "base/mem.h"
#include "model/topo.h"

/*
 * The routes between the nodes of an allocation, looked up once each: one array for each pair that
 * was asked for, so memory grows with the pairs that talk and not with their square. Channels are
 * numbered anew in the order they are met (dense), so that loads stay close together.
 */
struct routes {
	struct routing *routing;
	const int *nodes; /* [nnodes] vertices of the allocation, in its order */
	int nnodes;
	uint32_t *dense; /* [nnodes²] offset + 1 into pool, or NULL: hashed */
	struct route_slot *slots;
	uint32_t nslots, nfilled;
	VEC(int32_t) pool;     /* length, then channels, dense numbers */
	int32_t *number_of;    /* [channels of the machine] dense number + 1 */
	VEC(int32_t) channels; /* dense number → channel */
	VEC(double) per_byte;  /* dense number → 1 / capacity, relative to the terminal link */
	struct topo *topo;
	int_vec path;
	int broken_from, broken_to; /* the first pair without a route; -1: none */
};

/* nodes [nnodes] must outlive it. */
void routes_init(struct routes *routes, struct topo *topo, struct routing *routing,
		 const int *nodes, int nnodes);
void routes_free(struct routes *routes);

/* The channels (dense numbers) from node a to node b of the allocation (indices): at[0] is their
 * number, at[1] … the channels; valid until the next call. Empty for a node to itself. */
const int32_t *routes_get(struct routes *routes, int a, int b);

#endif
