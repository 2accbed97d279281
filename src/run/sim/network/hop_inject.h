/* hop_inject.h - a message of one packet that leaves its node at once, in a form that is put into
 * the functions of each kind of machine */
#ifndef SIM_NETWORK_HOP_INJECT_H
#define SIM_NETWORK_HOP_INJECT_H

#include "sim/network/hop_nic.h"

typedef int hop_ends(struct net *net, int a, int b, int32_t *up, int32_t *out);

/* nic.c: any message, by any NIC */
int64_t net_send_any(struct net *net, const struct net_message *given);
/* That the message leaves at that time is an event. */
void net_leaves_at(struct net *net, int32_t message, int64_t time);

/* Whether so many bytes can leave by an idle NIC now. */
HOP bool hop_can_leave(struct net *net, struct port *port, int32_t bytes)
{
	int64_t ahead = port->free_ps - net->run.now;

	return port->blocked == 0 &&
	       (ahead <= 0 ||
		ahead <= PACKETS_AHEAD * send_ps(net, port, net->plan.whole_packet)) &&
	       hop_has_credit(net, port, 0, bytes);
}

HOP int64_t hop_inject(struct net *net, const struct net_message *given, enum hop_kind kind,
		       hop_ends *ends, hop_begin *begin, hop_onward *onward)
{
	int64_t left = given->bytes + net->plan.params->message_header_bytes, depart_ps, left_ps,
		arrive_ps;
	int service = (int)(given->cookie >> NET_COOKIE_BITS);
	bool wants_left = !given->skips_injected && net->run.events[service].injected != NULL;
	int32_t up, out, bytes, i, k;
	struct port *port;
	struct packet *packet;

	if (left > net->run.inject_most || given->ready_ps > net->run.now ||
	    given->src == given->dst || ends(net, given->src, given->dst, &up, &out) != 0)
		return net_send_any(net, given);
	port = hop_port(net, up, kind);
	bytes = hop_packet_bytes(net, left, given->bytes);
	if (port->has_queue || !hop_can_leave(net, port, bytes))
		return net_send_any(net, given);
	i = pool_take(&net->messages);
	net->messages.at[i] = (struct message){
		.cookie = given->cookie,
		.ready_ps = net->run.now,
		.bytes = given->bytes,
		.src = given->src,
		.dst = given->dst,
		.up = up,
		.out = out,
		.next = NOBODY,
		.npending = 1,
		.owner = service * net->counts.nowners + given->owner,
		.traffic_class = given->traffic_class,
		.wants_left = wants_left && !given->asks_left,
	};
	net->messages.nopen++;
	if (!hop_is_here(net, given->dst))
		net_mail_message(net, i);
	k = packets_new(&net->packets);
	packet = &net->packets.at[k];
	*packet = (struct packet){.message = i, .bytes = bytes, .out = out};
	begin(net, up, packet);
	depart_ps = port->free_ps > net->run.now ? port->free_ps : net->run.now;
	arrive_ps = net->run.reach == NET_FAR
			    ? hop_depart(net, port, packet, up, 0, depart_ps, kind, hop_later)
			    : hop_depart(net, port, packet, up, 0, depart_ps, kind, onward);
	hop_enter(packet, up, 0);
	hop_fly(net, port, k, up, arrive_ps);
	left_ps = port->free_ps;
	port->free_ps += net->plan.params->packet_gap_ps;
	if (!wants_left)
		return -1;
	if (given->asks_left)
		return left_ps;
	net_leaves_at(net, i, left_ps);
	return -1;
}

#endif
