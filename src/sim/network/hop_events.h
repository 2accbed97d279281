/* hop_events.h - the events of a run, in a form that is put into the functions of each kind of
 * machine */
#ifndef SIM_NETWORK_HOP_EVENTS_H
#define SIM_NETWORK_HOP_EVENTS_H

#include "sim/network/hop_wait.h"

/* ---- messages that have come ---- */

/* nic.c: the NIC has the message, and the node a while later. */
void net_comes_later(struct net *net, int32_t message);

/* Notifies the service that the message has arrived, or that it has left. */
HOP void hop_call(struct net *net, uint64_t cookie, bool has_come)
{
	const struct net_events *events = &net->run.events[cookie >> NET_COOKIE_BITS];
	void (*function)(void *, uint64_t) = has_come ? events->delivered : events->injected;

	if (function != NULL)
		function(events->context, net_cookie_value(cookie));
}

/* totals: of its owner */
HOP void hop_message_come(struct net *net, int32_t message, struct net_totals *totals)
{
	struct message *m = &net->messages.at[message];
	uint64_t cookie = m->cookie;

	totals->messages++;
	totals->bytes += m->bytes;
	net->messages.nopen--;
	if (net->counts.counts_hops)
		net->counts.came_hops = net->counts.hops_of[message];
	if (!hop_is_here(net, m->src))
		net_mail_is_whole(net, m);
	if (!m->wants_left || m->has_left)
		pool_give(&net->messages, message);
	else
		m->has_come = true;
	hop_call(net, cookie, true);
}

HOP void hop_packet_take(struct net *net, int32_t packet)
{
	const struct packet *p = &net->packets.at[packet];
	int32_t i = p->message;
	struct message *message = &net->messages.at[i];
	struct net_totals *totals = &net->counts.totals[message->owner];

	totals->packets++;
	totals->packet_hops += p->nhops;
	totals->nonminimal += p->flags & IS_NONMINIMAL;
	if (net->counts.counts_hops) {
		net->counts.hops_of[i].packets++;
		net->counts.hops_of[i].packet_hops += p->nhops;
	}
	if (net->forward.type->end != NULL)
		net->forward.type->end(net, &net->packets.at[packet]);
	packets_free(&net->packets, packet);
	if (--message->npending > 0 || message->left > 0)
		return;
	if (net->plan.params->nic_receive_ps > 0)
		net_comes_later(net, i);
	else
		hop_message_come(net, i, totals);
}

/* ---- events ---- */

/* A packet has come by channel. */
HOP void hop_arrive(struct net *net, int32_t channel, enum hop_kind kind, hop_next *next,
		    hop_onward *onward)
{
	struct port *in = hop_port(net, channel, kind);
	int32_t packet;

	if (kind == HOP_ANY) {
		net_arrive(net, channel);
		return;
	}
	packet = hop_land(net, in);
	if (in->to >= 0)
		hop_go_on(net, in, packet, kind, next, onward);
	else if (kind != HOP_MIXED || net->nics.nheld == NULL || !net_requests_keep(net, packet))
		hop_packet_take(net, packet);
}

/*
 * On large machines what the next events need is fetched into the cache while this one happens: the
 * port that a packet comes by or waits for first, then the packet, the port's ring of credits, and
 * the port that it leaves by or where it came by, or else its message. Always inlined, because gcc
 * takes a function that only fetches for one that does nothing, and leaves the call out.
 */
enum { LARGE_NODES = 512, PORT_AHEAD = 14, PACKET_AHEAD = 9, ONWARD_AHEAD = 5 };
enum { SERVICE_AHEAD = 4, SERVICE_NEAR = 2 };

/* An event to come; one at a node, of which nothing is fetched, if there is none. */
HOP uint32_t event_ahead(const struct net *net, int32_t ahead)
{
	const uint64_t *next = net->wheel.next + ahead;

	return next < net->wheel.end ? (uint32_t)*next : EVENT(NODE, 0);
}

/* The first packet that waits for a channel, on its first virtual channel. */
HOP const struct queue *queue_ahead(const struct net *net, uint32_t wake)
{
	size_t channel = wake - EVENT(WAKE, 0);

	return &net->ports.queues[channel * (size_t)net->plan.nvcs];
}

/* Where a packet comes to its node: the service of its message. */
HOP void service_ahead(const struct net *net, int32_t ahead, enum hop_kind kind)
{
	uint32_t what = event_ahead(net, ahead);
	const struct packet *packet;
	const struct net_events *events;
	uint64_t cookie;

	if (what >> KIND_SHIFT != ARRIVE)
		return;
	packet = &net->packets.at[hop_port(net, (int32_t)what, kind)->first];
	if (packet->onward >= 0)
		return;
	cookie = net->messages.at[packet->message].cookie;
	events = &net->run.events[cookie >> NET_COOKIE_BITS];
	if (events->ahead != NULL)
		events->ahead(events->context, net_cookie_value(cookie), ahead == SERVICE_NEAR);
}

HOP void look_ahead(const struct net *net, enum hop_kind kind)
{
	uint32_t far = event_ahead(net, PORT_AHEAD), middle = event_ahead(net, PACKET_AHEAD);
	uint32_t near = event_ahead(net, ONWARD_AHEAD);

	if (far >> KIND_SHIFT == ARRIVE) {
		__builtin_prefetch(hop_port(net, (int32_t)far, kind), 1);
	} else if (far >> KIND_SHIFT == WAKE) {
		__builtin_prefetch(hop_port(net, (int32_t)(far - EVENT(WAKE, 0)), kind), 1);
		__builtin_prefetch(queue_ahead(net, far), 1);
	}
	if (middle >> KIND_SHIFT == ARRIVE) {
		const struct port *port = hop_port(net, (int32_t)middle, kind);

		__builtin_prefetch(&net->packets.at[port->first], 1);
		__builtin_prefetch(&net->credits.at[port->ring], 1);
	} else if (middle >> KIND_SHIFT == WAKE) {
		const struct port *port = hop_port(net, (int32_t)(middle - EVENT(WAKE, 0)), kind);

		__builtin_prefetch(&net->packets.at[queue_ahead(net, middle)->first], 1);
		__builtin_prefetch(&net->credits.at[port->ring], 1);
	}
	if (near >> KIND_SHIFT == ARRIVE) {
		const struct packet *packet =
			&net->packets.at[hop_port(net, (int32_t)near, kind)->first];

		if (packet->onward >= 0)
			__builtin_prefetch(
				hop_port(
					net,
					(kind == HOP_MIXED ? net_plane_base(net, packet->nic) : 0) +
						packet->onward,
					kind),
				1);
		else
			__builtin_prefetch(&net->messages.at[packet->message], 1);
	}
	if (net->run.events[NET_MPI].ahead != NULL) {
		service_ahead(net, SERVICE_AHEAD, kind);
		service_ahead(net, SERVICE_NEAR, kind);
	}
}

/* An event that is not an arrival; before: the time before it. */
HOP void hop_happen(struct net *net, uint32_t what, int64_t before, enum hop_kind kind,
		    hop_begin *begin, hop_onward *onward)
{
	int32_t place = (int32_t)(what & ((1U << KIND_SHIFT) - 1));

	switch ((enum event_kind)(what >> KIND_SHIFT)) {
	case ARRIVE:
		break;
	case READY:
		hop_ready(net, place, kind, onward);
		break;
	case WAKE:
		if (!hop_wake(net, place, kind, begin, onward)) {
			net->run.now = before;
			net->run.nevents--;
		}
		break;
	case PUMP:
		hop_nic_due(net, place, kind, begin, onward);
		break;
	case HEAD:
		net_head(net, place);
		break;
	case NODE:
		net_agenda_next(net, place);
		break;
	}
}

/* All events up to net->run.limit_ps, which may come closer meanwhile. */
HOP void hop_run(struct net *net, enum hop_kind kind, hop_next *next, hop_begin *begin,
		 hop_onward *onward)
{
	bool is_large = net->plan.topo->nnodes >= LARGE_NODES;
	int64_t ntaken = wheel_ntaken(&net->wheel), before;
	uint32_t what;

	while (wheel_take(&net->wheel, net->run.limit_ps, &what)) {
		if (is_large)
			look_ahead(net, kind);
		before = net->run.now;
		net->run.now = net->wheel.time;
		if (what < EVENT(READY, 0)) /* ARRIVE: the channel */
			hop_arrive(net, (int32_t)what, kind, next, onward);
		else
			hop_happen(net, what, before, kind, begin, onward);
	}
	net->run.nevents += wheel_ntaken(&net->wheel) - ntaken;
}

#endif
