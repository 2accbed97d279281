/* route_split.h - a message spread over all shortest paths */
#ifndef MACHINE_ROUTE_ROUTE_SPLIT_H
#define MACHINE_ROUTE_ROUTE_SPLIT_H

#include "base/mem.h"
#include "model/topo.h"

/* The part of a message that a channel carries. */
struct channel_share {
	int channel;
	double share;
};
typedef VEC(struct channel_share) channel_shares;

/*
 * Of k shortest paths between two nodes each carries 1/k. On machines whose minimal routes pass no
 * third group (topo_type.is_distance_routed) neither do these.
 */
struct route_split;

/* topo must outlive it. */
struct route_split *route_split_new(struct topo *topo);
void route_split_free(struct route_split *split); /* NULL is allowed */
/* Appends what goes from node a to node b of the machine, which differ. -1: there is no path. */
int route_split_add(struct route_split *split, int a, int b, channel_shares *shares);

#endif
