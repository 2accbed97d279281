/* hop_wait.h - packets that wait for credits, in a form that is put into the functions of each kind
 * of machine */
#ifndef SIM_NETWORK_HOP_WAIT_H
#define SIM_NETWORK_HOP_WAIT_H

#include "sim/network/hop_nic.h"

/* One packet from each VC in turn, as long as there are credits. A call that moves none changes
 * nothing: how often it is called is not part of the simulated system. Returns whether one has
 * moved. *next_ps: when the next credit will be back, INT64_MAX: none is under way. */
HOP bool hop_serve(struct net *net, int32_t channel, struct port *port, int64_t *next_ps,
		   enum hop_kind kind, hop_onward *onward)
{
	struct queue *queues = &net->ports.queues[(size_t)channel * (size_t)net->plan.nvcs];
	bool has_moved, has_served = false;

	/* no further ones come meanwhile */
	*next_ps = credits_take(&net->credits, port, net->run.now);
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
			fetch_ahead(net->packets.at, p->next); /* the next one */
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
	int64_t next_ps;

	if (rest->wake - 1 != net->run.now)
		return false; /* another one came before */
	rest->wake = 0;
	if (port->is_nic) {
		port->blocked = 0;
		port->queued = 0;
		hop_pump(net, channel, kind, begin, onward);
		return true;
	}
	if (port->blocked == 0)
		return false;
	has_served = hop_serve(net, channel, port, &next_ps, kind, onward);
	if (port->blocked != 0 && next_ps != INT64_MAX) {
		if (net->plan.nvcs > 1) /* some are for others */
			next_ps = credits_next(&net->credits, port, port->blocked);
		if (next_ps >= 0)
			net_wake_at(net, channel, next_ps);
	}
	return has_served;
}

#endif
