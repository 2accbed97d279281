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

#endif
