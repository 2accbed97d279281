/* type.h - what one kind of network gives: its nodes, links, distances and drawing */
#ifndef ALGO_TOPO_TYPE_H
#define ALGO_TOPO_TYPE_H

#include "base/registry.h"
#include "model/topo.h"

typedef void topo_link_fn(void *context, int a, int b, int level);

struct topo_type {
	struct entry entry;
	/* Fills nnodes, nrouters, tiers, levels (names and defaults), router_pattern, shape from
	 * the pick; must not build links. Refuses what has no such network. */
	int (*shape)(struct topo *topo, const struct pick *pick, struct err *err);
	/* Calls add for every cable in the order of the link ids. */
	void (*links)(const struct topo *topo, topo_link_fn *add, void *context);
	/* Links on a shortest way between two routers, in closed form; NULL: by search. */
	int (*distance)(const struct topo *topo, int router_a, int router_b);
	/* The router after router_a on the deterministic minimal route to router_b != router_a, and
	 * which of the parallel cables (0 is the first); NULL: by search. node_b is the
	 * destination, which D-mod-k style routes depend on. */
	int (*next)(const struct topo *topo, int router_a, int router_b, int node_b, int *cable);
	/* Bytes per second through the narrowest cut that halves the nodes, in one direction, where
	 * a closed form exists; else returns -1. how names the formula. */
	int (*bisection)(const struct topo *topo, double *bytes_per_s, const char **how);
	/* Where router r is drawn, in units of about one router; NULL: on a circle. */
	void (*place)(const struct topo *topo, int router, double *x, double *y);
	void (*free_shape)(struct topo *topo);
};

extern const struct registry topo_types; /* "topologies" */

#endif
