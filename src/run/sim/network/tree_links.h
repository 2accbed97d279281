/* tree_links.h - by which channels packets climb and come down in a fat tree whose nodes have one
 * link */
#ifndef SIM_NETWORK_TREE_LINKS_H
#define SIM_NETWORK_TREE_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/kind/pgft.h"
#include "model/topo_type.h"

/* A switch; its channels are those of the graph, by places in graph->channel. */
struct tree_switch {
	int64_t first_up; /* behind those that lead down */
	int64_t down;     /* of subtree s of the level below: from down + s · cables on */
	int32_t subtree;  /* among those of its level */
	int32_t level, nup;
};

/*
 * D-mod-k (machine/kind/pgft_route.c) without its divisions: what they give depends on a level and
 * a leaf switch, or a level and a node.
 */
struct tree_links {
	const struct topo_graph *graph;
	struct tree_switch *at;                /* [nrouters] */
	int cables[PGFT_LEVELS + 2];           /* from a switch of a level down to a child */
	int32_t *subtree_of[PGFT_LEVELS + 1];  /* [leaves] of each level */
	uint16_t *port_up[PGFT_LEVELS + 2];    /* [nnodes] into a level: among those upwards */
	uint16_t *cable_down[PGFT_LEVELS + 2]; /* [nnodes] out of it; NULL: there is one cable */
};

/* Whether it is a tree of this kind. */
bool tree_links_fit(const struct topo *topo);
struct tree_links *tree_links_new(const struct topo *topo);
void tree_links_free(struct tree_links *links);

/* Whether the node at leaf is below the switch, or the switch is the leaf. */
static inline bool tree_is_above(const struct tree_links *links, const struct tree_switch *at,
				 int leaf)
{
	return links->subtree_of[at->level][leaf] == at->subtree;
}

/* The channel down to a node that is below. */
static inline int32_t tree_down(const struct tree_links *links, const struct tree_switch *at,
				int leaf, int node)
{
	int64_t place = at->down +
			(int64_t)links->subtree_of[at->level - 1][leaf] * links->cables[at->level];
	const uint16_t *cable = links->cable_down[at->level];

	return links->graph->channel[place + (cable != NULL ? cable[node] : 0)];
}

/* The channel of D-mod-k from a switch to another one, which is a leaf: the node's number chooses.
 */
static inline int32_t tree_towards(const struct tree_links *links, int router, int leaf, int node)
{
	const struct tree_switch *at = &links->at[router];

	return tree_is_above(links, at, leaf)
		       ? tree_down(links, at, leaf, node)
		       : links->graph->channel[at->first_up + links->port_up[at->level + 1][node]];
}

#endif
