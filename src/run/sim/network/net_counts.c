/* net_counts.c - what the simulated network has counted */
#include "base/mem.h"
#include "sim/network/net_priv.h"

struct net_totals net_totals(const struct net *net, enum net_service service, int owner)
{
	struct net_totals sum = {0};

	for (int i = 0; i < net_nparts(net); i++) {
		const struct net_totals *one =
			&net_part(net, i)
				 ->counts.totals[(int)service * net->counts.nowners + owner];

		sum.messages += one->messages;
		sum.packets += one->packets;
		sum.packet_hops += one->packet_hops;
		sum.nonminimal += one->nonminimal;
		sum.bytes += one->bytes;
	}
	return sum;
}

int64_t net_nevents(const struct net *net)
{
	int64_t sum = 0;

	for (int i = 0; i < net_nparts(net); i++)
		sum += net_part(net, i)->run.nevents;
	return sum;
}

int64_t net_table_bytes(const struct net *net)
{
	return net->forward.table_bytes;
}

struct net_channel net_channel(const struct net *net, int64_t channel)
{
	const struct port *port = port_of(net, (int32_t)channel);
	int32_t link = net_copy_original(net, (int32_t)channel) / 2;
	const struct net_level *level = &net->plan.levels[net->plan.graph->links[link].level];

	return (struct net_channel){
		.packets = port->npackets,
		.bytes = port->bytes,
		.busy_ps = (int64_t)((double)port->bytes * level->ps_per_byte + .5),
		.stall_ps = net->counts.stalls != NULL
				    ? stall_total(&net->counts.stalls[channel], net->run.now)
				    : 0,
	};
}

/* NICs of a plane, or copies of a link between routers there. The first NICs of the planes come
 * first, then the second ones. */
static int ncopies(const struct net *net, int64_t channel)
{
	const struct topo_link *link = &net->plan.graph->links[channel / 2];
	int nnodes = net->plan.topo->nnodes;

	return link->a < nnodes || link->b < nnodes ? net->copies.nrails : 1;
}

struct net_channel net_plane_channel(const struct net *net, int64_t channel, int plane)
{
	struct net_channel sum = {0};

	for (int k = 0; k < ncopies(net, channel); k++) {
		int nic = k * net->copies.nplanes + plane;
		struct net_channel one = net_channel(net, net_copy_of(net, (int32_t)channel, nic));

		sum.packets += one.packets;
		sum.bytes += one.bytes;
		sum.busy_ps += one.busy_ps;
		sum.stall_ps += one.stall_ps;
	}
	return sum;
}

void net_count_vcs(struct net *net)
{
	if (net->counts.vcs == NULL)
		net->counts.vcs = xcalloc((size_t)net->plan.nchannels * (size_t)net->plan.nvcs + 1,
					  sizeof(*net->counts.vcs));
	for (int i = 1; i < net_nparts(net); i++)
		net_part(net, i)->counts.vcs = net->counts.vcs;
}

void net_count_stalls(struct net *net)
{
	if (net->counts.stalls == NULL)
		net->counts.stalls =
			xcalloc((size_t)net->plan.nchannels + 1, sizeof(*net->counts.stalls));
	for (int i = 1; i < net_nparts(net); i++)
		net_part(net, i)->counts.stalls = net->counts.stalls;
}

void net_count_hops(struct net *net)
{
	for (int i = 0; i < net_nparts(net); i++)
		net_part(net, i)->counts.counts_hops = true;
}

struct net_hops net_came_hops(const struct net *net)
{
	return net->counts.came_hops;
}

int net_class_vcs(const struct net *net)
{
	return net->plan.class_vcs;
}

int net_nclasses(const struct net *net)
{
	return net->plan.params->nic_requests > 0 ? 2 : 1;
}

void net_plane_vc(const struct net *net, int64_t channel, int plane, int vc, int64_t *bytes,
		  int64_t *packets)
{
	*bytes = *packets = 0;
	for (int k = 0; k < ncopies(net, channel); k++) {
		int nic = k * net->copies.nplanes + plane;
		int64_t copy = net_copy_of(net, (int32_t)channel, nic);
		const struct vc_count *count = &net->counts.vcs[copy * net->plan.nvcs + vc];

		*bytes += count->bytes;
		*packets += count->packets;
	}
}

void net_nic(const struct net *net, int node, int64_t *out_bytes, int64_t *in_bytes)
{
	*out_bytes = *in_bytes = 0;
	for (int32_t i = net->nics.first_up[node]; i < net->nics.first_up[node + 1]; i++) {
		int32_t up = net->plan.graph->channel[i];

		for (int plane = 0; plane < net->copies.nplanes; plane++) {
			*out_bytes += net_plane_channel(net, up, plane).bytes;
			*in_bytes += net_plane_channel(net, up ^ 1, plane).bytes;
		}
	}
}
