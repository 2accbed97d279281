/* ib_plan.h - how an InfiniBand fabric becomes a machine: hosts, names, ranks, numbers */
#ifndef MACHINE_IMPORT_IB_PLAN_H
#define MACHINE_IMPORT_IB_PLAN_H

#include "machine/lft/lft.h"
#include "machine/import/importer.h"
#include "formats/ib/ibnet.h"
#include "model/topo_build.h"

/* Which words of a switch's description are its name. */
enum ib_words { IB_FIRST_WORD, IB_LAST_WORD, IB_ALL_WORDS };

struct ib_plan {
	const struct ibnet *net;
	enum ib_words words;
	/* [devices] of an adapter: the first adapter of its host; of others: itself */
	int *host_of;
	int *rank; /* [devices] of a switch: links from the leaves; of others -1 */
	int max_rank;
	int *nadapters;       /* [devices] at a switch */
	const char **names;   /* [devices] of hosts, switches and routers */
	int *links;           /* [cables] in the machine; -1: left out */
	int *handles;         /* [devices] in the machine that is built; -1: not there */
	int *nodes, *routers; /* devices in the order in which they are numbered */
	int nnodes, nrouters;
	struct arena arena;
};

/* Leaves out SHARP's aggregation nodes and, unless pattern is NULL, the adapters whose device
 * (mlx5_0) or description does not match it, with the parts of the fabric that have no others. */
int ib_choose(struct ibnet *net, const char *pattern, struct err *err);
/* Which adapters belong together: those that have one name and different devices (HCA-1, HCA-2;
 * qib0, mlx4_0), if joined; and what everything is called. */
void ib_find_hosts(struct ib_plan *plan, bool is_joined);
void ib_find_names(struct ib_plan *plan);
/* Ranks of switches, and the order of routers and nodes. */
void ib_find_ranks(struct ib_plan *plan);
void ib_find_order(struct ib_plan *plan);

/* The machine's own routes, from forwarding tables; warns about missing routes. */
int ib_set_routes(struct topo *topo, const struct ib_plan *plan, const struct lft *lft,
		  struct err *err);

/* The machine of a fabric, which gets the names of from's node name map; with its forwarding
 * tables, unless lft is NULL. */
int ib_machine(struct topo **topo, struct ibnet *net, const struct topo_import *from,
	       const struct lft *lft, struct err *err);

/* The parameters that the pick of every such importer has. */
#define IB_PARAMS                                                                                  \
	{.key = "nodes",                                                                           \
	 .type = PARAM_WORD,                                                                       \
	 .def = "hosts",                                                                           \
	 .choices = "hosts|adapters",                                                              \
	 .meaning = "hosts: adapters that have one name and different devices (HCA-1 and HCA-2, "  \
		    "qib0 and mlx4_0) are one node; adapters: each is a separate node"},           \
		{.key = "adapters",                                                                \
		 .type = PARAM_TEXT,                                                               \
		 .optional = true,                                                                 \
		 .meaning = "only adapters whose device or description matches this shell "        \
			    "pattern: mlx5_[0-3] leaves out the storage rail"},                    \
		{.key = "switch-names",                                                            \
		 .type = PARAM_WORD,                                                               \
		 .def = "first",                                                                   \
		 .choices = "first|last|all",                                                      \
		 .meaning = "which word of a switch's description is its name, if "                \
			    "--node-name-map has none"},                                           \
		{.key = "cores",                                                                   \
		 .type = PARAM_INT,                                                                \
		 .min = 1,                                                                         \
		 .max = 1000000,                                                                   \
		 .def = "1",                                                                       \
		 .meaning = "cores of each node"},                                                 \
	{                                                                                          \
		.key = "hwloc", .type = PARAM_FILE, .optional = true,                              \
		.meaning = "a folder with hwloc's XML of the hosts, NAME.xml or NAME.diff.xml, "   \
			   "which say how many cores each has"                                     \
	}

#endif
