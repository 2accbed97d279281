/* leaf_ranks.h - ranks in turn over the nodes of a leaf, leaf after leaf */
#ifndef MODEL_LEAF_RANKS_H
#define MODEL_LEAF_RANKS_H

#include "model/topo.h"

/*
 * Nodes that follow each other in nodes [nnodes] and have the same router are a leaf. A leaf of L
 * nodes with room for p ranks each takes L · p ranks: rank r its node r mod L (a node that is full
 * is passed over), and the next leaf those that follow: leaf ⌊r / (L · p)⌋, slot ⌊r / L⌋ mod p. So
 * CODES puts servers on NICs (GROUP_MODULO). room [nnodes], Σ room ≥ nranks. at [nranks]: index
 * into nodes.
 */
void leaf_ranks(const struct topo *topo, const int *nodes, const int *room, int nnodes, int nranks,
		int *at);

#endif
