/* net_run.h - one run: the time, the present event, when it ends, who listens */
#ifndef SIM_NETWORK_NET_RUN_H
#define SIM_NETWORK_NET_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/network/forward.h"
#include "sim/network/net.h"

/*
 * What an event is about; the upper bits of its text, and below the place: a channel, an input
 * (channel · nvcs + vc), a node. What happens there is the first of a queue at that place. In this
 * order events of one time happen.
 */
enum event_kind {
	ARRIVE,    /* channel: the head of its next packet is where it leads, the router's delay is
		      over */
	READY,     /* channel: enough of a packet that came by it is there for a faster link */
	WAKE,      /* port: credits have come that something waits for */
	PUMP,      /* port of a node: it may take further packets */
	HEAD,      /* input: the next packet there may cross */
	NODE,      /* node: the next of its items */
	NONE_AHEAD /* none: hop_events.h */
};
enum { KIND_SHIFT = 29 };
#define EVENT(kind, place) ((uint32_t)(kind) << KIND_SHIFT | (uint32_t)(place))

static inline enum event_kind kind_of(uint32_t what)
{
	return (enum event_kind)(what >> KIND_SHIFT);
}

static inline int32_t place_of(uint32_t what)
{
	return (int32_t)(what & ((1U << KIND_SHIFT) - 1));
}

struct net_run {
	int64_t now;
	int64_t limit_ps; /* events are taken up to there without looking up */
	int64_t stop_ps;  /* the run ends there */
	int64_t next_ps;  /* of the network: no event of any partition comes before */
	bool is_plain;    /* the network needs nothing special */
	bool is_watched;  /* packets that come are counted, or not only the network must know */
	/* What comes to a node before the last packet of its message is counted when it leaves the
	 * last router, without an event: nobody looks at the counts before the run is over. */
	bool counts_early;
	bool is_general; /* no special functions: for tests, the results are the same */
	bool is_drained; /* the last run left nothing over */
	bool has_failed; /* error says why */
	struct err error;
	uint64_t failed_at; /* round, kind and place of the event */
	uint64_t draw_key;  /* of the seed and the run */
	const struct forward_hops *hops;
	enum net_reach reach;       /* which of their runs */
	enum net_reach least_reach; /* for tests: a small network is run as a larger one */
	int64_t inject_most;        /* bytes of a message that may leave at once as one packet:
				       hop_inject.h */
	struct net_events events[NET_SERVICES];
	int64_t nevents;
};

#endif
