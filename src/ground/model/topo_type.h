/* topo_type.h - what one kind of network gives: its nodes, links, distances and drawing */
#ifndef MODEL_TOPO_TYPE_H
#define MODEL_TOPO_TYPE_H

#include "base/registry.h"
#include "model/topo.h"

struct dragonfly;
struct out;
struct pgft;

typedef void topo_link_fn(void *context, int a, int b, int level);

/* How many ordered pairs of different nodes are how many router-to-router links apart. */
enum { DISTANCE_MOST = 65535 };
struct distance_counts {
	uint64_t *pairs;      /* [longest + 1], owned */
	int longest;          /* links between routers; -1: no pair at all */
	uint64_t unreachable; /* pairs that no route joins */
};

/* Nodes by their routers: count_of [nrouters], zero but for those listed, each once. */
struct router_counts {
	const int *routers; /* [n] */
	int n;
	const int *count_of;
};

/* Of all ordered pairs of such nodes on two different routers: links between their routers. */
struct pair_links {
	uint64_t npairs, sum;
	int longest;  /* 0: there is no pair */
	int from, to; /* routers that no route joins; -1: there are none */
};

/* shape and links are all that a kind needs: everything works by search then, and what is given
 * besides makes it faster. */
struct topo_type {
	struct entry entry;
	const char
		*family;   /* the key of profiles of netsim that choose a routing for it; or NULL */
	bool is_tree;      /* nodes are as far apart as the lowest tier that they share */
	bool is_tree_like; /* its minimal paths, up and then down, can't make a cycle of waiting */
	/* Fills nnodes, nrouters, tiers, levels (names), router_pattern, shape from the pick; must
	 * not build links. Refuses what has no such network. */
	int (*shape)(struct topo *topo, const struct pick *pick, struct err *err);
	/* Calls add for every cable in the order of the link ids. Cables of nodes come first, in
	 * node order: where each node has one, the link of node i is link i. */
	void (*links)(const struct topo *topo, topo_link_fn *add, void *context);
	/* Links on the minimal route between two routers, in closed form; NULL: by search; -1:
	 * there is none. Shortest, but for dragonflies: there at most one global link is taken. */
	int (*distance)(const struct topo *topo, int router_a, int router_b);
	bool is_distance_routed; /* the fewest links between two routers may be less */
	/* The router after router_a on the deterministic minimal route to router_b != router_a, and
	 * which of the parallel cables (0 is the first); NULL: by search. node_b is the
	 * destination, which D-mod-k style routes depend on. */
	int (*next)(const struct topo *topo, int router_a, int router_b, int node_b, int *cable);
	/* The place of the first cable from a router to one that it is joined to, among its
	 * channels in the order of the graph; NULL: by search. */
	int (*port)(const struct topo *topo, int router, int peer);
	int port_pays_from; /* routers; a smaller graph is in the cache, and searched faster */
	/* Where there is no next(): the number, modulo how many there are, of the channel that a
	 * packet to a node takes among equally good ones at a router; NULL: as those of explicit
	 * machines are chosen. */
	int (*tie)(const struct topo *topo, int router, int node);
	bool weighs_levels; /* minimal's paths= is levels if nothing says it */
	/* next() depends on node_b modulo so many only; NULL: not known. */
	int (*choices)(const struct topo *topo, int router_a, int router_b);
	/* Fills counts in less than one step per pair of routers; NULL: pair by pair. */
	void (*distances)(const struct topo *topo, struct distance_counts *counts);
	/* The same of some nodes, with the distances of .distance; NULL: pair by pair. */
	void (*pairs)(const struct topo *topo, const struct router_counts *counts,
		      struct pair_links *links);
	/* Sets *npairs to the ordered pairs of such nodes on two different routers whose minimal
	 * routes visit only routers that are open [nrouters], both ends too; returns false where
	 * it has no closed form for that. NULL: the same, route by route. */
	bool (*within)(const struct topo *topo, const struct router_counts *counts,
		       const bool *is_open, uint64_t *npairs);
	/* Bytes per second through the narrowest cut that halves the nodes, in one direction, where
	 * a closed form exists; else returns -1. Nodes stay with their router: only links between
	 * routers are cut. how names the formula. */
	int (*bisection)(const struct topo *topo, double *bytes_per_s, const char **how);
	/* The dimensions of a mesh or torus, x first; NULL or -1: it has none. */
	int (*dims)(const struct topo *topo, const int **sizes, bool *is_ring);
	/* What it computes with, for those who have a fast form for such networks; NULL: it is
	 * none. machine/kind/dragonfly.h and pgft.h say how routers and links are numbered. */
	const struct dragonfly *(*as_dragonfly)(const struct topo *topo);
	const struct pgft *(*as_tree)(const struct topo *topo);
	/* Writes it as a target architecture of Scotch, whose processors are ncores for each node.
	 * Returns false, with nothing written, if Scotch has none for it; NULL: the same. */
	bool (*write_scotch)(const struct topo *topo, int ncores, struct out *out);
	/* Where router r is drawn, in units of about one router; NULL: on a circle. */
	void (*place)(const struct topo *topo, int router, double *x, double *y);
	void (*free_shape)(struct topo *topo);
};

/* NULL: it is none. */
static inline const struct dragonfly *topo_as_dragonfly(const struct topo *topo)
{
	return topo->type->as_dragonfly != NULL ? topo->type->as_dragonfly(topo) : NULL;
}

static inline const struct pgft *topo_as_tree(const struct topo *topo)
{
	return topo->type->as_tree != NULL ? topo->type->as_tree(topo) : NULL;
}

#endif
