/* net_counts.h - what a simulated network counts in a run */
#ifndef SIM_NETWORK_NET_COUNTS_H
#define SIM_NETWORK_NET_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/network/net.h"
#include "sim/network/stall.h"

struct port_use; /* port_use.h */

struct vc_count {
	int64_t bytes, packets;
};

struct net_counts {
	struct net_totals *totals; /* [service · nowners + owner] */
	int nowners;
	bool counts_hops;
	struct vc_count *vcs;     /* [channel · nvcs + vc]; NULL: not asked for */
	struct stall *stalls;     /* [channel]; NULL: not asked for */
	struct net_hops *hops_of; /* [hops_cap] of messages, where they are counted */
	int32_t hops_cap;
	struct port_use *use;      /* of equal ports; NULL: not asked for */
	struct net_hops came_hops; /* of the message that came last */
};

#endif
