/* net_priv.h - a simulated network, of its parts */
#ifndef SIM_NETWORK_NET_PRIV_H
#define SIM_NETWORK_NET_PRIV_H

#include "base/str.h"
#include "sim/network/agenda.h"
#include "sim/network/copies.h"
#include "sim/network/forward.h"
#include "sim/network/injection.h"
#include "sim/network/net.h"
#include "sim/network/net_counts.h"
#include "sim/network/net_credits.h"
#include "sim/network/net_messages.h"
#include "sim/network/net_packets.h"
#include "sim/network/net_partition.h"
#include "sim/network/net_plan.h"
#include "sim/network/net_ports.h"
#include "sim/network/net_run.h"
#include "sim/network/nic.h"
#include "sim/network/nic_requests.h"
#include "sim/network/published.h"
#include "sim/network/wheel.h"

/*
 * A network, or a partition of one (crew.h), which has the ports of its routers and nodes. Arrays
 * over channels and nodes are shared by the partitions of one, each of which touches what is its
 * own; wheels, pools, lists of what was touched and counts are each partition's.
 */
struct net {
	struct net_run run;
	struct wheel wheel;
	struct ports ports;
	struct credit_rings credits;
	struct packet_pool packets;
	struct message_pool messages;
	struct net_plan plan;
	struct forward forward;
	struct nics nics;
	struct agenda agenda;
	struct copies copies;
	struct injection injection;
	struct published *published; /* NULL: the routing knows its own router only */
	struct net_counts counts;
	struct net_partition partition;
};

static inline struct port *port_of(const struct net *net, int32_t channel)
{
	return ports_at(&net->ports, channel);
}

static inline int32_t net_router_of(const struct net *net, int32_t node)
{
	return net->plan.per_router > 0 ? node / net->plan.per_router
					: net->plan.topo->router_of[node];
}

/* Of a network in partitions. */
static inline int net_part_at(const struct net *net, int32_t node)
{
	return net->partition.of_router[net_router_of(net, node)];
}

/* The first channel of the plane of a NIC. */
static inline int32_t net_plane_base(const struct net *net, int nic)
{
	return net->copies.of_nic[nic].base;
}

/* Where a channel of the graph is for a NIC. */
static inline int32_t net_copy_of(const struct net *net, int32_t channel, int nic)
{
	return net->copies.of_nic[nic].terminals < 0 ? net_plane_base(net, nic) + channel
						     : net_rail_channel(net, channel, nic);
}

/* What sending takes; bytes · ps per byte, rounded. */
static inline int64_t level_ps(const struct net_level *level, int32_t bytes)
{
	return (int64_t)((double)bytes * level->ps_per_byte + .5);
}

static inline int64_t send_ps(const struct net *net, const struct port *port, int32_t bytes)
{
	return level_ps(&net->plan.levels[port->level], bytes);
}

/* Bytes that have been given to a port and have not left: those with a time to leave, and those
 * that wait for credits. */
static inline int64_t port_backlog(const struct net *net, const struct port *port)
{
	int64_t ahead = port->free_ps - net->run.now;

	ahead = ahead > 0 ? ahead : 0;
	return port->queued + (int64_t)((double)ahead * net->plan.levels[port->level].bytes_per_ps);
}

/* The key of the packet that leaves a NIC by channel as its nth. */
static inline int32_t net_packet_key(const struct net *net, int32_t channel, int32_t nth)
{
	return (int32_t)(u64_mix(net->run.draw_key ^
				 ((uint64_t)(uint32_t)channel << 32 | (uint32_t)nth)) >>
			 32);
}

/*
 * The key by which a packet that is about to leave a NIC by channel up chooses among equal paths:
 * its own, or (ties=hash) that of its flow: the NIC, the destination, and which of the queue pairs
 * between them it is on, which the packets of a message take in turn.
 */
static inline int32_t net_tie_key(const struct net *net, const struct tie_draws *draws, int32_t up,
				  const struct packet *packet)
{
	const struct message *message = &net->messages.at[packet->message];
	int64_t size = net->plan.params->packet_bytes, pair = 0;

	if (draws->ties != TIES_HASH)
		return net_packet_key(net, up, port_of(net, up)->npackets);
	if (draws->npairs > 1)
		pair = (message->left + size - 1) / size % draws->npairs;
	return (int32_t)(u64_mix((net->run.draw_key ^
				  ((uint64_t)(uint32_t)up << 32 | (uint32_t)message->dst)) +
				 u64_mix((uint64_t)pair)) >>
			 32);
}

/* A number below n, number i of the packet that has key; what bias there is lies below n/2^32. */
static inline uint32_t net_draw(const struct net *net, int32_t key, int i, uint32_t n)
{
	uint64_t mixed = u64_mix(net->run.draw_key + ((uint64_t)(uint32_t)i << 32 | (uint32_t)key));

	return (uint32_t)((mixed >> 32) * n >> 32);
}

/* The same of n things, three at least, but neither a nor b, which differ. */
static inline int32_t net_draw_beside(const struct net *net, int32_t key, int i, int32_t n,
				      int32_t a, int32_t b)
{
	int32_t low = a < b ? a : b, drawn = (int32_t)net_draw(net, key, i, (uint32_t)n - 2);

	drawn += drawn >= low;
	return drawn + (drawn >= a + b - low);
}

/* mail.c: to other partitions */
void net_mail_packet(struct net *net, int32_t packet, int32_t channel, int64_t arrive_ps);
void net_mail_credit(struct net *net, int32_t channel, int vc, int32_t bytes, int64_t time);
/* A message of this partition's that goes to another one. */
void net_mail_message(struct net *net, int32_t message);
void net_mail_notice(struct net *net, int32_t node, int64_t time, uint64_t cookie);
/* All packets of a message from another partition have come. */
void net_mail_is_whole(struct net *net, const struct message *message);

/* net.c: of one partition, but for what the partitions share */
void net_wheel_open(struct net *net);
void net_part_reset(struct net *net);
void net_part_run(struct net *net, int64_t limit_ps);
void net_part_close(struct net *net);

/* When a run ends that needs nothing after at_ps. */
enum { NET_END_GRAIN = 1000000 };
static inline int64_t net_end_ps(int64_t at_ps)
{
	return (at_ps / NET_END_GRAIN + 1) * NET_END_GRAIN;
}

/* net_end.c: what went in has come out, and every buffer is empty */
int net_check_end(struct net *net, struct err *err);

/* hop.c: packets */
extern const struct forward_hops net_any_hops; /* for any network: hop.h has special ones */
void net_arrive(struct net *net, int32_t channel);
/* The first of the packets that lag behind a channel. */
int32_t net_lagging_take(struct net *net, int32_t channel);
void net_head(struct net *net, int32_t input);
void net_commit(struct net *net, struct port *port, int32_t packet, int32_t channel, int vc,
		int64_t depart_ps);
void net_wait(struct net *net, int32_t channel, int vc, int32_t bytes);
/* The packet's place in the buffer that it is in gets free now. */
void net_give_back(struct net *net, const struct packet *packet);
/* Bytes that were sent and whose credits have not come back, of all VCs. */
int64_t net_unreturned(struct net *net, int32_t channel);
/* Free bytes where packets for a link and VC wait: its output buffer, or what an input buffer would
 * have left of them. */
int64_t net_room(struct net *net, int32_t channel, int vc);
/* Bytes for a link that wait in this router. */
int64_t net_waiting(const struct net *net, int32_t channel);

#endif
