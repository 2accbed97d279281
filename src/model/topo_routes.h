/* topo_routes.h - the routes that a machine has set up: forwarding tables */
#ifndef MODEL_TOPO_ROUTES_H
#define MODEL_TOPO_ROUTES_H

#include "model/topo.h"

/*
 * An end is a cable of a node: end e is the channel graph->channel[e] of a node, so that those of
 * node v are graph->first[v] … graph->first[v+1]-1, and all of them come first. A router's table
 * says by which channel it sends what is for an end: to another router, or down that cable.
 */
struct topo_routes {
	int64_t nends;
	int32_t *next; /* [nrouters · nends] channel that leaves the router; -1: there is no way */
};

/* Tables in which routers only know the way down their own ends; they belong to the machine.
 * Refuses more than ROUTES_MOST entries. */
enum { ROUTES_MOST = 1 << 28 };
int topo_routes_new(struct topo *topo, struct err *err);
void topo_routes_free(struct topo_routes *routes); /* NULL is allowed */

int32_t *topo_routes_next(const struct topo *topo, int router, int64_t end);
/* The router of an end, and the channel from there down to the node. */
int topo_end_router(const struct topo *topo, int64_t end);
int32_t topo_end_channel(const struct topo *topo, int64_t end);
/* Links between routers on the way from a router to an end; ROUTES_NONE: a table has no entry;
 * ROUTES_LOOP: they lead round in a circle. */
enum { ROUTES_NONE = -1, ROUTES_LOOP = -2 };
int topo_routes_hops(const struct topo *topo, int router, int64_t end);

/* Ordered pairs of different nodes that have no way, by why; a node with several cables has one
 * when any of them has. */
struct topo_routes_faults {
	int64_t none, loop;
	int none_router, none_node; /* the first: this router has no entry for that node; or -1 */
	int loop_router, loop_node; /* the first: on a circle to that node; or -1 */
};
void topo_routes_check(struct topo *topo, struct topo_routes_faults *faults);

#endif
