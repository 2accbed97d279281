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
	HOP_MIXED, /* no output buffers, counters of virtual channels and stalls, published loads */
	/* nor several NICs or planes, links of different speed, second class */
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
/* The onward of far runs, which find the next hop shortly before it is needed: hop_ahead.h. */
HOP int32_t hop_later(struct net *net, int router, const struct packet *packet)
{
	(void)net, (void)router, (void)packet;
	return LATER;
}
/* Fetches what hop_onward will read into the cache. May leave a hint for it in packet->onward,
 * below LATER. NULL: that is near anyway. */
typedef void hop_touch(const struct net *net, int router, struct packet *packet);
/* The first channel of the detour that a packet will look at in its first router, which it is on
 * the way to; NOBODY: none. NULL: it is not known before. */
typedef int32_t hop_aside(struct net *net, int router, struct packet *packet);
typedef void hop_begin(struct net *net, int32_t up, struct packet *packet);

/* hop.c */
void net_wake_at(struct net *net, int32_t channel, int64_t time);
/* The packet will be ready to leave by channel, on vc, after lag. */
void net_lag_behind(struct net *net, int32_t packet, int32_t channel, int vc, int64_t lag_ps);
/* The packet waits behind others, or begins to wait, for credits of a port. */
void net_line_up(struct net *net, int32_t packet, int32_t channel, int vc);

/* bytes of vc will be free again at the sending end of channel, which is in this partition, from
 * time on. */
HOP void hop_give_here(struct net *net, struct port *port, int32_t channel, int vc, int32_t bytes,
		       int64_t time)
{
	if (port->nfree == 0)
		credits_make_room(&net->credits, port, net->run.now);
	net->credits.at[port->ring + --port->nfree] = (struct credit){time, bytes, vc};
	if (port->blocked != 0 && port->blocked >> vc & 1 &&
	    (uint64_t)net->ports.rests[channel].wake - 1 > (uint64_t)time) /* or there is none */
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
 * The packet leaves by channel at depart_ps, not before now: port->free_ps is when its tail has.
 * Returns when it comes.
 */
HOP int64_t hop_depart(struct net *net, struct port *port, struct packet *p, int32_t channel,
		       int vc, int64_t depart_ps, enum hop_kind kind, hop_onward *onward)
{
	const struct net_level *level = &net->plan.levels[port->level];
	int64_t takes = send_ps(net, port, p->bytes);

	if (!port->is_touched)
		ports_touch(&net->ports, channel);
	port->free_ps = depart_ps + takes;
	port->bytes += p->bytes;
	port->npackets++;
	if (kind == HOP_ANY && channel >= net->plan.nchannels) {
		port->credit[vc] -= p->bytes;
		return depart_ps + level->latency_ps;
	}
	if (port->to >= 0) {
		port->credit[vc] -= p->bytes;
		p->onward = onward(net, port->to, p);
		return depart_ps + level->router_ps + (takes & net->plan.router_takes);
	}
	port->credit[vc] -= kind <= HOP_MIXED && net->nics.nheld != NULL ? p->bytes : 0;
	p->onward = NOBODY;
	return depart_ps + level->latency_ps + (takes & net->plan.node_takes);
}

/* A fast link waits until it can take the packet without a gap: so long. */
HOP int64_t hop_lag(const struct net *net, const struct port *in, const struct port *out,
		    int32_t bytes)
{
	return send_ps(net, in, bytes) - send_ps(net, out, bytes);
}

/* The packet's place in the buffer that it is in, behind port in, gets free at that time, and the
 * credit for it goes back. */
HOP void hop_vacate(struct net *net, struct port *in, const struct packet *p, int64_t time)
{
	hop_give(net, in, p->channel, p->vc, p->bytes,
		 time + net->plan.levels[in->level].credit_ps);
}

/* From now on it is on its way by channel. */
HOP void hop_enter(struct packet *p, int32_t channel, int vc)
{
	p->channel = channel;
	p->vc = (uint8_t)vc;
}

/* What few networks do when a packet has come. */
HOP void hop_packet_watched(struct net *net, struct packet *packet)
{
	if (net->counts.counts_hops) {
		net->counts.hops_of[packet->message].packets++;
		net->counts.hops_of[packet->message].packet_hops += packet->nhops;
	}
	if (net->forward.type->end != NULL)
		net->forward.type->end(net, packet);
}

/* Counts a packet at its node, which is none of the message's any more. is_watched, a constant:
 * net->run.is_watched */
HOP void hop_count(struct net *net, int32_t packet, struct net_totals *totals, bool is_watched)
{
	struct packet *p = &net->packets.at[packet];

	totals->packets++;
	totals->packet_hops += p->nhops;
	totals->nonminimal += p->flags & IS_NONMINIMAL;
	if (is_watched)
		hop_packet_watched(net, p);
	packets_free(&net->packets, packet);
}

/* hop.c: the same of what is watched */
void net_count_watched(struct net *net, int32_t packet, struct net_totals *totals);

/* A packet leaves the last router by port. All packets of a message go that way, one after the
 * other, so only the last one has to come at its time. Returns whether that was all. */
HOP bool hop_is_done(struct net *net, const struct port *port, int32_t packet)
{
	struct message *message;

	if (port->to >= 0 || !net->run.counts_early)
		return false;
	message = &net->messages.at[net->packets.at[packet].message];
	if (message->npending <= 1 && message->left == 0)
		return false;
	message->npending--;
	if (net->run.is_watched)
		net_count_watched(net, packet, &net->counts.totals[message->owner]);
	else
		hop_count(net, packet, &net->counts.totals[message->owner], false);
	return true;
}

/* The packet leaves by channel at depart_ps; in: the port by which it came, NULL: it is at its
 * node. */
HOP void hop_commit(struct net *net, struct port *in, struct port *port, int32_t packet,
		    int32_t channel, int vc, int64_t depart_ps, enum hop_kind kind,
		    hop_onward *onward)
{
	struct packet *p = &net->packets.at[packet];
	int64_t arrive;

	if (kind == HOP_ANY) {
		net_commit(net, port, packet, channel, vc, depart_ps);
		return;
	}
	arrive = hop_depart(net, port, p, channel, vc, depart_ps, kind, onward);
	if (in != NULL)
		hop_vacate(net, in, p, port->free_ps);
	if (hop_is_done(net, port, packet))
		return;
	hop_enter(p, channel, vc);
	hop_fly(net, port, packet, channel, arrive);
}

/* The packet, of so many bytes, has come by port in, and is at the router before channel. */
HOP void hop_pass(struct net *net, struct port *in, int32_t packet, int32_t bytes, int32_t channel,
		  int vc, enum hop_kind kind, hop_onward *onward)
{
	struct port *port = hop_port(net, channel, kind);

	if ((port->blocked != 0 && port->blocked >> vc & 1) ||
	    !hop_has_credit(net, port, vc, bytes))
		net_line_up(net, packet, channel, vc);
	else
		hop_commit(net, in, port, packet, channel, vc,
			   port->free_ps > net->run.now ? port->free_ps : net->run.now, kind,
			   onward);
}

/* The packet's next hop from the router that it has reached by port in. */
HOP void hop_go_on(struct net *net, struct port *in, int32_t packet, enum hop_kind kind,
		   hop_next *next, hop_onward *onward)
{
	struct packet *p = &net->packets.at[packet];
	int32_t channel;
	int vc;

	p->nhops++;
	if (kind == HOP_MIXED)
		net->copies.base = net_plane_base(net, p->nic);
	channel = next(net, in->to, p, &vc);
	if (kind == HOP_MIXED) {
		channel = net->copies.nnics > 1 ? net_copy_of(net, channel, p->nic) : channel;
		vc += p->flags & IS_ANSWER ? net->plan.class_vcs : 0;
		if (net->plan.has_lag) {
			int64_t lag = hop_lag(net, in, hop_port(net, channel, kind), p->bytes);

			if (lag > 0) {
				net_lag_behind(net, packet, channel, vc, lag);
				return;
			}
		}
	}
	hop_pass(net, in, packet, p->bytes, channel, vc, kind, onward);
}

/* It was READY behind in for the channel that it waited for. */
HOP void hop_ready(struct net *net, int32_t channel, enum hop_kind kind, hop_onward *onward)
{
	int32_t packet = net_lagging_take(net, channel);
	struct packet *p = &net->packets.at[packet];
	int vc = p->flags >> VC_SHIFT;

	p->flags &= (1 << VC_SHIFT) - 1;
	hop_pass(net, hop_port(net, channel, kind), packet, p->bytes, p->onward, vc, kind, onward);
}

/* In this partition. */
HOP bool hop_is_here(const struct net *net, int32_t node)
{
	return net->partition.crew == NULL || net_part_at(net, node) == net->partition.number;
}

#endif
