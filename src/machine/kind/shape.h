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

/* Sets nnodes and nrouters, or refuses what is too large to be numbered. */
int topo_set_size(struct topo *topo, int64_t nnodes, int64_t nrouters, int64_t nlinks,
		  struct err *err);

/* The tier of routers, where each of the first ones has per nodes. */
void topo_set_routers(struct topo *topo, int per);

/* An array of distance counts, all zero. */
void topo_counts_start(struct distance_counts *counts, int longest);

/* The machine of a pick of topo_types, which is taken over in any case. */
int topo_from_pick(struct topo **topo, struct pick *pick, struct err *err);

/* Names that someone else gives: a pattern or a hostlist of n names. names and ids are of nodes or
 * of routers. */
int topo_set_names(struct topo *topo, const char *text, bool is_router, struct err *err);

#endif
