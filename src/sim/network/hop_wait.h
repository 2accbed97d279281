/* hop_wait.h - packets that wait for credits, in a form that is put into the functions of each kind
 * of machine */
#ifndef SIM_NETWORK_HOP_WAIT_H
#define SIM_NETWORK_HOP_WAIT_H

#include "sim/network/hop_nic.h"

/* One packet from each VC in turn, as long as there are credits. A call that moves none changes
 * nothing: how often it is called is not part of the simulated system. Returns whether one has
 * moved. */
HOP bool hop_serve(struct net *net, int32_t channel, struct port *port, enum hop_kind kind,
		   hop_onward *onward)
{
	struct queue *queues = &net->ports.queues[(size_t)channel * (size_t)net->plan.nvcs];
	bool has_moved, has_served = false;

	credits_take(&net->credits, port, net->run.now); /* no further ones come meanwhile */
	do {
		has_moved = false;
		for (int k = 0; k < net->plan.nvcs && port->blocked != 0; k++) {
			int vc = port->turn + k < net->plan.nvcs ? port->turn + k
								 : port->turn + k - net->plan.nvcs;
			int64_t depart =
				port->free_ps > net->run.now ? port->free_ps : net->run.now;
			int32_t packet = queues[vc].first;
			const struct packet *p = &net->packets.at[packet];

			if (!(port->blocked >> vc & 1) || port->credit[vc] < p->bytes)
				continue;
			has_moved = true;
			port->queued -= p->bytes;
			queues[vc].first = p->next;
			if (p->next == NOBODY)
				port->blocked &= (uint16_t) ~(1U << vc);
			hop_commit(net, hop_port(net, p->channel, kind), port, packet, channel, vc,
				   depart, kind, onward);
		}
		has_served |= has_moved;
		if (has_served)
			port->turn = port->turn + 1 < net->plan.nvcs ? (port->turn + 1) & 0x3f : 0;
	} while (has_moved && port->blocked != 0);
	return has_served;
}

/* The event WAKE. Returns whether a packet has moved. */
HOP bool hop_wake(struct net *net, int32_t channel, enum hop_kind kind, hop_begin *begin,
		  hop_onward *onward)
{
	struct port *port = hop_port(net, channel, kind);
	struct port_rest *rest = &net->ports.rests[channel];
	bool has_served;
	int64_t time;

	if (rest->wake - 1 != net->run.now)
		return false; /* another one came before */
	rest->wake = 0;
	if (port->is_nic) {
		port->blocked = 0;
		port->queued = 0;
		hop_pump(net, channel, kind, begin, onward);
		return true;
	}
	has_served = port->blocked != 0 && hop_serve(net, channel, port, kind, onward);
	time = port->blocked == 0 ? -1 : credits_next(&net->credits, port, port->blocked);
	if (time >= 0)
		net_wake_at(net, channel, time);
	return has_served;
}

#endif
