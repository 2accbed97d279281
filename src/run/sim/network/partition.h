/* partition.h - which routers are simulated together */
#ifndef SIM_NETWORK_PARTITION_H
#define SIM_NETWORK_PARTITION_H

#include <stdint.h>

#include "model/topo.h"

/*
 * Divides the routers of a machine into at most nparts parts of about equal work, cut through links
 * of long latency: by groups, subtrees, blocks. latency_ps [TOPO_LEVELS]: of the links of each
 * level. What a node is linked with stays together, and so do the ends of links without latency. A
 * simulation's results do not depend on it.
 *
 * part_of [nrouters] becomes 0 … n − 1, all of which have routers; *cut_ps the least latency of a
 * link between two parts. Returns n.
 */
int partition_routers(const struct topo *topo, const int64_t *latency_ps, int nparts,
		      int16_t *part_of, int64_t *cut_ps);

#endif
