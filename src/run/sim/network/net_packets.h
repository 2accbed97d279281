/* net_packets.h - packets, and the pool that they are taken from */
#ifndef SIM_NETWORK_NET_PACKETS_H
#define SIM_NETWORK_NET_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/network/net_pool.h"

/*
 * A packet. It is in the input buffer of vc at the far end of its channel, or on the way there.
 * detour and rest are the routing's (forward.h); as long as a packet IS_UNDECIDED, detour is what
 * its draws are made of.
 */
struct packet {
	int32_t next; /* in a queue, or in flight */
	/* The channel by which it will leave the router that it is on the way to; NOBODY: next()
	 * decides; LATER: not found yet; less: the routing's hint for finding it. READY: the
	 * channel that it waits for */
	int32_t onward;
	int32_t message;
	int32_t router; /* the last one */
	int32_t detour;
	int32_t rest;
	int32_t channel;
	int32_t bytes; /* on a channel */
	int32_t out;   /* the last channel, to the destination */
	uint8_t vc, phase, nhops, flags;
	int64_t ready_ps;    /* READY */
	uint8_t nic;         /* of the message */
	bool came_by_column; /* to a router of a dragonfly whose groups are grids */
	int32_t aside;       /* 1 + the first channel of the first detour; 0: not found yet */
	uint64_t : 64;       /* a line each: the index is shifted, not multiplied */
};
_Static_assert(sizeof(struct packet) == 64, "a cache line");
enum packet_flags {
	IS_NONMINIMAL = 1,
	IS_SECOND_LEG = 2,
	IS_ANSWER = 4, /* of class 1 */
	IS_UNDECIDED = 8
};
enum { LATER = -2 };
enum { VC_SHIFT = 4 }; /* in flags: the VC that a packet will take when it is ready */

/* Those that come from other partitions and go there are not counted. */
struct packet_pool {
	POOL(struct packet);
	int64_t nmade, ncome; /* packets of this run */
};

/* With none. */
static inline void packets_open(struct packet_pool *pool)
{
	*pool = (struct packet_pool){0};
}

static inline int32_t packets_new(struct packet_pool *pool)
{
	pool->nmade++;
	return pool_take(pool);
}

/* The packet has come. */
static inline void packets_free(struct packet_pool *pool, int32_t packet)
{
	pool_give(pool, packet);
	pool->ncome++;
}

#endif
