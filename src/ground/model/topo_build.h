/* topo_build.h - making a machine that has no structure, piece by piece */
#ifndef MODEL_TOPO_BUILD_H
#define MODEL_TOPO_BUILD_H

#include "model/topo.h"

/*
 * Nodes and routers may be added in any order; each is numbered in the order of its kind. Adding
 * one gives a handle, which names it until the machine is finished. Nothing here trusts its input:
 * whatever cannot be a machine is refused with a message, which has no FILE:LINE.
 */
struct topo_build;

struct topo_build *topo_build_new(const char *name);
void topo_build_free(struct topo_build *build); /* of one that is not finished; NULL is allowed */

/* What of a text from outside can be a name: its first word, at most 255 bytes, where # , [ ] and
 * what is no printable UTF-8 become _. Returns the length; 0: there is no word. */
size_t topo_clean_name(const char *text, size_t n, char name[TOPO_NAME]);

/* A handle, or -1: the name is taken (by a node or a router), empty, too long or holds one of
 * blank # , [ ]. */
int topo_build_node(struct topo_build *build, const char *name, size_t n, struct err *err);
int topo_build_router(struct topo_build *build, const char *name, size_t n, struct err *err);
int topo_build_find(const struct topo_build *build, const char *name, size_t n); /* -1: none */
bool topo_build_is_node(int handle);
/* What its name has been so far (valid until the next node or router), and how many cables. */
const char *topo_build_name(const struct topo_build *build, int handle);
int topo_build_ncables(const struct topo_build *build, int handle);

/* Cores of nodes that say nothing else; and of one node. */
void topo_build_cores(struct topo_build *build, int cores);
void topo_build_node_cores(struct topo_build *build, int node, int cores);
/* The same of how their cores nest ("package:2+core:4"), which also says how many they are where
 * nothing else does. 0 or -1. */
int topo_build_inside(struct topo_build *build, const char *text, size_t n, struct err *err);
int topo_build_node_inside(struct topo_build *build, int node, const char *text, size_t n,
			   struct err *err);
void topo_build_node_nest(struct topo_build *build, int node, const struct topo_inside *inside);

/* The link level of that name, which is added where it is new; -1: there are TOPO_LEVELS already,
 * or it is no name. "node" is 0 and "terminal" 1 from the start. */
int topo_build_level(struct topo_build *build, const char *name, size_t n, struct err *err);
void topo_build_bandwidth(struct topo_build *build, int level, double bytes_per_s);
/* The bandwidth of a level is not known: the default is, marked as a guess. */
void topo_build_guess(struct topo_build *build, int level);
void topo_build_latency(struct topo_build *build, int level, double seconds);

/* One cable; parallel ones are added again. Refuses one from a vertex to itself, and one between
 * two nodes. */
int topo_build_link(struct topo_build *build, int a, int b, int level, struct err *err);

/* How routers nest, from the inside out: the first tier added is the one above the router ("group",
 * "pod"). Returns its index as in struct topo (1, 2, …), or -1. */
int topo_build_tier(struct topo_build *build, const char *name, size_t n, struct err *err);
/* The router is in the domain of that name, which is added where it is new. */
int topo_build_domain(struct topo_build *build, int router, int tier, const char *name, size_t n,
		      struct err *err);

/* Renumbers the nodes by the router of their first cable (then as they were added), which makes
 * the label order of the papers from any order. */
void topo_build_sort_nodes(struct topo_build *build);

/* The machine. Frees build, also when it is refused: no node, a node without a cable, a domain that
 * is in two domains of the next tier. */
int topo_build_finish(struct topo **topo, struct topo_build *build, struct err *err);

/* What it is of then. */
extern const struct topo_type topo_type_explicit;

#endif
