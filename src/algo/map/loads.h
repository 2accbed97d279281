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
	VEC(int32_t) pool; /* length, then channels, dense numbers */
	VEC(double) share; /* beside the pool: the part of a message; only of split routes */
	struct routes_split *split; /* NULL: the machine's own routes */
	int32_t *number_of;         /* [channels of the machine] dense number + 1 */
	VEC(int32_t) channels;      /* dense number → channel */
	VEC(double) per_byte; /* dense number → 1 / capacity, relative to the terminal link */
	struct topo *topo;
	int_vec path;
	int broken_from, broken_to; /* the first pair without a route; -1: none */
};

/* nodes [nnodes] must outlive it. */
void routes_init(struct routes *routes, struct topo *topo, struct routing *routing,
		 const int *nodes, int nnodes);
void routes_free(struct routes *routes);
/* From here on a message is spread over all shortest ways, whatever the machine's routes are:
 * before any was asked for. */
void routes_spread(struct routes *routes);

/* The channels (dense numbers) from node a to node b of the allocation (indices): at[0] is their
 * number, at[1] … the channels; valid until the next call. Empty for a node to itself. */
const int32_t *routes_get(struct routes *routes, int a, int b);

/* Of a route just got: the parts of a message on its channels, [0] of the first; NULL: all of it on
 * each. */
static inline const double *routes_shares(const struct routes *routes, const int32_t *route)
{
	return routes->split == NULL ? NULL : routes->share.at + (route - routes->pool.at) + 1;
}

/* Bytes that the routes take up. */
size_t routes_bytes(const struct routes *routes);

#endif
