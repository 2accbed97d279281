/* link_loads.h - what the messages of a mapped job put on the links of the machine */
#ifndef MEASURE_METRIC_LINK_LOADS_H
#define MEASURE_METRIC_LINK_LOADS_H

#include "machine/route/expected.h"
#include "machine/route/route.h"
#include "model/comm.h"
#include "model/mapping.h"
#include "model/topo.h"

/*
 * Every message is counted on each directed link of its route, links of nodes included; messages
 * inside a node use none. Whole numbers of bytes add up exactly, below 2^53.
 */
struct link_loads {
	const struct topo *topo;
	const struct comm *comm; /* whose they are, as long as the caller keeps them */
	const struct mapping *mapping;
	int64_t nchannels;
	double *bytes, *messages; /* [nchannels] */
	double hop_bytes;         /* Σ bytes × links of the route */
	double dilation;          /* Σ messages × links of the route */
	double all_messages;      /* those inside nodes too */
	double network_bytes;     /* bytes between different nodes */
};

/* expected NULL: each message takes the path of the routing; else it is spread (expected.h). Fails
 * where two ranks that talk have no route, or the graph has more ranks than the mapping. */
int link_loads_count(struct link_loads *loads, struct topo *topo, struct routing *routing,
		     struct expected *expected, const struct comm *comm,
		     const struct mapping *mapping, struct err *err);
void link_loads_free(struct link_loads *loads);

/* Bandwidth of a channel relative to that of the terminal links: what congestion is measured in is
 * then bytes on a terminal link. */
double link_capacity(const struct topo *topo, int64_t channel);

/* Mirsadeghi & Afsahi, PTRAM, §II and §IV-A. Congestion of a link is its bytes over
 * its capacity. */
struct congestion {
	double max;          /* MC */
	double max_messages; /* the most messages on a link */
	double mean;         /* NZCA: over links that carry anything */
	double variance;     /* NZCV: of the population of these links */
	int64_t nused;       /* links that carry anything */
	int64_t nmax;        /* number of them at the maximum */
};
struct congestion congestion_of(const struct link_loads *loads);

#endif
