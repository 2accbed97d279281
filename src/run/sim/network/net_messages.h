/* net_messages.h - messages under way, and the pool that they are taken from */
#ifndef SIM_NETWORK_NET_MESSAGES_H
#define SIM_NETWORK_NET_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/network/net_pool.h"

struct message {
	uint64_t cookie;
	int64_t ready_ps;
	int64_t bytes;
	int64_t left; /* with the message's header, of which no packet was made yet */
	int32_t src, dst;
	union {
		int32_t up;      /* before it is in a queue: the first channel, of the first NIC */
		uint32_t serial; /* then, of one to another partition: mail.c */
	};
	int32_t out;      /* the last channel, to dst */
	int32_t next;     /* in the NIC's queue */
	int32_t npending; /* packets made that have not come */
	int32_t owner;
	uint8_t traffic_class : 7, goes_first : 1;
	uint8_t queue;
	uint8_t nic; /* of both ends */
	bool wants_left : 1, has_left : 1, has_come : 1;
	bool skips_injected : 1; /* with wants_left: the event is for the NIC */
	bool holds : 1, releases : 1;
	bool is_home : 1, is_transit : 1; /* mail.c */
};

_Static_assert(sizeof(struct message) <= 64, "a cache line");

struct message_pool {
	POOL(struct message);
	int32_t asking;   /* the message that net_send is to say of when it leaves, or NOBODY */
	int64_t asked_ps; /* when it leaves; −1: not known yet */
	int64_t nopen;    /* messages of this run that have not come */
};

/* With none. */
static inline void messages_open(struct message_pool *pool)
{
	*pool = (struct message_pool){.asking = NOBODY};
}

#endif
