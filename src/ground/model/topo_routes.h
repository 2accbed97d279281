/* topo_routes.h - the routes that a machine has set up: forwarding tables */
#ifndef MODEL_TOPO_ROUTES_H
#define MODEL_TOPO_ROUTES_H

#include "model/topo.h"

/*
 * An end is a cable of a node: end e is the channel graph->channel[e] of a node, so that those of
 * node v are graph->first[v] … graph->first[v+1]-1, and all of them come first. A router's table
 * says by which channel it sends what is for an end: to another router, or down that cable. As the
 * tables of switches do, it holds a port: one byte for each end, two where routers have more than
 * 254 cables.
 */
struct topo_routes {
	int64_t nends;
	int width;     /* bytes of an entry */
	uint8_t *port; /* [nrouters · nends · width] a router's channel; all bits: none */
};

/* Tables in which routers only know the path down their own ends; they belong to the machine.
 * Refuses more than ROUTES_MOST bytes, and routers with more than 65 534 cables. */
enum { ROUTES_MOST = 1 << 30 };
int topo_routes_new(struct topo *topo, struct err *err);
void topo_routes_free(struct topo_routes *routes); /* NULL is allowed */

/* The channel that leaves the router for an end; -1: there is no route. */
int32_t topo_routes_next(const struct topo *topo, int router, int64_t end);
/* The channel leaves the router; or -1. */
void topo_routes_set(struct topo *topo, int router, int64_t end, int32_t channel);
/* The router of an end, and the channel from there down to the node. */
int topo_end_router(const struct topo *topo, int64_t end);
int32_t topo_end_channel(const struct topo *topo, int64_t end);
/* Links between routers on the path from a router to an end; ROUTES_NONE: a table has no entry;
 * ROUTES_LOOP: they lead in a cycle. */
enum { ROUTES_NONE = -1, ROUTES_LOOP = -2 };
int topo_routes_hops(const struct topo *topo, int router, int64_t end);

/* A pair of nodes that has no route, by any of their cables, and a router where the one from the
 * first cable to the first ends: it has no entry, or is on a cycle. */
struct topo_routes_fault {
	int from, to, router;
	bool is_loop;
};

/* Ordered pairs of different nodes that have no route, by why; a node with several cables has one
 * when any of them has. The first of them, by where they lead to, then from. */
enum { ROUTES_TOLD = 10 };
struct topo_routes_faults {
	int64_t none, loop;
	int ntold;
	struct topo_routes_fault told[ROUTES_TOLD];
};
void topo_routes_check(struct topo *topo, struct topo_routes_faults *faults);

/* "2 of 240 pairs of nodes have no route (1 of them in a cycle): from n0 to n5 router r2 has
 * no entry"; and of one fault the part behind the colon. */
void topo_routes_faults_text(const struct topo *topo, const struct topo_routes_faults *faults,
			     struct buf *text);
void topo_routes_fault_text(const struct topo *topo, const struct topo_routes_fault *fault,
			    struct buf *text);

#endif
