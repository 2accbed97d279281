/* route.h - the routes of messages through a machine */
#ifndef MACHINE_ROUTE_ROUTE_H
#define MACHINE_ROUTE_ROUTE_H

#include "base/registry.h"
#include "model/topo.h"

/*
 * A routing answers from the topology (and, for adaptive ones, a read-only view of loads, which are
 * all zero here). A router object holds what a routing has computed so far.
 */
struct routing;

extern const struct registry routings;            /* "routings" */
extern const struct entry *const routing_default; /* where nothing says which */
/* Of the forwarding tables that a machine has set up. */
extern const struct entry *const routing_of_tables;

/* text NULL: what the topology file says, else the default. The topology must outlive it. */
int routing_open(struct routing **routing, struct topo *topo, const char *text, struct err *err);
/* Of an entry, with its defaults; of a pick, which is taken over. */
int routing_open_entry(struct routing **routing, struct topo *topo, const struct entry *entry,
		       struct err *err);
int routing_open_pick(struct routing **routing, struct topo *topo, struct pick pick,
		      struct err *err);
/* The shortest paths, whatever the topology file says. */
int routing_open_minimal(struct routing **routing, struct topo *topo, struct err *err);
void routing_close(struct routing *routing);

/* Directed links on the route between two nodes, host links included; 0 for a node to itself; -1:
 * there is no route. */
int route_hops(struct routing *routing, int node_a, int node_b);
/* The channels of that route in order, appended to path. Returns their number, or -1. */
int route_path(struct routing *routing, int node_a, int node_b, int_vec *path);

#endif
