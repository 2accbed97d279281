/* net_partition.h - which partition of a simulation a network is */
#ifndef SIM_NETWORK_NET_PARTITION_H
#define SIM_NETWORK_NET_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/network/coming.h"

/*
 * Packets that leave for other partitions lie here while a few others leave: until then its message
 * has come into the cache, and what was written into the packet can be copied without waiting.
 */
enum { LEAVING = 4 };
struct mail_bag;
struct mail_desk {
	struct leaving {
		int64_t arrive_ps;
		struct mail_bag *bag;
		int32_t packet;
	} at[LEAVING];
	uint32_t n; /* that left in this window; the last ones lie here */
};

struct net_partition {
	struct crew *crew; /* NULL: the simulation has one partition */
	int number;
	const int16_t *of_router;  /* [nrouters] */
	const int16_t *of_channel; /* [nchannels] of the sending end */
	struct mail_desk desk;     /* mail.c */
	struct mail_bag *bags;     /* [partitions] what is sent in this window */
	int64_t mail_ps;           /* nothing in them happens before */
	/* Sending a packet of fewer bytes may take less than a router's delay. How many of these
	 * went to other partitions, less those whose credits went back: the sum of all partitions
	 * is how many credits are owed. */
	int32_t short_bytes;
	int64_t nshort;
	struct coming coming; /* messages from other partitions: mail.c */
	uint32_t *serials;    /* [partitions] of the last message to each */
	bool is_dealt_out;    /* ports and nodes are as they are before a run */
	bool awaits_enough;
	bool is_collected; /* nothing has happened since net_collect */
	bool has_channels; /* nor since net_collect_channels */
	int64_t enough_ps; /* net_enough; < 0: not yet */
};

#endif
