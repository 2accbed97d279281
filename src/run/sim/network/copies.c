/* copies.c - several NICs of a node, and several planes: copies of the machine's channels */
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "sim/network/net_priv.h"

/*
 * A plane is a copy of the whole network; NIC k of a node is in plane k mod planes. The channels of
 * a plane are those of the graph, which the first NIC there has, and behind them those between
 * nodes and routers once more for each further NIC. Routings know the graph's channels only.
 */

static const char *const choices[] = {
	[NIC_IN_TURN] = "round-robin",
	[NIC_OF_RANK] = "rank",
	[NIC_OF_DESTINATION] = "destination",
	[NIC_LEAST] = "adaptive",
};

static bool is_terminal(const struct net *net, int32_t link)
{
	return net->plan.graph->links[link].a < net->plan.topo->nnodes ||
	       net->plan.graph->links[link].b < net->plan.topo->nnodes;
}

/* Returns how many there are. */
static int64_t number_terminals(struct net *net)
{
	struct copies *copies = &net->copies;
	int64_t nlinks = net->plan.graph->nlinks;
	int32_t n = 0;

	copies->terminal_of = xcalloc((size_t)nlinks + 1, sizeof(*copies->terminal_of));
	copies->terminals = xcalloc((size_t)nlinks + 1, sizeof(*copies->terminals));
	for (int32_t i = 0; i < nlinks; i++)
		if (is_terminal(net, i)) {
			copies->terminal_of[i] = n;
			copies->terminals[n++] = i;
		}
	return n;
}

int net_copies_open(struct net *net, struct err *err)
{
	const struct topo_nics *nics = &net->plan.topo->nics;
	struct copies *copies = &net->copies;
	int64_t nlinks = net->plan.graph->nlinks, per_plane, n = 0;

	copies->nplanes = nics->planes > 0 ? nics->planes : 1;
	copies->nrails = nics->count > 0 ? nics->count : 1;
	copies->nnics = copies->nplanes * copies->nrails;
	for (size_t i = 0; nics->select != NULL && i < sizeof(choices) / sizeof(*choices); i++)
		if (str_eq(nics->select, choices[i]))
			copies->choice = (enum nic_choice)i;
	if (copies->nnics > NICS_MOST)
		return err_set(err,
			       "%d NICs of a node in %d planes each; at most %d can be simulated",
			       copies->nrails, copies->nplanes, NICS_MOST);
	if (copies->nrails > 1)
		n = number_terminals(net);
	per_plane = 2 * (nlinks + n * (copies->nrails - 1));
	if (per_plane * copies->nplanes * VCS_MOST >= 1 << KIND_SHIFT)
		return err_set(err, "the machine has %lld links; at most %d can be simulated",
			       (long long)(per_plane / 2 * copies->nplanes), 1 << (KIND_SHIFT - 5));
	copies->nterminals = (int32_t)n;
	copies->graph_channels = (int32_t)(2 * nlinks);
	copies->plane_channels = (int32_t)per_plane;
	net->plan.nchannels = (int32_t)(per_plane * copies->nplanes);
	copies->of_nic = xmalloc((size_t)copies->nnics * sizeof(*copies->of_nic));
	for (int nic = 0; nic < copies->nnics; nic++) {
		int32_t base = nic % copies->nplanes * copies->plane_channels;
		int32_t rail = nic / copies->nplanes;

		copies->of_nic[nic] = (struct nic_channels){
			base, rail == 0 ? -1
					: base + copies->graph_channels +
						  2 * (rail - 1) * copies->nterminals};
	}
	if (copies->nnics > 1)
		copies->turn = xcalloc((size_t)net->plan.topo->nnodes + 1, sizeof(*copies->turn));
	return 0;
}

void net_copies_close(struct net *net)
{
	free(net->copies.terminal_of);
	free(net->copies.terminals);
	free(net->copies.turn);
	free(net->copies.of_nic);
}

/* Of the nodes that were given messages. */
void net_copies_reset(struct net *net)
{
	for (int32_t i = 0; net->copies.turn != NULL && i < net->ports.ntouched; i++) {
		const struct port *port = port_of(net, net->ports.touched[i]);

		if (port->is_nic)
			net->copies.turn[-1 - port_of(net, net->ports.touched[i] ^ 1)->to] = 0;
	}
}

/* In its plane: the further NIC that a channel is of, and the terminal channel there. */
static int32_t rail_of(const struct copies *copies, int32_t *channel)
{
	int32_t further = *channel - copies->graph_channels, link;

	if (further < 0)
		return 0;
	link = copies->terminals[further / 2 % copies->nterminals];
	*channel = 2 * link + (further & 1);
	return 1 + further / 2 / copies->nterminals;
}

int32_t net_copy_original(const struct net *net, int32_t channel)
{
	channel %= net->copies.plane_channels;
	rail_of(&net->copies, &channel);
	return channel;
}

struct net_copy net_copy(const struct net *net, int64_t channel)
{
	const struct copies *copies = &net->copies;
	int32_t plane = (int32_t)channel / copies->plane_channels;
	int32_t at = (int32_t)channel % copies->plane_channels;
	int32_t rail = rail_of(copies, &at);

	return (struct net_copy){.channel = at,
				 .plane = plane,
				 .nic = is_terminal(net, at / 2) ? rail * copies->nplanes + plane
								 : -1};
}

int32_t net_rail_channel(const struct net *net, int32_t channel, int nic)
{
	const struct nic_channels *of = &net->copies.of_nic[nic];

	return is_terminal(net, channel / 2)
		       ? of->terminals + 2 * net->copies.terminal_of[channel / 2] + (channel & 1)
		       : of->base + channel;
}

/* What a NIC has to send: bytes. */
static int64_t load_of(const struct net *net, int32_t up, int nic)
{
	int32_t channel = net_copy_of(net, up, nic);

	return net->nics.at[net->nics.of_channel[channel]].nwaiting +
	       port_backlog(net, port_of(net, channel));
}

/* The NIC whose turn it is, or from there on the first with the least to send. */
static int take_turn(struct net *net, int32_t node, int32_t up)
{
	struct copies *copies = &net->copies;
	int first = copies->turn[node], best = first;

	if (copies->choice == NIC_LEAST) {
		int64_t least = load_of(net, up, first);

		for (int k = 1; k < copies->nnics; k++) {
			int nic = (first + k) % copies->nnics;
			int64_t load = load_of(net, up, nic);

			if (load < least) {
				least = load;
				best = nic;
			}
		}
	}
	copies->turn[node] = (uint8_t)((best + 1) % copies->nnics);
	return best;
}

bool net_chooses_late(const struct net *net)
{
	return net->plan.params->has_serial_queues && net->copies.nnics > 1 &&
	       net->copies.choice == NIC_LEAST;
}

int net_nic_choose(struct net *net, const struct net_message *message, int32_t up)
{
	const struct copies *copies = &net->copies;

	switch (copies->choice) {
	case NIC_OF_RANK:
		return message->rank % copies->nnics;
	case NIC_OF_DESTINATION:
		return message->dst % copies->nnics;
	case NIC_IN_TURN:
	case NIC_LEAST:
		break;
	}
	return take_turn(net, message->src, up);
}

int net_nplanes(const struct net *net)
{
	return net->copies.nplanes;
}

int net_nnics(const struct net *net)
{
	return net->copies.nnics;
}

int64_t net_nchannels(const struct net *net)
{
	return net->plan.nchannels;
}
