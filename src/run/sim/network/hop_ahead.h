/* hop_ahead.h - on large machines what the next events need is fetched into the cache before, in a
 * form that is put into the functions of each kind of machine */
#ifndef SIM_NETWORK_HOP_AHEAD_H
#define SIM_NETWORK_HOP_AHEAD_H

#include "sim/network/hop.h"

/*
 * So many events before its own, in steps, each of which reads what the one before has fetched. Far
 * is where not even tables are near.
 *
 *   large far   an arrival at a router      an arrival at a node           an item of a node
 *    14   18    the port that it comes by   the same                       (far) its list
 *     9   13    packet, ring of credits     the same                       (far) itself
 *     -    9    what finds the next hop     message, port to answer by,    its NIC's port, the rank
 *                                           items
 *     5    6    the next hop, its port      message; far: the service's    -
 *     -    4    the port of a detour        the rank                       -
 *     -    2    -                           what the rank reads            the same
 *
 * A WAKE is looked at as an arrival in the first two.
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

/* ---- steps ---- */

HOP void port_ahead(const struct net *net, uint32_t what, enum hop_kind kind)
{
	if (kind_of(what) != ARRIVE && kind_of(what) != WAKE)
		return;
	__builtin_prefetch(hop_port(net, place_of(what), kind), 1);
	if (kind_of(what) == WAKE) /* who waits, on the first virtual channel */
		fetch_ahead(net->ports.queues, place_of(what) * net->plan.nvcs);
}

HOP void packet_ahead(const struct net *net, uint32_t what, enum hop_kind kind)
{
	const struct port *port;
	int32_t packet;

	if (kind_of(what) != ARRIVE && kind_of(what) != WAKE)
		return;
	port = hop_port(net, place_of(what), kind);
	packet = port->first;
	if (kind_of(what) == WAKE)
		packet = net->ports.queues[(size_t)place_of(what) * (size_t)net->plan.nvcs].first;
	fetch_ahead(net->packets.at, packet);
	if (!port->is_cut) /* else its credits are another partition's */
		__builtin_prefetch(&net->credits.at[port->ring], 1);
}

/* A port by which the packet may leave. */
HOP void out_ahead(const struct net *net, const struct packet *packet, int32_t channel,
		   enum hop_kind kind)
{
	int32_t base = kind == HOP_MIXED ? net_plane_base(net, packet->nic) : 0;

	__builtin_prefetch(hop_port(net, base + channel, kind), 1);
}

/* Lets the service fetch what it needs when its timer rings, if that is a node's next item. */
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

/* The same when a packet comes that is the last one of its message. */
HOP void message_ahead(const struct net *net, int32_t packet, enum net_step step)
{
	const struct message *message = &net->messages.at[net->packets.at[packet].message];
	const struct net_events *events = &net->run.events[message->cookie >> NET_COOKIE_BITS];

	if (events->ahead != NULL && message->npending <= 1 && message->left == 0)
		events->ahead(events->context, net_cookie_value(message->cookie), step);
}

HOP void table_ahead(const struct net *net, uint32_t what, enum hop_kind kind, hop_touch *touch)
{
	const struct port *port;
	struct packet *packet;

	if (kind_of(what) == NODE) {
		/* most machines number the links of nodes first */
		__builtin_prefetch(hop_port(net, 2 * place_of(what), kind), 1);
		timer_ahead(net, place_of(what), NET_STEP_RANK);
	}
	if (kind_of(what) != ARRIVE)
		return;
	port = hop_port(net, place_of(what), kind);
	packet = &net->packets.at[port->first];
	if (port->to < 0) {
		__builtin_prefetch(&net->messages.at[packet->message], 1);
		__builtin_prefetch(hop_port(net, place_of(what) ^ 1, kind), 1);
		__builtin_prefetch(&net->agenda.of_node[-1 - port->to], 1);
	} else if (touch != NULL && packet->onward == LATER) {
		touch(net, port->to, packet);
	}
}

/* Finds the next hop of the packet that comes first, if that was left for LATER; returns it. */
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

	if (kind_of(what) != ARRIVE)
		return;
	port = hop_port(net, place_of(what), kind);
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

/* Of a packet that will decide at its first router, and finds the link there busy. */
HOP void detour_ahead(struct net *net, int router, struct packet *packet, enum hop_kind kind,
		      hop_aside *aside)
{
	int32_t base = kind == HOP_MIXED ? net_plane_base(net, packet->nic) : 0, channel;

	if (packet->nhops > 0 || !(packet->flags & IS_UNDECIDED) || packet->onward < 0 ||
	    port_backlog(net, hop_port(net, base + packet->onward, kind)) == 0)
		return;
	channel = aside(net, router, packet);
	if (channel >= 0)
		out_ahead(net, packet, channel, kind);
}

HOP void rank_ahead(struct net *net, uint32_t what, enum hop_kind kind, hop_aside *aside)
{
	const struct port *port;

	if (kind_of(what) != ARRIVE)
		return;
	port = hop_port(net, place_of(what), kind);
	if (port->to < 0)
		message_ahead(net, port->first, NET_STEP_RANK);
	else if (aside != NULL)
		detour_ahead(net, port->to, &net->packets.at[port->first], kind, aside);
}

HOP void more_ahead(const struct net *net, uint32_t what, enum hop_kind kind)
{
	const struct port *port;

	if (kind_of(what) == NODE)
		timer_ahead(net, place_of(what), NET_STEP_MORE);
	if (kind_of(what) != ARRIVE)
		return;
	port = hop_port(net, place_of(what), kind);
	if (port->to < 0)
		message_ahead(net, port->first, NET_STEP_MORE);
}

/* ---- all ---- */

HOP void look_ahead(struct net *net, enum hop_kind kind)
{
	const struct packet *packet;
	uint32_t what;

	wheel_keep(&net->wheel, PORT_AHEAD, net->run.limit_ps);
	port_ahead(net, event_ahead(net, PORT_AHEAD), kind);
	packet_ahead(net, event_ahead(net, PACKET_AHEAD), kind);
	what = event_ahead(net, ONWARD_AHEAD);
	if (kind_of(what) != ARRIVE)
		return;
	packet = &net->packets.at[hop_port(net, place_of(what), kind)->first];
	if (packet->onward >= 0)
		out_ahead(net, packet, packet->onward, kind);
	else
		__builtin_prefetch(&net->messages.at[packet->message], 1);
}

/* The same of the far form. what: was taken out, and happens next. */
HOP void look_far_ahead(struct net *net, uint32_t what, enum hop_kind kind, hop_onward *onward,
			hop_touch *touch, hop_aside *aside)
{
	uint32_t first, second;

	wheel_keep(&net->wheel, FAR_PORT_AHEAD, net->run.limit_ps);
	first = event_ahead(net, FAR_PORT_AHEAD);
	second = event_ahead(net, FAR_PACKET_AHEAD);
	port_ahead(net, first, kind);
	if (kind_of(first) == NODE)
		__builtin_prefetch(&net->agenda.of_node[place_of(first)], 1);
	packet_ahead(net, second, kind);
	if (kind_of(second) == NODE)
		fetch_ahead(net->agenda.at, net->agenda.of_node[place_of(second)].first);
	table_ahead(net, event_ahead(net, TABLE_AHEAD), kind, touch);
	onward_ahead(net, event_ahead(net, FAR_ONWARD_AHEAD), kind, onward);
	rank_ahead(net, event_ahead(net, RANK_AHEAD), kind, aside);
	more_ahead(net, event_ahead(net, MORE_AHEAD), kind);
	if (kind_of(what) == ARRIVE) /* it may have been made too late to be looked at */
		onward_find(net, hop_port(net, place_of(what), kind), onward);
	pool_fetch(&net->packets, 0);
	pool_fetch(&net->messages, 0);
	wheel_fetch(&net->wheel);
}

#endif
