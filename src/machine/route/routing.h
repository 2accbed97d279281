/* routing.h - what an entry of the registry of routings gives */
#ifndef MACHINE_ROUTE_ROUTING_H
#define MACHINE_ROUTE_ROUTING_H

#include "machine/route/route.h"
#include "model/topo_type.h"

struct routing_type;

struct routing {
	const struct routing_type *type;
	struct topo *topo;
	struct pick pick;
	void *state; /* the type's own */
};

/* hops and path are asked for two different nodes, and answer as route.h says. */
struct routing_type {
	struct entry entry;
	bool is_by_pair; /* two nodes on one router may have different routes to the same node */
	int (*open)(struct routing *routing, struct err *err); /* NULL: nothing to do */
	void (*close)(struct routing *routing); /* frees state; also after a failed open */
	int (*hops)(struct routing *routing, int node_a, int node_b);
	int (*path)(struct routing *routing, int node_a, int node_b, int_vec *path);
};

#endif
