/* dragonfly_ways.h - paths through one dragonfly: what the files about them share */
#ifndef SIM_NETWORK_DRAGONFLY_WAYS_H
#define SIM_NETWORK_DRAGONFLY_WAYS_H

#include "sim/network/dragonfly_gates.h"
#include "sim/network/net_priv.h"

/*
 * packet->detour is NOBODY, or router r as r, or the group g as −2 − g; packet->rest is the
 * destination's node, which chooses among equals, or a random number that does.
 *
 * Virtual channels: the phase begins with 0 and grows with each global link and each time that the
 * intermediate router is reached or a path is given up for another. Within a phase local links come
 * before global ones, so no cycle of packets waits for each other.
 */
struct dragonfly_ways {
	const struct dragonfly *df;
	struct gates gates;
	struct detours detours;
	struct tie_draws draws;
	bool has_drawn_ties;
	struct place *at; /* [nrouters] */
	/* [routers · routers]: of the first group the first of the cables from a router towards
	 * another; -1. Those of the next group are local_channels further. */
	int32_t *local;
	int32_t local_channels;
	bool *same_column; /* [routers · routers] of a group; NULL: it has one row */
	bool has_cables;   /* several between routers of a group */
	/*
	 * Where there is one link between two groups, and one between two routers, there is one
	 * channel towards each of the other groups and then of the routers of the own one.
	 * [nrouters · (groups + routers)]; NULL: there are several, or it would be too large.
	 */
	int32_t *only;
	/* Of the same width: links within the own group to the gate towards another one. */
	uint8_t *gate_hops;
	int32_t nonly;    /* groups + routers */
	bool looks_first; /* UGAL with one candidate, a group, by the queues of its own router */
};

/* Whether the packet at router takes a detour, and which: into packet->detour. direct: the first
 * channel of the minimal path. Returns the first channel of the path that is taken. */
int32_t dragonfly_decide(struct net *net, const struct dragonfly_ways *ways, int router,
			 struct packet *packet, int32_t direct);

/* Where messages leave and come: forward_type.ends. */
static inline int dragonfly_ends(struct net *net, int a, int b, int32_t *up, int32_t *out)
{
	(void)net;
	*up = 2 * a; /* the link of node i is link i */
	*out = 2 * b + 1;
	return 0;
}

/* A packet of a message: forward_type.begin. */
static inline void dragonfly_begin(struct net *net, int32_t up, struct packet *packet)
{
	const struct dragonfly_ways *ways = net->forward.state;
	const struct message *message = &net->messages.at[packet->message];
	int32_t nth = port_of(net, up)->npackets;

	packet->router = net_router_of(net, message->dst);
	packet->rest = message->dst;
	if (ways->has_drawn_ties)
		packet->rest = (int32_t)net_draw(net, net_tie_key(net, &ways->draws, up, packet), 0,
						 INT32_MAX);
	packet->detour = NOBODY;
	if (ways->detours.kind == DETOUR_NONE)
		return;
	packet->detour = nth;
	packet->flags |= IS_UNDECIDED;
}

/* Most packets find their path idle and draw nothing: the key is made of which of its NIC's packets
 * it is, at the first decision, at the first router. */
static inline int32_t dragonfly_key(const struct net *net, const struct packet *packet)
{
	return net_packet_key(net, packet->channel, packet->detour);
}

static inline void dragonfly_make_key(const struct net *net, struct packet *packet)
{
	packet->detour = dragonfly_key(net, packet);
}

/* A packet that has not decided on a detour takes none. */
static inline void dragonfly_settle(struct packet *packet)
{
	if (!(packet->flags & IS_UNDECIDED))
		return;
	packet->flags &= (uint8_t)~IS_UNDECIDED;
	packet->detour = NOBODY;
}

/* dragonfly_only.c: where there is one channel, on a plain network whose ports are small */
void dragonfly_only_open(struct dragonfly_ways *ways, const struct topo *topo);
int32_t dragonfly_only_onward(struct net *net, int router, const struct packet *packet);
extern const struct forward_hops dragonfly_only_hops;

#endif
