/* distance.h - how far the nodes of a machine are apart */
#ifndef MACHINE_STATS_DISTANCE_H
#define MACHINE_STATS_DISTANCE_H

#include "model/topo_type.h"

/* Over all ordered pairs of different nodes, on minimal routes; counts->pairs is the caller's to
 * free. By the type's closed form where it has one, else by a search from each router. */
void topo_distances(struct topo *topo, struct distance_counts *counts);

/* Links between routers on the mean route; -1: no pair is joined. */
double topo_mean_distance(const struct distance_counts *counts);

#endif
