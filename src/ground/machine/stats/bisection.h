/* bisection.h - how much a machine can carry between its halves */
#ifndef MACHINE_STATS_BISECTION_H
#define MACHINE_STATS_BISECTION_H

#include "model/topo.h"

/*
 * Bytes per second, in one direction, through the narrowest cut into two parts whose numbers of
 * nodes differ by at most those of one router (so by at most 1 where every router has one). Nodes
 * stay with their router, so that only links between routers are cut; a node on several routers
 * stays on either side, and those of its links that cross are cut.
 *
 * Exact where the type has a closed form; else the best of a number of cuts, improved by moving
 * routers (Fiduccia and Mattheyses, DAC 1982), which is an upper bound. how says which. Returns -1
 * when there are no two parts: a single router.
 */
int topo_bisection(struct topo *topo, double *bytes_per_s, const char **how);

/* The search alone, for tests of the closed forms; -1: no two parts. */
double topo_best_cut(struct topo *topo);

#endif
