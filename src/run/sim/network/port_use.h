/* port_use.h - whether the destinations of a run spread over ports that are equally good */
#ifndef SIM_NETWORK_PORT_USE_H
#define SIM_NETWORK_PORT_USE_H

#include <stdint.h>

#include "sim/network/net.h"

/*
 * Where a destination's number chooses among equal ports, and all numbers share a factor with the
 * number of ports, some carry nothing. The destinations of each router are marked as messages are
 * sent; after the run their paths are followed.
 */
struct port_use {
	int64_t nwords;  /* of a router */
	uint64_t sent[]; /* [nrouters · nwords] bit d: nodes there sent to node d */
};

/* For the routing and machine of net; NULL where this is not so, or there are too many routers. */
struct port_use *port_use_new(const struct net *net);
void port_use_clear(const struct net *net);

/* A router is touched by its own partition only. */
static inline void port_use_mark(struct port_use *use, int router, int32_t to)
{
	use->sent[router * use->nwords + to / 64] |= 1ULL << (to % 64);
}

#endif
