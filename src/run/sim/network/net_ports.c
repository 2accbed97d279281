/* net_ports.c - ports as they are before a run */
#include <stdlib.h>

#include "base/mem.h"
#include "sim/network/net_priv.h"

int32_t net_end_of(const struct net *net, int32_t channel)
{
	const struct topo_link *link = &net->plan.graph->links[net_copy_original(net, channel) / 2];
	int32_t vertex = channel % 2 == 0 ? link->b : link->a;

	return vertex < net->plan.topo->nnodes ? -1 - vertex : vertex - net->plan.topo->nnodes;
}

/* Of each VC at the far end of a channel, or of a crossbar's. */
int32_t net_buffer_bytes(const struct net *net, int32_t channel)
{
	return (int32_t)(channel < net->plan.nchannels ? net->plan.params->input_buffer_bytes
						       : net->plan.params->output_buffer_bytes);
}

static void reset_port(struct net *net, int32_t channel)
{
	struct port *port = port_of(net, channel);

	port->free_ps = 0;
	port->bytes = 0;
	port->npackets = 0;
	port->queued = 0;
	port->nfree = (uint16_t)(1U << port->ring_bits);
	port->first = port->last = NOBODY;
	port->blocked = 0;
	port->is_touched = 0;
	port->has_queue = 0;
	port->turn = 0;
	for (int vc = 0; vc < net->plan.nvcs; vc++) {
		port->credit[vc] = net_buffer_bytes(net, channel);
		if (net->counts.vcs != NULL && channel < net->plan.nchannels)
			net->counts.vcs[channel * net->plan.nvcs + vc] = (struct vc_count){0};
		if (net->ports.inputs != NULL && channel < net->plan.nchannels)
			net->ports.inputs[channel * net->plan.nvcs + vc] =
				(struct input){.queue = {NOBODY, NOBODY}};
	}
	/* pages that nothing was written to need none */
	if (net->ports.rests[channel].wake != 0)
		net->ports.rests[channel].wake = 0;
	if (net->ports.lagging != NULL && channel < net->plan.nchannels)
		net->ports.lagging[channel] = (struct queue){NOBODY, NOBODY};
	if (net->counts.stalls != NULL && channel < net->plan.nchannels)
		net->counts.stalls[channel] = (struct stall){0};
}

void net_port_open(struct net *net, int32_t channel, uint32_t ring, bool is_cut)
{
	struct port *port = port_of(net, channel);
	bool is_crossbar = channel >= net->plan.nchannels;
	int32_t copy = is_crossbar ? channel - net->plan.nchannels : channel;
	int32_t original = net_copy_original(net, copy);
	const struct topo_link *link = &net->plan.graph->links[original / 2];
	int32_t from = original % 2 == 0 ? link->a : link->b;
	int32_t to = original % 2 == 0 ? link->b : link->a, nnodes = net->plan.topo->nnodes;

	port->to = to < nnodes ? -1 - to : to - nnodes;
	port->is_nic = !is_crossbar && from < nnodes;
	port->level = is_crossbar ? TOPO_LEVELS : (uint8_t)link->level;
	port->is_cut = is_cut;
	port->ring = ring;
	port->ring_bits = RING_BITS;
	reset_port(net, channel);
}

/* A node's buffer never fills, but where it takes few requests at a time. */
bool net_port_has_ring(const struct net *net, int32_t channel)
{
	return channel >= net->plan.nchannels || net->nics.nheld != NULL ||
	       net_end_of(net, channel) >= 0;
}

size_t net_ports_count(const struct net *net)
{
	return (size_t)net->plan.nchannels * (net->plan.params->output_buffer_bytes > 0 ? 2 : 1);
}

void net_ports_open(struct net *net)
{
	const struct net_plan *plan = &net->plan;
	struct ports *ports = &net->ports;
	size_t nports = net_ports_count(net), nvcs = (size_t)plan->nvcs;
	size_t size = sizeof(struct port) + nvcs * sizeof(int32_t);

	ports->shift = PORT_SHIFT;
	while ((size_t)1 << ports->shift < size)
		ports->shift++;
	ports->bytes = (nports + 1) << ports->shift;
	ports->at = xlarge(ports->bytes);
	ports->rests = xcalloc(nports + 1, sizeof(*ports->rests));
	ports->queues = xcalloc(nports * nvcs + 1, sizeof(*ports->queues));
	ports->touched = xmalloc((nports + 1) * sizeof(*ports->touched));
	if (plan->has_lag)
		ports->lagging = xmalloc((size_t)plan->nchannels * sizeof(*ports->lagging));
	if (plan->params->output_buffer_bytes > 0)
		ports->inputs = xcalloc((size_t)plan->nchannels * nvcs + 1, sizeof(*ports->inputs));
}

void net_ports_close(struct net *net)
{
	struct ports *ports = &net->ports;

	xlarge_free(ports->at, ports->bytes);
	free(ports->rests);
	free(ports->queues);
	free(ports->inputs);
	free(ports->lagging);
}

void net_ports_reset(struct net *net)
{
	for (int32_t i = 0; i < net->ports.ntouched; i++)
		reset_port(net, net->ports.touched[i]);
	net->ports.ntouched = 0;
}
