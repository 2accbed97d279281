/* shape.h - what the kinds of networks share */
#ifndef MACHINE_KIND_SHAPE_H
#define MACHINE_KIND_SHAPE_H

#include "machine/kind/type.h"
#include "model/topo_level.h"

/* The parameters of a link level, and those that every network has; for the tables of params. */
#define TOPO_LEVEL_PARAMS(level)                                                                   \
	{.key = level "-bandwidth",                                                                \
	 .type = PARAM_BANDWIDTH,                                                                  \
	 .optional = true,                                                                         \
	 .unit = "B/s",                                                                            \
	 .meaning = "bandwidth of a " level " link, each direction; else bandwidth="},             \
	{                                                                                          \
		.key = level "-latency", .type = PARAM_DURATION, .optional = true, .unit = "s",    \
		.meaning = "latency of a " level " link; else latency="                            \
	}

#define TOPO_COMMON_PARAMS                                                                         \
	{.key = "bandwidth",                                                                       \
	 .type = PARAM_BANDWIDTH,                                                                  \
	 .optional = true,                                                                         \
	 .unit = "B/s",                                                                            \
	 .meaning = "of every link, each direction; 8Gbit/s where nothing says it"},               \
		{.key = "latency",                                                                 \
		 .type = PARAM_DURATION,                                                           \
		 .optional = true,                                                                 \
		 .unit = "s",                                                                      \
		 .meaning = "of every link; 100ns where nothing says it"},                         \
		{.key = "node-bandwidth",                                                          \
		 .type = PARAM_BANDWIDTH,                                                          \
		 .optional = true,                                                                 \
		 .unit = "B/s",                                                                    \
		 .meaning = "of copies inside a node"},                                            \
		{.key = "node-latency",                                                            \
		 .type = PARAM_DURATION,                                                           \
		 .optional = true,                                                                 \
		 .unit = "s",                                                                      \
		 .meaning = "of copies inside a node"},                                            \
		TOPO_LEVEL_PARAMS("terminal"),                                                     \
		{.key = "cores",                                                                   \
		 .type = PARAM_INT,                                                                \
		 .min = 1,                                                                         \
		 .max = 1000000,                                                                   \
		 .optional = true,                                                                 \
		 .meaning = "cores of a node; 1 where nothing says it"},                           \
		{.key = "inside",                                                                  \
		 .type = PARAM_TEXT,                                                               \
		 .optional = true,                                                                 \
		 .meaning = "how the cores of a node nest, from the outside in, such as "          \
			    "package:2+core:4"},                                                   \
		{.key = "names",                                                                   \
		 .type = PARAM_TEXT,                                                               \
		 .optional = true,                                                                 \
		 .meaning = "names of the nodes: a pattern such as nid%05d, counted from 0, or a " \
			    "node list"},                                                          \
	{                                                                                          \
		.key = "router-names", .type = PARAM_TEXT, .optional = true,                       \
		.meaning = "names of the routers, in the same way"                                 \
	}

/* Of dragonflies: links between groups, as many as the parameter of that name allows. */
#define TOPO_GROUP_LINKS(most)                                                                     \
	{                                                                                          \
		.key = "links", .type = PARAM_INT, .min = 1, .max = 1 << 20, .optional = true,     \
		.meaning = "global links between each pair of groups; 1, or "                      \
			   "as many as " most " allows"                                            \
	}
/* Parallel cables between two routers; key: what joins them. */
#define TOPO_CABLES(name, between)                                                                 \
	{                                                                                          \
		.key = name, .type = PARAM_INT, .min = 1, .max = 1024, .def = "1",                 \
		.meaning = "parallel cables between " between                                      \
	}
/* Of networks that are given by their nodes. */
#define TOPO_ALL_NODES                                                                             \
	{                                                                                          \
		.key = "nodes", .type = PARAM_INT, .min = 1, .max = 1 << 26,                       \
		.meaning = "nodes in all, each at a separate router unless per-router= says else"  \
	}
#define TOPO_PER_ROUTER                                                                            \
	{                                                                                          \
		.key = "per-router", .type = PARAM_INT, .min = 1, .max = 1 << 26, .def = "1",      \
		.meaning = "nodes of each router"                                                  \
	}

/* Sets nnodes and nrouters, or refuses what is too large to be numbered. */
int topo_set_size(struct topo *topo, int64_t nnodes, int64_t nrouters, int64_t nlinks,
		  struct err *err);

/* The tier of routers, where each of the first ones has per nodes. */
void topo_set_routers(struct topo *topo, int per);

/* The links between nodes and their routers. */
void topo_add_terminals(const struct topo *topo, topo_link_fn *add, void *context);

/* Nodes at routers, by pairs: all, and those of one router. */
void topo_count_pairs(const struct router_counts *counts, uint64_t *all, uint64_t *same);

/* An array of distance counts, all zero. */
void topo_counts_start(struct distance_counts *counts, int longest);

/* The machine of a pick of topo_types, which is taken over in any case. */
int topo_from_pick(struct topo **topo, struct pick *pick, struct err *err);

/* Names that someone else gives: a pattern or a hostlist of n names. names and ids are of nodes or
 * of routers. */
int topo_set_names(struct topo *topo, const char *text, bool is_router, struct err *err);

#endif
