/* topo.h - a machine: nodes, routers, the links between them, and how they nest */
#ifndef MODEL_TOPO_H
#define MODEL_TOPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/names.h"
#include "base/mem.h"
#include "base/registry.h"
#include "base/str.h"
#include "formats/node_ranges.h"
#include "model/topo_inside.h"

/*
 * Vertices: node i is vertex i, router r is vertex nnodes + r. Nodes are numbered in label order
 * (group, router, node); routers and groups are numbered the same way.
 *
 * A cable between two vertices is one link; parallel cables are several. Link i has two directed
 * channels: 2i from a to b, 2i + 1 from b to a. Link levels are the classes that share bandwidth
 * and latency: 0 is "node" (copies inside a node; no link has it), 1 is "terminal" (node to
 * router), the rest is the topology's own ("local", "global", "level2", …).
 */
enum { LINK_NODE = 0, LINK_TERMINAL = 1, TOPO_NAME = 256, TOPO_LEVELS = 16 };

struct topo_link {
	int32_t a, b; /* vertices */
	int32_t level;
};

struct link_level {
	char name[24];
	double bandwidth; /* bytes/s, each direction */
	double latency;   /* s */
	bool is_bandwidth_written,
		is_latency_written; /* in the file or the spec: beats a profile */
	bool is_bandwidth_guessed;  /* the description of the machine does not say it */
};

/*
 * How nodes nest: tiers[0] is the router (of = router of each node), the next ones group, pod, …,
 * up to the one before the whole machine (which needs no table). of [n of the tier below]; -1 for a
 * router that has no nodes below it.
 */
struct tier {
	char name[24]; /* "router", "group", "pod" */
	int n;
	int *of;
};

/* Directed adjacency, made when first asked for: channels leaving v are
 * channel[first[v]] … channel[first[v+1]-1], sorted by (peer, channel). */
struct topo_graph {
	int64_t nlinks;
	struct topo_link *links; /* [nlinks] */
	int64_t *first;          /* [nvertices + 1] */
	int32_t *peer;           /* [2·nlinks] vertex at the other end */
	int32_t *channel;        /* [2·nlinks] */
};

struct storage_spec; /* model/storage_spec.h */
struct topo_type;    /* model/topo_type.h */
struct topo_routes;  /* model/topo_routes.h */
struct hierarchy;    /* model/hierarchy.h */

/* I/O nodes, as the file lists them; others give them a meaning. */
struct topo_io {
	char *name; /* "io" */
	int *nodes; /* [nnodes], NULL: none are named (switch-attached ones) */
	int nnodes;
	bool is_separate;  /* kind: separate (no ranks run there), else coupled */
	bool is_exclusive; /* access: exclusive (one job at a time), else shared */
	int at_level;      /* at: leaf is 1, level=K is K; 0: attached as nodes are */
	const struct storage_spec *storage; /* the device on each of its nodes; NULL: none */
};

/* What a node has beside its cores, as the file says it; 0 and NULL where it says nothing. */
struct topo_nics {
	int count, injection_queues, planes;
	char *select; /* "round-robin" */
};

struct topo {
	char *name;   /* "level-spread-272" */
	char *source; /* as ##topology= records it: the file's name, the spec, or @name */
	const struct topo_type *type;
	struct pick pick; /* of a structured machine */
	int nnodes, nrouters;
	int *router_of; /* [nnodes]: the first router of each node; tiers[0].of */
	int ntiers;
	struct tier tiers[TOPO_LEVELS];
	int nlevels;
	struct link_level levels[TOPO_LEVELS];
	int cores;     /* per node */
	int *cores_of; /* [nnodes], or NULL: all have cores */
	/* How they nest; see topo_inside(). inside_of [nnodes], or NULL: all are alike. */
	struct topo_inside inside;
	const struct topo_inside **inside_of;

	/* Names: a pattern with one %d or %0Nd, or one text for each. */
	char *node_pattern, *router_pattern;
	char **node_names, **router_names;
	int *counts_to; /* [nnodes] of node_names: the last node up to which numbers count up */
	struct map node_ids, router_ids; /* made with the texts */

	struct topo_io *io; /* [nio] */
	int nio;
	struct topo_nics nics;
	int gpus;                      /* per node */
	struct hierarchy *hierarchies; /* [nhierarchies] named domains beside the links */
	int nhierarchies;

	char *routing;            /* as written in the file; NULL: minimal */
	uint64_t hash;            /* of nodes, names and links; never of bandwidths or latencies */
	struct topo_graph *graph; /* NULL until topo_graph() */
	struct topo_routes *routes; /* the machine's own forwarding tables; NULL: none are known */
	void *shape;                /* what the type computes with; freed by the type */
	struct arena arena;
};

void topo_free(struct topo *topo); /* NULL is allowed */

/* Made at the first call; then free. */
const struct topo_graph *topo_graph(struct topo *topo);
/* Else a node's first router does not determine its distances and routes. */
bool topo_nodes_have_one_link(struct topo *topo);
/* Two routers are joined by one cable at most. */
bool topo_routers_have_single_cables(struct topo *topo);
int topo_nvertices(const struct topo *topo);

/* How the cores of a node nest; NULL: unknown. */
const struct topo_inside *topo_inside(const struct topo *topo, int node);

/* ---- names ---- */
/* The name of a node; generated names are written into text, which is returned or not used. */
const char *topo_node_name(const struct topo *topo, int node, char text[TOPO_NAME]);
const char *topo_router_name(const struct topo *topo, int router, char text[TOPO_NAME]);
int topo_node_find(const struct topo *topo, const char *name, size_t n);   /* -1: none */
int topo_router_find(const struct topo *topo, const char *name, size_t n); /* -1: none */

typedef VEC(int) int_vec;
/* Appends the nodes of a hostlist in its order; an unknown node and a node named twice (within this
 * list) are refused. */
int topo_nodelist_read(const struct topo *topo, const char *text, int_vec *nodes, struct err *err);
/* The same as ranges, which are cleared first: the time is that of the ranges, not of the nodes,
 * where names count up with the nodes. */
int topo_ranges_read(const struct topo *topo, const char *text, struct node_ranges *ranges,
		     struct err *err);
/* The same of the nodes that the machine has, each once; unknown (NULL: none) hears of the others.
 */
typedef void topo_unknown_fn(void *context, const char *name, size_t n);
struct topo_unknown {
	topo_unknown_fn *take;
	void *context;
};
int topo_ranges_read_known(const struct topo *topo, const char *text, struct node_ranges *ranges,
			   const struct topo_unknown *unknown, struct err *err);
int topo_nodelist_read_known(const struct topo *topo, const char *text, int_vec *nodes,
			     const struct topo_unknown *unknown, struct err *err);
/* Appends the hostlist of nodes [n], in their order, to out. */
void topo_nodelist_add(const struct topo *topo, const int *nodes, size_t n, struct buf *out);
void topo_ranges_add(const struct topo *topo, const struct node_ranges *ranges, struct buf *out);

/* ---- nesting ---- */
int topo_tier_find(const struct topo *topo,
		   const char *name); /* "group": index of the tier, or -1 */
/* The domain of a node at a tier: 0 is its router. */
int topo_domain(const struct topo *topo, int node, int tier);

#endif
