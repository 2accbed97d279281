/* adaptive.h - what the routings that take detours have in common */
#ifndef MACHINE_ROUTE_ADAPTIVE_H
#define MACHINE_ROUTE_ADAPTIVE_H

#include "machine/route/routing.h"

/*
 * They choose between the minimal path and one via a random intermediate place by the load of
 * the two first links (Singh, Stanford 2005; Kim, Dally, Scott, Abts, ISCA 2008). Without loads
 * they all take the minimal path, but for Valiant's.
 *
 * UGAL: the minimal path if q_min H_min <= threshold q_non H_non + bias, where q are the bytes that
 * wait for a link and H the links of the way between routers. The default bias, four packets of
 * 1 KiB, keeps detours few under uniform traffic and costs nothing under adversarial one.
 */
#define ADAPTIVE_VIA                                                                               \
	{                                                                                          \
		.key = "via", .type = PARAM_WORD, .def = "group", .choices = "group|router|node",  \
		.meaning = "random intermediate: a group, entered by its nearest router "          \
			   "(on networks without groups, a router that has nodes); a "             \
			   "router that has nodes; or the router of a node"                        \
	}

#define ADAPTIVE_UGAL                                                                              \
	ADAPTIVE_VIA,                                                                              \
		{.key = "threshold",                                                               \
		 .type = PARAM_REAL,                                                               \
		 .min = 0,                                                                         \
		 .max = 1e6,                                                                       \
		 .def = "1",                                                                       \
		 .meaning = "weight of the detour: minimal if q_min H_min <= threshold "           \
			    "q_non H_non + bias"},                                                 \
		{.key = "bias",                                                                    \
		 .type = PARAM_BYTES,                                                              \
		 .def = "4KiB",                                                                    \
		 .unit = "B",                                                                      \
		 .meaning = "advantage of the minimal path"},                                      \
		{.key = "hops",                                                                    \
		 .type = PARAM_BOOL,                                                               \
		 .def = "yes",                                                                     \
		 .meaning = "multiply queues by the links of the path; no: H is 1"},               \
		{.key = "queue",                                                                   \
		 .type = PARAM_WORD,                                                               \
		 .def = "output",                                                                  \
		 .choices = "output|credits",                                                      \
		 .meaning = "the load of a link: bytes that wait for it, or bytes whose "          \
			    "credits have not returned"},                                          \
	{                                                                                          \
		.key = "candidates", .type = PARAM_INT, .min = 1, .max = 64, .def = "1",           \
		.meaning = "random detours, of which the best is compared with the "               \
			   "minimal path"                                                          \
	}

/* The minimal path, as routing->minimal finds it. */
int adaptive_open(struct routing *routing, struct err *err);
int adaptive_hops(struct routing *routing, int node_a, int node_b);
int adaptive_path(struct routing *routing, int node_a, int node_b, int_vec *path);

#endif
