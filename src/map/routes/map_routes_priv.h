/* map_routes_priv.h - what the kinds of routes share */
#ifndef MAP_ROUTES_MAP_ROUTES_PRIV_H
#define MAP_ROUTES_MAP_ROUTES_PRIV_H

#include "map/routes/map_routes.h"

/* Appends a channel and the part of a message that it carries to the route being made. */
void routes_add(struct routes *routes, int channel, double share);

/* Makes room for places [nnodes], that have no sources yet. */
void routes_open(struct routes *routes, struct topo *topo, struct routing *routing,
		 const int *nodes, int nnodes);
/* Each place is a separate source. */
void routes_share_nothing(struct routes *routes);
/* As if no route had been asked for yet. */
void routes_reset(struct routes *routes);

struct routes_split;
void routes_split_free(struct routes_split *split); /* NULL is allowed */
/* Adds all paths between two nodes of the machine. Returns how many channels, or -1. */
int routes_split_add(struct routes *routes, int a, int b);

struct routes_bundles;
void routes_bundles_free(struct routes_bundles *bundles); /* NULL is allowed */
/* Adds the bundles from one router (source) to another. Returns how many. */
int routes_bundles_add(struct routes *routes, int a, int b);

#endif
