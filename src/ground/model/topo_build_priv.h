/* topo_build_priv.h - what a machine is while it is being made */
#ifndef MODEL_TOPO_BUILD_PRIV_H
#define MODEL_TOPO_BUILD_PRIV_H

#include "model/topo_build.h"

struct explicit_links {
	struct topo_link *at;
	size_t n;
};

struct build_vertex {
	char *name; /* in the machine's arena */
	int ncables;
	int first_router; /* of a node: at the other end of its first cable; -1: none yet */
	int cores;        /* of a node; 0: as all */
	const struct topo_inside *inside; /* of a node, in the machine's arena; NULL: as all */
};

struct build_tier {
	struct map names; /* of its domains */
	int_vec of;       /* [routers, as far as any was said]: domain or -1 */
};

/* A handle is twice the number of a node, or that of a router and 1 more. */
struct topo_build {
	struct topo *topo;
	struct map handles;
	struct map inside_ids; /* text → which of insides */
	VEC(const struct topo_inside *) insides;
	VEC(struct build_vertex) nodes, routers;
	VEC(struct topo_link) links; /* handles at both ends */
	struct build_tier tiers[TOPO_LEVELS];
};

#endif
