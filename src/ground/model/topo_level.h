/* topo_level.h - the classes of links that share bandwidth and latency */
#ifndef MODEL_TOPO_LEVEL_H
#define MODEL_TOPO_LEVEL_H

#include "model/topo.h"

/* The defaults of a link: 8 Gbit/s and 100 ns. */
#define TOPO_BANDWIDTH 1e9
#define TOPO_LATENCY 100e-9

/* "node" and "terminal": what every machine has. */
void topo_level_start(struct topo *topo);
/* Appends one with the defaults and returns its index; there must be room. */
int topo_level_add(struct topo *topo, const char *name);
int topo_level_find(const struct topo *topo, const char *name, size_t n); /* -1: none */

/* Appends a tier; domain_of is taken over. */
void topo_tier_add(struct topo *topo, const char *name, int n, int *domain_of);

#endif
