/* net_ports.h - the ends of channels: what waits there, and room at the far end */
#ifndef SIM_NETWORK_NET_PORTS_H
#define SIM_NETWORK_NET_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/network/net_queue.h"

/*
 * The sending end of a channel: at a router's output, or at a node's NIC. Everything that a hop
 * needs lies in the first cache line. credit[vc]: bytes free in the input buffer at the far end, as
 * far as credits that have come back were counted. The others stand at credits[ring], in any order,
 * until they are needed or there is no room for more.
 */
struct port {
	int64_t free_ps;     /* when everything committed so far will have left */
	int64_t bytes;       /* sent: statistics */
	int32_t npackets;    /* the same */
	int32_t first, last; /* packets in flight */
	int32_t to;          /* router at the far end; −1 − node */
	int32_t queued;      /* bytes waiting for credits */
	uint32_t ring;
	uint16_t nfree;                       /* of the ring: the credits stand behind these */
	uint16_t blocked;                     /* VCs where packets wait */
	uint8_t ring_bits : 7, has_queue : 1; /* capacity 2^ring_bits; messages wait at the NIC */
	uint8_t level;
	uint8_t turn : 6; /* the VC that is served first next time */
	uint8_t is_touched : 1, is_nic : 1;
	bool is_cut; /* the far end is in another partition, which has first and last, and reads
		      * to, level and this byte */
	int32_t credit[]; /* [nvcs] */
};
_Static_assert(offsetof(struct port, credit) == 48, "four VCs in the first cache line");

/*
 * Routers with output buffers: a packet crosses from its input buffer to the output buffer of a
 * link, and leaves from there. The crossbar's end at link c is port nchannels + c, which is like a
 * link's; its credits are room in the output buffer. Input buffers are queues of each VC then: who
 * is first there keeps the others waiting.
 */
struct input {
	struct queue queue;
	int64_t begin_ps, free_ps; /* when the last one that was first crosses, and has crossed */
	bool is_waiting;           /* the one that was first waits for a port */
};

/* What is seldom needed of a port. */
struct port_rest {
	int64_t wake; /* the event that counts: 1 ps + its time; 0: none */
};

/*
 * One port per directed channel, and behind those the crossbars'. Partitions share the arrays, each
 * touches its own; the list of what was touched is each partition's.
 */
struct ports {
	char *at;
	int shift; /* bytes of a port: 2^shift */
	int32_t ntouched;
	int32_t *touched;
	struct port_rest *rests;
	struct queue *queues;  /* [channel · nvcs + vc]: waiting for credits */
	struct input *inputs;  /* [channel · nvcs + vc]; NULL: there are no output buffers */
	struct queue *lagging; /* [channel] packets that will be READY, by time; NULL: none ever */
	size_t bytes;
};

/* The same where ports are known to be of one cache line: up to four VCs. */
enum { PORT_SHIFT = 6 };
static inline struct port *ports_small(const struct ports *ports, int32_t channel)
{
	return (struct port *)(ports->at + ((size_t)channel << PORT_SHIFT));
}

static inline struct port *ports_at(const struct ports *ports, int32_t channel)
{
	return (struct port *)(ports->at + ((size_t)channel << ports->shift));
}

static inline void ports_touch(struct ports *ports, int32_t channel)
{
	ports_at(ports, channel)->is_touched = 1;
	ports->touched[ports->ntouched++] = channel;
}

/*
 * net_ports.c. Of all channels of the plan there is room for ports; the pages of those that belong
 * to other processes are never touched. net_port_open: as it is before a run, with its credits;
 * is_cut: the far end is in another partition.
 */
struct net;
void net_ports_open(struct net *net);
void net_port_open(struct net *net, int32_t channel, uint32_t ring, bool is_cut);
/* Whether credits come back to it. */
bool net_port_has_ring(const struct net *net, int32_t channel);
void net_ports_close(struct net *net); /* but for what each partition has */
/* Those that were touched are as they were. */
void net_ports_reset(struct net *net);
size_t net_ports_count(const struct net *net);
/* Where a channel of the graph leads: a router, or −1 − node. */
int32_t net_end_of(const struct net *net, int32_t channel);
/* Of each VC at the far end of a channel, or of a crossbar's. */
int32_t net_buffer_bytes(const struct net *net, int32_t channel);

#endif
