/* map_routes.h - the routes between the nodes of a job, in numbers that stay close together */
#ifndef MAP_ROUTES_MAP_ROUTES_H
#define MAP_ROUTES_MAP_ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/route/route.h"
#include "base/mem.h"
#include "model/topo.h"

/*
 * Routes depend on the destination: from two nodes that hang on the same router by one link each
 * they are the same behind that link. So they are kept by router and destination, in a table where
 * that is small, else in as many slots as memory linear in the nodes has room for, which are
 * emptied when they are full. Channels are numbered anew in the order they are met (dense).
 */
struct routes {
	struct routing *routing;
	const int *nodes; /* [nnodes] vertices of the allocation, in its order */
	int nnodes;
	int *source_of; /* [nnodes] nodes that share what is behind their link have the same */
	int nsources;
	int32_t *up;     /* [nnodes] dense number of that link, or -1: routes begin with theirs */
	uint32_t *dense; /* [nsources × nnodes] offset + 1 into pool, or NULL: hashed */
	struct route_slot *slots;
	uint32_t nslots, nfilled, most;
	VEC(int32_t) pool; /* length, then channels, dense numbers */
	VEC(double) share; /* beside the pool: the part of a message; only of split routes */
	struct routes_split *split;     /* NULL: the machine's own routes */
	struct routes_bundles *bundles; /* NULL: of nodes, not routers */
	/* Of these two: adds the route from place a to b, returns how many channels, or −1; frees
	 * them. NULL: the machine's own routes between nodes. */
	int (*add)(struct routes *routes, int a, int b);
	void (*drop)(struct routes *routes);
	int32_t *inside;       /* [nnodes] dense numbers of what copies load; NULL: nothing */
	int32_t *number_of;    /* [channels of the machine] dense number + 1 */
	VEC(int32_t) channels; /* dense number → channel */
	VEC(double) per_byte;  /* dense number → 1 / capacity, relative to the terminal link */
	VEC(int32_t) now;      /* what routes_get gave */
	struct topo *topo;
	int_vec path;
	int64_t nforgotten; /* how often the pool was emptied */
	bool is_broken;     /* a pair without a route was looked up */
};

/* nodes [nnodes] must outlive it. */
void routes_init(struct routes *routes, struct topo *topo, struct routing *routing,
		 const int *nodes, int nnodes);
void routes_free(struct routes *routes);
/* From here on a message is spread over all shortest paths, whatever the machine's routes are:
 * before any was asked for. */
void routes_spread(struct routes *routes);
/* From here on loads are those that the routing is expected to cause, where it chooses packet by
 * packet (machine/route/expected.h): before any was asked for. minimal: 0 … 1 */
void routes_expect(struct routes *routes, double minimal);
/* From here on messages inside a node load something of its own, a byte so much as per_byte bytes a
 * link of capacity 1; no route has it, but searches see it. */
void routes_load_inside(struct routes *routes, double per_byte);
/* The one or the other, or neither, as others have it; the last, too. */
void routes_split_like(struct routes *routes, const struct routes *other);

/*
 * Routes between the routers of others' nodes: places are the sources of these, and channels that
 * represent one another are one bundle. Such are those that routes of one length from a router
 * to the nodes of another take at the same hop: which of them it is, only the node decides. The
 * load of a bundle over its capacity is that of its most loaded channel where all nodes send all
 * the same; where routes cross so that most channels are one bundle, it says little. single must
 * outlive them.
 *
 * Returns false, and makes none: no router has two nodes, nodes have several links, routes depend
 * on the sender, are not in a table or missing, or the most loaded channels of bundles have more
 * than 1.4 times their part on average.
 */
bool routes_bundle(struct routes *routes, struct routes *single);

/* The channels (dense numbers) from node a to node b of the allocation (indices): at[0] is their
 * number, at[1] … the channels; valid until the next call. Empty for a node to itself. */
const int32_t *routes_get(struct routes *routes, int a, int b);
/* The same without the first channel where that is routes->up[a] and not -1; a and b are different
 * nodes of the machine. Mappers spend their time here. */
const int32_t *routes_find(struct routes *routes, int a, int b);
static inline const int32_t *routes_rest(struct routes *routes, int a, int b)
{
	size_t pair = (size_t)routes->source_of[a] * (size_t)routes->nnodes + (size_t)b;

	if (routes->dense != NULL && routes->dense[pair] != 0)
		return &routes->pool.at[routes->dense[pair] - 1];
	return routes_find(routes, a, b);
}

/* Where routes_rest of a route that was asked for before is in the pool, for as long as no other is
 * asked for that was not; -1: it may be forgotten. */
static inline int32_t routes_kept(const struct routes *routes, int a, int b)
{
	size_t pair = (size_t)routes->source_of[a] * (size_t)routes->nnodes + (size_t)b;

	return routes->dense != NULL ? (int32_t)routes->dense[pair] - 1 : -1;
}

/* What messages inside a node load; -1: nothing. */
static inline int32_t routes_inside(const struct routes *routes, int v)
{
	return routes->inside != NULL ? routes->inside[v] : -1;
}

/* Of what routes_rest gave: the parts of a message on its channels, [0] of the first; NULL: all of
 * it on each. */
static inline const double *routes_shares(const struct routes *routes, const int32_t *route)
{
	return routes->split == NULL ? NULL : routes->share.at + (route - routes->pool.at) + 1;
}

/* Bytes that the routes take up. */
size_t routes_bytes(const struct routes *routes);

#endif
