/* hop_nic.h - packets that leave their node, in a form that is put into the functions of each kind
 * of machine */
#ifndef SIM_NETWORK_HOP_NIC_H
#define SIM_NETWORK_HOP_NIC_H

#include "sim/network/hop.h"

/*
 * Packets of one queue leave in its order whatever happens, so a NIC may give its link more than
 * one at a time: what leaves within so many times of a whole packet from now. With several queues
 * each packet is decided on when it leaves.
 */
enum { PACKETS_AHEAD = 4 };

/* nic.c */
/* The NIC of a channel is looked at again at that time. */
void net_pump_at(struct net *net, int32_t channel, int64_t time);
/* The last packet of a message was made; its last byte leaves at that time. */
void net_made_last(struct net *net, int32_t message, int64_t time);

/* Of the next packet of a message on a channel, of which so many bytes were not sent yet. */
HOP int32_t hop_packet_bytes(const struct net *net, int64_t left, int64_t message_bytes)
{
	const struct sim_params *params = net->plan.params;
	int64_t flit = params->flit_bytes, bytes = left + params->header_bytes;

	if (left >= params->packet_bytes || (message_bytes == 0 && params->has_whole_empties))
		return net->plan.whole_packet;
	if (flit == 1) /* no flits, bytes: a message of nothing takes none */
		return (int32_t)bytes;
	return (int32_t)(bytes < flit ? flit : (bytes + flit - 1) / flit * flit);
}

/* The virtual channel of a queue's class by which packets leave the node. */
HOP int hop_vc_of_queue(const struct net *net, int q)
{
	return q < net->nics.class_queues ? 0 : net->plan.class_vcs;
}

/* The queue that comes next and has a message that is ready, of those whose class does not wait for
 * credits; −1: none, and *ready_ps becomes the time when the first one will have. */
HOP int hop_choose_queue(const struct net *net, int32_t nic, uint16_t blocked, int64_t *ready_ps)
{
	int nqueues = net->nics.nqueues, q = net->nics.at[nic].turn;
	const struct queue *queues = &net->nics.queues[nic * nqueues];

	*ready_ps = INT64_MAX;
	for (int k = 0; k < nqueues; k++, q = q + 1 < nqueues ? q + 1 : 0) {
		int32_t first = queues[q].first;
		int64_t ready;

		if (first == NOBODY || (blocked != 0 && blocked >> hop_vc_of_queue(net, q) & 1))
			continue;
		ready = net->messages.at[first].ready_ps;
		if (ready <= net->run.now)
			return q;
		if (ready < *ready_ps)
			*ready_ps = ready;
	}
	return -1;
}

HOP void hop_make_packet(struct net *net, int32_t channel, int32_t message, int vc,
			 int64_t depart_ps, enum hop_kind kind, hop_begin *begin,
			 hop_onward *onward)
{
	int32_t i = packets_new(&net->packets);
	struct packet *packet = &net->packets.at[i];
	struct message *m = &net->messages.at[message];
	struct port *port = hop_port(net, channel, kind);
	int64_t most = net->plan.params->packet_bytes;

	*packet = (struct packet){.message = message,
				  .channel = NOBODY,
				  .bytes = hop_packet_bytes(net, m->left, m->bytes),
				  .out = m->out,
				  .flags = vc > 0 ? IS_ANSWER : 0,
				  .nic = m->nic};
	m->left -= m->left < most ? m->left : most;
	m->npending++;
	begin(net, channel, packet);
	hop_commit(net, NULL, port, i, channel, vc, depart_ps, kind, onward);
	port->free_ps += net->plan.params->packet_gap_ps;
}

/* When the last byte of a message has left, of which the last packet was just made. */
HOP int64_t hop_left_ps(const struct net *net, const struct port *port)
{
	return port->free_ps - net->plan.params->packet_gap_ps;
}

/* One packet of the queue's first message. */
HOP void hop_send_one(struct net *net, int32_t channel, int32_t nic, int q, int64_t depart_ps,
		      enum hop_kind kind, hop_begin *begin, hop_onward *onward)
{
	struct queue *queue = &net->nics.queues[nic * net->nics.nqueues + q];
	int32_t i = queue->first;
	struct message *message = &net->messages.at[i];
	int64_t left = message->left;

	hop_make_packet(net, channel, i, hop_vc_of_queue(net, q), depart_ps, kind, begin, onward);
	net->nics.at[nic].nwaiting -= left - message->left;
	net->nics.at[nic].turn = q + 1 < net->nics.nqueues ? q + 1 : 0;
	if (message->left > 0) {
		net_nic_turn(net, queue);
		return;
	}
	queue->first = message->next;
	if (queue->first == NOBODY) {
		queue->last = NOBODY;
		/* of several queues others may have messages: nobody asks there */
		hop_port(net, channel, kind)->has_queue = net->nics.nqueues > 1;
	}
	if (message->wants_left)
		net_made_last(net, i, hop_left_ps(net, hop_port(net, channel, kind)));
}

/* Gives the link what it can take now; comes again when it can take more. */
HOP void hop_pump(struct net *net, int32_t channel, enum hop_kind kind, hop_begin *begin,
		  hop_onward *onward)
{
	int32_t nic = net->nics.of_channel[channel];
	struct port *port = hop_port(net, channel, kind);
	int64_t ahead = net->nics.nqueues > 1
				? 0
				: PACKETS_AHEAD * send_ps(net, port, net->plan.whole_packet);

	for (;;) {
		int64_t depart = port->free_ps > net->run.now ? port->free_ps : net->run.now,
			ready_ps;
		const struct message *message;
		int32_t bytes;
		int q, vc;

		if (net->plan.params->has_nic_turns)
			net_nic_bring_ready(net, nic);
		q = hop_choose_queue(net, nic, port->blocked, &ready_ps);
		if (q < 0) {
			if (ready_ps != INT64_MAX)
				net_pump_at(net, channel, ready_ps);
			return;
		}
		if (depart - net->run.now > ahead) {
			net_pump_at(net, channel, depart);
			return;
		}
		message = &net->messages.at[net->nics.queues[nic * net->nics.nqueues + q].first];
		bytes = hop_packet_bytes(net, message->left, message->bytes);
		vc = hop_vc_of_queue(net, q);
		if (hop_has_credit(net, port, vc, bytes))
			hop_send_one(net, channel, nic, q, depart, kind, begin, onward);
		else
			net_wait(net, channel, vc, bytes);
	}
}

/* The event PUMP. */
HOP void hop_nic_due(struct net *net, int32_t channel, enum hop_kind kind, hop_begin *begin,
		     hop_onward *onward)
{
	struct nic *nic = &net->nics.at[net->nics.of_channel[channel]];

	if (nic->pump_ps != net->run.now)
		return; /* another one came before */
	nic->pump_ps = -1;
	hop_pump(net, channel, kind, begin, onward);
}

#endif
