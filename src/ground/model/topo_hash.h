/* topo_hash.h - which machine it is: a number of its nodes, names and links */
#ifndef MODEL_TOPO_HASH_H
#define MODEL_TOPO_HASH_H

#include "model/topo.h"

/* Of the names of nodes and routers and of the links with the names of their levels, in order; not
 * of bandwidths, latencies, cores or tiers. The same for a machine from its parameters and from its
 * tables. Stores nothing but the result: a nanosecond or two for each name and link. */
uint64_t topo_hash(const struct topo *topo);

enum { TOPO_HASH_TEXT = 17 };
const char *topo_hash_text(uint64_t hash, char text[TOPO_HASH_TEXT]); /* 16 hexadecimal digits */

#endif
