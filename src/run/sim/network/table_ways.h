/* table_ways.h - shortest paths hop by hop, as the files on them share them */
#ifndef SIM_NETWORK_TABLE_WAYS_H
#define SIM_NETWORK_TABLE_WAYS_H

#include "base/mem.h"
#include "machine/route/walk.h"
#include "machine/vc/datelines.h"
#include "sim/network/domains.h"
#include "sim/network/net_priv.h"
#include "sim/network/tree_links.h"

/*
 * Machines with a closed form are asked for it at each hop. For the others there is a table: for a
 * router and a destination router: which set of equally good channels leads there, and how
 * many links it is. A router has few different sets, however many destinations there are. Packets
 * take the channels that route_path() takes: of n the one of number rest % n, and rest is divided
 * by n at each router; it begins with the destination's node.
 *
 * packet->detour is the node that the packet goes by, whose number picks the channels on the first
 * leg, or NOBODY; packet->phase counts the routers of the leg, which is the virtual channel where
 * one does not do.
 *
 * Virtual channels rise along a path: within a leg by hop, unless minimal paths alone can't wait
 * for each other in a circle; the second leg has those above. After a second thought (par) the
 * first leg begins one higher than at the source, and the second leg has its own one higher, too.
 *
 * Where a domain plays the part of a dragonfly's group: par thinks again at the second router, if
 * that is in the source's domain and the destination's is another. adaptive-local goes by a random
 * domain, entered at one of its nearest routers with nodes; within a domain by a random router of
 * it.
 */
struct channel_set {
	int32_t first, n; /* of channels */
};

struct tables {
	struct detours detours;
	bool is_closed; /* by the closed form: there are no tables */
	bool is_whole;  /* a closed form that joins all nodes, each of which has its own link i */
	bool is_spread; /* else the first of a set */
	struct tie_draws draws;
	bool is_drawn;           /* ties are; packet->rest is the key then */
	bool has_choice_of_ends; /* nodes have several cables */
	bool is_by_hop;          /* a virtual channel for each hop of a leg */
	int nlegs_vcs, nrouters;
	int second_vc;          /* the first of the second leg's */
	struct domains domains; /* of par and adaptive-local */
	uint8_t *marks;     /* of a closed form's rings: datelines.h; packet->phase is the state */
	uint16_t *set_of;   /* [router · nrouters + to] number among the sets of the router */
	uint8_t *hops_of;   /* [the same] NO_WAY: none; of a closed form NULL, or the same */
	int32_t *first_set; /* [nrouters] */
	struct tree_links *tree; /* of fat trees, or NULL */
	/* Of a closed form, [router · nrouters + to]: the channel that all packets to a router
	 * take, NOBODY: their nodes decide; NULL: there is none of these. */
	int32_t *only;
	VEC(struct channel_set) sets;
	int_vec channels;
};
enum { NO_WAY = 255 };

/* Fills the tables: *longest path, in links between routers. */
int tables_fill(struct tables *tables, const struct topo *topo, int *longest, struct err *err);
void tables_free(struct tables *tables); /* what was filled; not tables itself */
int64_t tables_bytes(int64_t nrouters);
/* Whether all paths of filled tables between nodes climb away from the routers that have nodes, and
 * then come down: no packets wait for each other in a circle, whichever ways they choose. */
bool tables_go_up_and_down(const struct tables *tables, struct topo *topo);
/* Of a closed form, where it says which channel; returns the bytes, 0: there are no tables. */
int64_t tables_fill_closed(struct tables *tables, const struct topo *topo);

static inline size_t tables_pair(const struct tables *tables, int router, int to)
{
	return (size_t)router * (size_t)tables->nrouters + (size_t)to;
}

/* Links between two routers; NO_WAY or more: there is no way, or none that counts. */
static inline int tables_hops(const struct net *net, const struct tables *tables, int a, int b)
{
	int hops;

	if (tables->hops_of != NULL)
		return tables->hops_of[tables_pair(tables, a, b)];
	hops = net->plan.topo->type->distance(net->plan.topo, a, b);
	return hops < 0 ? NO_WAY : hops;
}

static inline const struct channel_set *tables_set(const struct tables *tables, int router, int to)
{
	return &tables->sets.at[tables->first_set[router] +
				tables->set_of[tables_pair(tables, router, to)]];
}

/* The channel of a set for what is left of a node's number. */
static inline int32_t tables_channel(const struct tables *tables, const struct channel_set *set,
				     int32_t rest)
{
	int32_t at = set->n == 1 || !tables->is_spread ? 0 : rest % set->n;

	return tables->channels.at[set->first + at];
}

/* The channel that the closed form takes. */
static inline int32_t closed_next(const struct topo *topo, int router, int to, int32_t node)
{
	int next;

	return topo->graph->channel[walk_next(topo, router, to, node, &next)];
}

/* The first channel towards a router, for a node's number. */
static inline int32_t tables_towards(const struct net *net, const struct tables *tables, int router,
				     int to, int32_t rest)
{
	const struct topo *topo = net->plan.topo;

	if (tables->is_closed) {
		int32_t only = tables->only != NULL ? tables->only[tables_pair(tables, router, to)]
						    : NOBODY;

		if (tables->tree != NULL)
			return tree_towards(tables->tree, router, to, rest);
		return only != NOBODY ? only : closed_next(topo, router, to, rest);
	}
	return tables_channel(tables, tables_set(tables, router, to), rest);
}

/* Whether nodes hang on the router: they are the first among its neighbours. */
static inline bool router_has_nodes(const struct topo *topo, int router)
{
	const struct topo_graph *graph = topo->graph;
	int64_t first = graph->first[topo->nnodes + router];

	return first < graph->first[topo->nnodes + router + 1] && graph->peer[first] < topo->nnodes;
}

/* A node to go by, where domains decide (table_detours.c); NOBODY: there is none. number: of the
 * draw, among those of this packet. */
int32_t tables_draw_by_domain(struct net *net, const struct tables *tables, int router,
			      const struct packet *packet);
int32_t tables_draw_ahead(struct net *net, const struct tables *tables, int router,
			  const struct packet *packet, int number);

#endif
