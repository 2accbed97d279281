/* hop_events.h - the events of a run, in a form that is put into the functions of each kind of
 * machine */
#ifndef SIM_NETWORK_HOP_EVENTS_H
#define SIM_NETWORK_HOP_EVENTS_H

#include "sim/network/hop_ahead.h"
#include "sim/network/hop_wait.h"

/* ---- messages that have come ---- */

/* nic.c: the NIC has the message, and the node a while later. */
void net_comes_later(struct net *net, int32_t message);
/* The same as hop_packet_come of what is watched. */
void net_packet_watched(struct net *net, int32_t packet);

/* Notifies the service that the message has arrived, or that it has left. */
HOP void hop_call(struct net *net, uint64_t cookie, bool has_come)
{
	const struct net_events *events = &net->run.events[cookie >> NET_COOKIE_BITS];
	void (*function)(void *, uint64_t) = has_come ? events->delivered : events->injected;

	if (function != NULL)
		function(events->context, net_cookie_value(cookie));
}

/* totals: of its owner; is_watched, a constant: net->run.is_watched */
HOP void hop_message_come(struct net *net, int32_t message, struct net_totals *totals,
			  bool is_watched)
{
	struct message *m = &net->messages.at[message];
	uint64_t cookie = m->cookie;

	totals->messages++;
	totals->bytes += m->bytes;
	net->messages.nopen--;
	if (is_watched && net->counts.counts_hops)
		net->counts.came_hops = net->counts.hops_of[message];
	if (!hop_is_here(net, m->src))
		net_mail_is_whole(net, m);
	if (!m->wants_left || m->has_left)
		pool_give(&net->messages, message);
	else
		m->has_come = true;
	hop_call(net, cookie, true);
}

/* is_watched as above */
HOP void hop_packet_come(struct net *net, int32_t packet, bool is_watched)
{
	int32_t i = net->packets.at[packet].message;
	struct message *message = &net->messages.at[i];
	struct net_totals *totals = &net->counts.totals[message->owner];

	hop_count(net, packet, totals, is_watched);
	if (--message->npending > 0 || message->left > 0)
		return;
	if (is_watched && net->plan.params->nic_receive_ps > 0)
		net_comes_later(net, i);
	else
		hop_message_come(net, i, totals, is_watched);
}

HOP void hop_packet_take(struct net *net, int32_t packet)
{
	if (net->run.is_watched)
		net_packet_watched(net, packet);
	else
		hop_packet_come(net, packet, false);
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

/* An event that is not an arrival; before: the time before it. */
HOP void hop_happen(struct net *net, uint32_t what, int64_t before, enum hop_kind kind,
		    hop_begin *begin, hop_onward *onward)
{
	int32_t place = place_of(what);

	switch (kind_of(what)) {
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
		if (kind_of(what) == ARRIVE) {
			net->run.now = net->wheel.time;
			hop_arrive(net, place_of(what), kind, next,
				   reach == NET_FAR ? hop_later : onward);
		} else {
			int64_t before = net->run.now;

			net->run.now = net->wheel.time;
			hop_happen(net, what, before, kind, begin,
				   reach == NET_FAR ? hop_later : onward);
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
