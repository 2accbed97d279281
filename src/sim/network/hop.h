/* hop.h - one hop of a packet, in a form that is put into the functions of each kind of machine */
#ifndef SIM_NETWORK_HOP_H
#define SIM_NETWORK_HOP_H

#include "sim/network/net_priv.h"

/*
 * The kind, a constant where these are called, leaves out what only some networks have. A network
 * without any of these does the same in all kinds.
 */
enum hop_kind {
	HOP_ANY,
	/* no output buffers, several NICs or planes, links of different speed, second class,
	 * counters of virtual channels and stalls, published loads */
	HOP_PLAIN,
	HOP_SMALL /* the same, and ports are of one cache line */
};
#define HOP static inline __attribute__((always_inline))

HOP struct port *hop_port(const struct net *net, int32_t channel, enum hop_kind kind)
{
	return kind == HOP_SMALL ? ports_small(&net->ports, channel) : port_of(net, channel);
}

typedef int32_t hop_next(struct net *net, int router, struct packet *packet, int *vc);
typedef int32_t hop_onward(struct net *net, int router, const struct packet *packet);

/* hop.c */
void net_wake_at(struct net *net, int32_t channel, int64_t time);
/* The packet waits behind others, or begins to wait, for credits of a port. */
void net_line_up(struct net *net, int32_t packet, int32_t channel, int vc);
void net_commit_special(struct net *net, const struct packet *packet, int32_t channel, int vc,
			int64_t depart_ps);
void net_cross(struct net *net, const struct packet *packet, int64_t done_ps);

/* bytes of vc will be free again at the sending end of channel, which is in this partition, from
 * time on. */
HOP void hop_give_here(struct net *net, struct port *port, int32_t channel, int vc, int32_t bytes,
		       int64_t time)
{
	if (port->nring >> port->ring_bits != 0)
		credits_make_room(&net->credits, port, net->run.now);
	net->credits.at[port->ring + port->nring++] = (struct credit){time, bytes, vc};
	if (port->blocked != 0 && port->blocked >> vc & 1)
		net_wake_at(net, channel, time);
}

HOP void hop_give(struct net *net, struct port *port, int32_t channel, int vc, int32_t bytes,
		  int64_t time)
{
	if (port->is_cut)
		net_mail_credit(net, channel, vc, bytes, time);
	else
		hop_give_here(net, port, channel, vc, bytes, time);
}

HOP bool hop_has_credit(struct net *net, struct port *port, int vc, int32_t bytes)
{
	if (port->credit[vc] >= bytes)
		return true;
	credits_take(&net->credits, port, net->run.now);
	return port->credit[vc] >= bytes;
}

/* Behind those that are in flight by channel, which leads to this partition. */
HOP void hop_fly_here(struct net *net, struct port *port, int32_t packet, int32_t channel,
		      int64_t arrive_ps)
{
	net->packets.at[packet].next = NOBODY;
	if (port->first == NOBODY)
		port->first = packet;
	else
		net->packets.at[port->last].next = packet;
	port->last = packet;
	wheel_add(&net->wheel, arrive_ps, EVENT(ARRIVE, channel));
}

HOP void hop_fly(struct net *net, struct port *port, int32_t packet, int32_t channel,
		 int64_t arrive_ps)
{
	if (port->is_cut)
		net_mail_packet(net, packet, channel, arrive_ps);
	else
		hop_fly_here(net, port, packet, channel, arrive_ps);
}

/* The first one has come. */
HOP int32_t hop_land(struct net *net, struct port *port)
{
	int32_t packet = port->first;

	port->first = net->packets.at[packet].next;
	return packet;
}

/*
 * The packet leaves by channel at depart_ps, not before now; its place in the buffer that it is in
 * gets free with its tail, and the credit for it goes back. Returns when it comes.
 */
HOP int64_t hop_commit(struct net *net, struct port *port, struct packet *p, int32_t channel,
		       int vc, int64_t depart_ps, enum hop_kind kind, hop_onward *onward)
{
	const struct net_level *level = &net->plan.levels[port->level];
	int64_t takes = send_ps(net, port, p->bytes), arrive = depart_ps;
	bool is_crossbar = kind == HOP_ANY && channel >= net->plan.nchannels;

	if (!port->is_touched)
		ports_touch(&net->ports, channel);
	port->free_ps = depart_ps + takes;
	port->bytes += p->bytes;
	port->npackets++;
	if (kind == HOP_ANY)
		net_commit_special(net, p, channel, vc, depart_ps);
	if (is_crossbar) {
		arrive += level->latency_ps;
		port->credit[vc] -= p->bytes;
	} else if (port->to >= 0) {
		port->credit[vc] -= p->bytes;
		arrive += level->router_ps + (takes & net->plan.router_takes);
		p->onward = onward(net, port->to, p);
	} else {
		arrive += level->latency_ps + (takes & net->plan.node_takes);
		port->credit[vc] -= kind == HOP_ANY && net->nics.nheld != NULL ? p->bytes : 0;
		p->onward = NOBODY;
	}
	if (p->channel != NOBODY) {
		struct port *in = hop_port(net, p->channel, kind);

		hop_give(net, in, p->channel, p->vc, p->bytes,
			 port->free_ps + net->plan.levels[in->level].credit_ps);
	}
	if (is_crossbar)
		net_cross(net, p, port->free_ps);
	p->channel = channel;
	p->vc = (uint8_t)vc;
	return arrive;
}

/* The packet is at the router before channel and may leave. */
HOP void hop_send(struct net *net, int32_t packet, int32_t channel, int vc, enum hop_kind kind,
		  hop_onward *onward)
{
	struct port *port = hop_port(net, channel, kind);
	struct packet *p = &net->packets.at[packet];

	if ((port->blocked != 0 && port->blocked >> vc & 1) ||
	    !hop_has_credit(net, port, vc, p->bytes)) {
		net_line_up(net, packet, channel, vc);
		return;
	}
	if (kind != HOP_ANY)
		hop_fly(net, port, packet, channel,
			hop_commit(net, port, p, channel, vc,
				   port->free_ps > net->run.now ? port->free_ps : net->run.now,
				   kind, onward));
	else
		net_commit(net, port, packet, channel, vc,
			   port->free_ps > net->run.now ? port->free_ps : net->run.now);
}

/* A packet has come by channel. */
HOP void hop_arrive(struct net *net, int32_t channel, enum hop_kind kind, hop_next *next,
		    hop_onward *onward)
{
	struct port *in = hop_port(net, channel, kind);
	int32_t packet, out;
	struct packet *p;
	int vc;

	if (kind == HOP_ANY) {
		net_arrive(net, channel);
		return;
	}
	packet = hop_land(net, in);
	if (in->to < 0) {
		net_packet_take(net, packet);
		return;
	}
	p = &net->packets.at[packet];
	p->nhops++;
	out = next(net, in->to, p, &vc);
	hop_send(net, packet, out, vc, kind, onward);
}

/* ---- events ---- */

/*
 * On large machines what the next events need is fetched into the cache while this one happens: the
 * port that a packet comes by first, then the packet, the port's ring of credits, and the port that
 * it leaves by or else its message. Always inlined, because gcc takes a function that only fetches
 * for one that does nothing, and leaves the call out.
 */
enum { LARGE_NODES = 512, PORT_AHEAD = 14, PACKET_AHEAD = 9, ONWARD_AHEAD = 5 };

/* The port by which the packet of an event to come arrives; NULL: it is another event. */
HOP const struct port *port_ahead(const struct net *net, int32_t ahead, enum hop_kind kind)
{
	int32_t at = net->wheel.at + ahead;
	uint32_t what = at < net->wheel.nnow ? (uint32_t)net->wheel.now[at] : EVENT(NODE, 0);

	return what >> KIND_SHIFT == ARRIVE ? hop_port(net, (int32_t)what, kind) : NULL;
}

HOP void look_ahead(const struct net *net, enum hop_kind kind)
{
	const struct port *far = port_ahead(net, PORT_AHEAD, kind);
	const struct port *middle = port_ahead(net, PACKET_AHEAD, kind);
	const struct port *near = port_ahead(net, ONWARD_AHEAD, kind);
	const struct packet *packet;

	if (far != NULL)
		__builtin_prefetch(far, 1);
	if (middle != NULL) {
		__builtin_prefetch(&net->packets.at[middle->first], 1);
		__builtin_prefetch(&net->credits.at[middle->ring], 1);
	}
	if (near == NULL)
		return;
	packet = &net->packets.at[near->first];
	if (packet->onward >= 0)
		__builtin_prefetch(hop_port(net, packet->onward, kind), 1);
	else
		__builtin_prefetch(&net->messages.at[packet->message], 1);
}

/* All events up to net->run.limit_ps, which may come closer meanwhile. */
HOP void hop_run(struct net *net, enum hop_kind kind, hop_next *next, hop_onward *onward)
{
	bool is_large = net->plan.topo->nnodes >= LARGE_NODES;
	int64_t nevents = 0, before;
	uint32_t what;

	while (wheel_take(&net->wheel, net->run.limit_ps, &what)) {
		nevents++;
		if (is_large)
			look_ahead(net, kind);
		if (what >> KIND_SHIFT == ARRIVE) { /* the channel, as ARRIVE is 0 */
			net->run.now = net->wheel.time;
			hop_arrive(net, (int32_t)what, kind, next, onward);
		} else {
			before = net->run.now;
			net->run.now = net->wheel.time;
			net_happen(net, what, before);
		}
	}
	net->run.nevents += nevents;
}

#endif
