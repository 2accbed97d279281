/* net_plan.h - what a simulated network is: set when it is opened, only read in a run */
#ifndef SIM_NETWORK_NET_PLAN_H
#define SIM_NETWORK_NET_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "model/topo.h"
#include "sim/params/params.h"

/* Tables of so many nodes do not stay in a processor's cache. */
enum { NET_FAR_NODES = 1 << 13 };
enum { VCS_MOST = 16 };

struct net_level {
	double ps_per_byte, bytes_per_ps;
	int64_t latency_ps;
	int64_t router_ps; /* the same, and a router's delay behind it */
	int64_t credit_ps; /* until a credit is back */
};

struct net_plan {
	struct topo *topo;
	const struct topo_graph *graph;
	const struct sim_params *params;
	struct net_level levels[TOPO_LEVELS + 1]; /* the last one is the crossbar */
	int32_t nchannels;                        /* of all planes and NICs */
	int32_t per_router; /* nodes of a router, in order; 0: they differ, or a table is as fast */
	int nvcs;
	int class_vcs;        /* class 1 has the VCs from here on, where there are two */
	int32_t whole_packet; /* bytes of a full one on a channel */
	/* Masks of what sending a packet takes: until it is at a router, at a node */
	int64_t router_takes, node_takes;
	bool has_lag; /* links have different bandwidths, and packets cut through */
};

#endif
