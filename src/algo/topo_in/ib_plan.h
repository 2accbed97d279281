/* ib_plan.h - how an InfiniBand fabric becomes a machine: hosts, names, ranks, numbers */
#ifndef ALGO_TOPO_IN_IB_PLAN_H
#define ALGO_TOPO_IN_IB_PLAN_H

#include "formats/ibnet.h"
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

/* Which adapters belong together: those that have one name and different devices (HCA-1, HCA-2;
 * qib0, mlx4_0), if joined; and what everything is called. */
void ib_find_hosts(struct ib_plan *plan, bool is_joined);
void ib_find_names(struct ib_plan *plan);
/* Ranks of switches, and the order of routers and nodes. */
void ib_find_ranks(struct ib_plan *plan);
void ib_find_order(struct ib_plan *plan);

/* The machine's own routes, from texts FORMAT:FILE [n]; warns about what has no way. */
int ib_read_routes(struct topo *topo, const struct ib_plan *plan, const char *const *texts, int n,
		   struct err *err);

#endif
