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

HOP void hop_packet_take(struct net *net, int32_t packet)
{
	struct packet *p = &net->packets.at[packet];
	int32_t i = p->message;
	struct message *message = &net->messages.at[i];
	struct net_totals *totals = &net->counts.totals[message->owner];

	totals->packets++;
	totals->packet_hops += p->nhops;
	totals->nonminimal += p->flags & IS_NONMINIMAL;
	if (net->run.is_watched)
		hop_packet_watched(net, p);
	packets_free(&net->packets, packet);
	if (--message->npending > 0 || message->left > 0)
		return;
	if (net->run.is_watched && net->plan.params->nic_receive_ps > 0)
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
 * On large machines what the next events need is fetched into the cache while others happen, in
 * steps, each of which reads what the one before has fetched. So many events before its own:
 *
 *   PORT_AHEAD     the port that a packet comes by, or that may wake up, and who waits for it
 *   PACKET_AHEAD   the packet, and the port's ring of credits
 *   ONWARD_AHEAD   the port that the packet leaves by; at its node the message
 *
 * Where not even tables are near, also what comes between and behind:
 *
 *   FAR_PORT_AHEAD     a node's list of items
 *   FAR_PACKET_AHEAD   its first item
 *   TABLE_AHEAD        what the next hop is found with; at the node the message, the port by
 *                      which it answers and its items; of an item the rank
 *   FAR_ONWARD_AHEAD   the next hop is found, then its port; at the node the service's message
 *   RANK_AHEAD         the port of a detour that may be taken; at the node the rank
 *   MORE_AHEAD         what the rank will read
 *
 * Always inlined, because gcc takes a function that only fetches for one that does nothing, and
 * leaves the call out.
 */
enum { PORT_AHEAD = 14, PACKET_AHEAD = 9, ONWARD_AHEAD = 5 };
enum { FAR_PORT_AHEAD = 18, FAR_PACKET_AHEAD = 13, TABLE_AHEAD = 9, FAR_ONWARD_AHEAD = 6 };
enum { RANK_AHEAD = 4, MORE_AHEAD = 2 };

/* An event to come; NONE_AHEAD, if there is none. */
HOP uint32_t event_ahead(const struct net *net, int32_t ahead)
{
	return net->wheel.end - net->wheel.next > ahead ? (uint32_t)net->wheel.next[ahead]
							: EVENT(NONE_AHEAD, 0);
}

HOP uint32_t place_of(uint32_t what)
{
	return what & ((1U << KIND_SHIFT) - 1);
}

/* The first packet that waits for a channel, on its first virtual channel. */
HOP const struct queue *queue_ahead(const struct net *net, uint32_t wake)
{
	return &net->ports.queues[(size_t)place_of(wake) * (size_t)net->plan.nvcs];
}

HOP void port_ahead(const struct net *net, uint32_t what, enum hop_kind kind)
{
	if (what >> KIND_SHIFT == ARRIVE) {
		__builtin_prefetch(hop_port(net, (int32_t)what, kind), 1);
	} else if (what >> KIND_SHIFT == WAKE) {
		__builtin_prefetch(hop_port(net, (int32_t)place_of(what), kind), 1);
		__builtin_prefetch(queue_ahead(net, what), 1);
	}
}

HOP void packet_ahead(const struct net *net, uint32_t what, enum hop_kind kind)
{
	if (what >> KIND_SHIFT == ARRIVE) {
		const struct port *port = hop_port(net, (int32_t)what, kind);

		fetch_ahead(net->packets.at, port->first);
		if (!port->is_cut) /* else its credits are another partition's */
			__builtin_prefetch(&net->credits.at[port->ring], 1);
	} else if (what >> KIND_SHIFT == WAKE) {
		const struct port *port = hop_port(net, (int32_t)place_of(what), kind);

		fetch_ahead(net->packets.at, queue_ahead(net, what)->first);
		__builtin_prefetch(&net->credits.at[port->ring], 1);
	}
}

/* A port by which the packet may leave. */
HOP void out_ahead(const struct net *net, const struct packet *packet, int32_t channel,
		   enum hop_kind kind)
{
	int32_t base = kind == HOP_MIXED ? net_plane_base(net, packet->nic) : 0;

	__builtin_prefetch(hop_port(net, base + channel, kind), 1);
}

HOP void look_ahead(struct net *net, enum hop_kind kind)
{
	const struct packet *packet;
	uint32_t what;

	wheel_keep(&net->wheel, PORT_AHEAD, net->run.limit_ps);
	what = event_ahead(net, ONWARD_AHEAD);
	port_ahead(net, event_ahead(net, PORT_AHEAD), kind);
	packet_ahead(net, event_ahead(net, PACKET_AHEAD), kind);
	if (what >> KIND_SHIFT != ARRIVE)
		return;
	packet = &net->packets.at[hop_port(net, (int32_t)what, kind)->first];
	if (packet->onward >= 0)
		out_ahead(net, packet, packet->onward, kind);
	else
		__builtin_prefetch(&net->messages.at[packet->message], 1);
}

/* The next item of a node, if it is a timer of a service that looks ahead. */
HOP void timer_ahead(const struct net *net, int32_t node, enum net_step step)
{
	int32_t first = net->agenda.of_node[node].first;
	const struct net_events *events;
	const struct item *item;

	if (first == NOBODY || net->agenda.at[first].kind != TIMER)
		return;
	item = &net->agenda.at[first];
	events = &net->run.events[item->cookie >> NET_COOKIE_BITS];
	if (events->timer_ahead != NULL)
		events->timer_ahead(events->context, net_cookie_value(item->cookie), step);
}

/* The service of a packet's message, if it is the last one of it. */
HOP void message_ahead(const struct net *net, int32_t packet, enum net_step step)
{
	const struct message *message = &net->messages.at[net->packets.at[packet].message];
	const struct net_events *events = &net->run.events[message->cookie >> NET_COOKIE_BITS];

	if (events->ahead != NULL && message->npending <= 1 && message->left == 0)
		events->ahead(events->context, net_cookie_value(message->cookie), step);
}

HOP void table_ahead(const struct net *net, uint32_t what, enum hop_kind kind, hop_touch *touch)
{
	if (what >> KIND_SHIFT == ARRIVE) {
		const struct port *port = hop_port(net, (int32_t)what, kind);
		struct packet *packet = &net->packets.at[port->first];

		if (port->to < 0) {
			__builtin_prefetch(&net->messages.at[packet->message], 1);
			__builtin_prefetch(hop_port(net, (int32_t)what ^ 1, kind), 1);
			__builtin_prefetch(&net->agenda.of_node[-1 - port->to], 1);
		} else if (touch != NULL && packet->onward == LATER) {
			touch(net, port->to, packet);
		}
	} else if (what >> KIND_SHIFT == NODE) {
		/* most machines number the links of nodes first */
		__builtin_prefetch(hop_port(net, 2 * (int32_t)place_of(what), kind), 1);
		timer_ahead(net, (int32_t)place_of(what), NET_STEP_RANK);
	}
}

/* packet->onward is found, if it was left for LATER. Returns the first packet in flight. */
HOP struct packet *onward_find(struct net *net, const struct port *port, hop_onward *onward)
{
	struct packet *packet = &net->packets.at[port->first];

	if (packet->onward <= LATER)
		packet->onward = onward(net, port->to, packet);
	return packet;
}

HOP void onward_ahead(struct net *net, uint32_t what, enum hop_kind kind, hop_onward *onward)
{
	const struct packet *packet;
	const struct port *port;

	if (what >> KIND_SHIFT != ARRIVE)
		return;
	port = hop_port(net, (int32_t)what, kind);
	if (port->to < 0) {
		message_ahead(net, port->first, NET_STEP_MESSAGE);
		return;
	}
	packet = onward_find(net, port, onward);
	if (packet->onward >= 0)
		out_ahead(net, packet, packet->onward, kind);
	if (net->partition.crew != NULL) /* it may go to another partition: mail.c */
		__builtin_prefetch(&net->messages.at[packet->message], 1);
}

/* The port of a detour. */
HOP void detour_ahead(struct net *net, const struct port *port, enum hop_kind kind,
		      hop_aside *aside)
{
	struct packet *packet = &net->packets.at[port->first];
	int32_t channel;

	if (aside == NULL || packet->nhops > 0 || !(packet->flags & IS_UNDECIDED))
		return;
	channel = aside(net, port->to, packet);
	if (channel >= 0)
		out_ahead(net, packet, channel, kind);
}

/* What the service has of what comes to a node. */
HOP void service_ahead(struct net *net, uint32_t what, enum net_step step, enum hop_kind kind,
		       hop_aside *aside)
{
	if (what >> KIND_SHIFT == ARRIVE) {
		const struct port *port = hop_port(net, (int32_t)what, kind);

		if (port->to < 0)
			message_ahead(net, port->first, step);
		else if (step == NET_STEP_RANK)
			detour_ahead(net, port, kind, aside);
	} else if (what >> KIND_SHIFT == NODE && step == NET_STEP_MORE) {
		timer_ahead(net, (int32_t)place_of(what), step);
	}
}

/* The same where tables are far away. what: happens now. */
HOP void look_far_ahead(struct net *net, uint32_t what, enum hop_kind kind, hop_onward *onward,
			hop_touch *touch, hop_aside *aside)
{
	uint32_t first, second;

	wheel_keep(&net->wheel, FAR_PORT_AHEAD, net->run.limit_ps);
	first = event_ahead(net, FAR_PORT_AHEAD);
	second = event_ahead(net, FAR_PACKET_AHEAD);
	port_ahead(net, first, kind);
	if (first >> KIND_SHIFT == NODE)
		__builtin_prefetch(&net->agenda.of_node[place_of(first)], 1);
	packet_ahead(net, second, kind);
	if (second >> KIND_SHIFT == NODE)
		fetch_ahead(net->agenda.at, net->agenda.of_node[place_of(second)].first);
	table_ahead(net, event_ahead(net, TABLE_AHEAD), kind, touch);
	onward_ahead(net, event_ahead(net, FAR_ONWARD_AHEAD), kind, onward);
	service_ahead(net, event_ahead(net, RANK_AHEAD), NET_STEP_RANK, kind, aside);
	service_ahead(net, event_ahead(net, MORE_AHEAD), NET_STEP_MORE, kind, aside);
	if (what >> KIND_SHIFT == ARRIVE)
		onward_find(net, hop_port(net, (int32_t)what, kind), onward);
	pool_fetch(&net->packets, 0);
	pool_fetch(&net->messages, 0);
	wheel_fetch(&net->wheel);
}

/* An event that is not an arrival; before: the time before it. */
HOP void hop_happen(struct net *net, uint32_t what, int64_t before, enum hop_kind kind,
		    hop_begin *begin, hop_onward *onward)
{
	int32_t place = (int32_t)place_of(what);

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
	case NONE_AHEAD:
		break;
	}
}

/* All events up to net->run.limit_ps, which may come closer meanwhile. reach, a constant:
 * net->run.reach. */
HOP void hop_run(struct net *net, enum hop_kind kind, enum net_reach reach, hop_next *next,
		 hop_begin *begin, hop_onward *onward, hop_touch *touch, hop_aside *aside)
{
	int64_t ntaken = wheel_ntaken(&net->wheel);
	uint32_t what;

	while (wheel_take(&net->wheel, net->run.limit_ps, &what)) {
		if (reach == NET_FAR)
			look_far_ahead(net, what, kind, onward, touch, aside);
		else if (reach == NET_LARGE)
			look_ahead(net, kind);
		if (what < EVENT(READY, 0)) { /* ARRIVE: the channel */
			net->run.now = net->wheel.time;
			hop_arrive(net, (int32_t)what, kind, next, onward);
		} else {
			int64_t before = net->run.now;

			net->run.now = net->wheel.time;
			hop_happen(net, what, before, kind, begin, onward);
		}
	}
	net->run.nevents += wheel_ntaken(&net->wheel) - ntaken;
}

/* name_small, name_large and name_far: forward_hops.run. */
#define HOP_RUNS(name, kind, next, begin, onward, touch, aside)                                    \
	static void name##_small(struct net *net)                                                  \
	{                                                                                          \
		hop_run(net, kind, NET_SMALL, next, begin, onward, touch, aside);                  \
	}                                                                                          \
	static void name##_large(struct net *net)                                                  \
	{                                                                                          \
		hop_run(net, kind, NET_LARGE, next, begin, onward, touch, aside);                  \
	}                                                                                          \
	static void name##_far(struct net *net)                                                    \
	{                                                                                          \
		hop_run(net, kind, NET_FAR, next, begin, onward, touch, aside);                    \
	}

#endif
