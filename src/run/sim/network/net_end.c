/* net_end.c - the end of a run: what went in has come out, and every buffer is empty */
#include <stdlib.h>

#include "sim/network/net_priv.h"

/* A packet that waits for room: the first one for a port and VC. */
struct stuck {
	const struct net *net; /* its partition */
	int32_t channel;
	int vc;
	const struct packet *packet;
	const struct message *message;
};

/* Whose message is older; of one time the one at the lower port and VC. */
static bool is_older(const struct stuck *a, const struct stuck *b)
{
	if (b->packet == NULL || a->message->ready_ps != b->message->ready_ps)
		return b->packet == NULL || a->message->ready_ps < b->message->ready_ps;
	return a->channel != b->channel ? a->channel < b->channel : a->vc < b->vc;
}

/* The oldest that waits in a router of a partition, if it is older than that. */
static void find_oldest(const struct net *net, struct stuck *oldest)
{
	for (int32_t i = 0; i < net->ports.ntouched; i++) {
		int32_t channel = net->ports.touched[i];
		const struct port *port = port_of(net, channel);

		for (int vc = 0; vc < net->plan.nvcs && !port->is_nic; vc++) {
			size_t at = (size_t)channel * (size_t)net->plan.nvcs + (size_t)vc;
			struct stuck one = {.net = net, .channel = channel, .vc = vc};

			if (!(port->blocked >> vc & 1))
				continue;
			one.packet = &net->packets.at[net->ports.queues[at].first];
			one.message = &net->messages.at[one.packet->message];
			if (is_older(&one, oldest))
				*oldest = one;
		}
	}
}

/* The router that a packet is at or on its way to. */
static int32_t router_of(const struct net *net, const struct packet *packet)
{
	return packet->channel < net->plan.nchannels
		       ? net_end_of(net, packet->channel)
		       : net_end_of(net, (packet->channel - net->plan.nchannels) ^ 1);
}

static int tell_oldest(const struct net *net, const struct stuck *oldest, int64_t npackets,
		       struct err *err)
{
	char from[TOPO_NAME], to[TOPO_NAME], at[TOPO_NAME], next[TOPO_NAME];
	const struct port *port = port_of(net, oldest->channel);

	return err_set(
		err,
		"deadlock: %lld packets cannot move; the oldest, from %s to %s since %.9g s, waits "
		"at router %s for buffer space on virtual channel %d of the link to %s",
		(long long)npackets, topo_node_name(net->plan.topo, oldest->message->src, from),
		topo_node_name(net->plan.topo, oldest->message->dst, to),
		(double)oldest->message->ready_ps / 1e12,
		topo_router_name(net->plan.topo, router_of(net, oldest->packet), at), oldest->vc,
		port->to < 0 ? topo_node_name(net->plan.topo, -1 - port->to, next)
			     : topo_router_name(net->plan.topo, port->to, next));
}

/* The oldest packet that waits in a process. */
struct told {
	bool is_there;
	int64_t ready_ps;
	int32_t channel;
	int vc;
	struct err err;
};

static bool is_told_older(const struct told *a, const struct told *b)
{
	if (!a->is_there || !b->is_there)
		return a->is_there;
	if (a->ready_ps != b->ready_ps)
		return a->ready_ps < b->ready_ps;
	return a->channel != b->channel ? a->channel < b->channel : a->vc < b->vc;
}

/* The oldest of all processes instead. */
static void hear_oldest(const struct net *net, struct told *oldest)
{
	struct processes *processes = net_processes(net);
	int n = processes_count(processes);
	struct told *all;

	if (processes == NULL)
		return;
	all = xcalloc((size_t)n, sizeof(*all));
	processes_gather(processes, oldest, sizeof(*oldest), all);
	for (int i = 0; i < n; i++)
		if (is_told_older(&all[i], oldest))
			*oldest = all[i];
	free(all);
}

static int tell_stuck(const struct net *net, int64_t npackets, int64_t nmessages, struct err *err)
{
	struct stuck oldest = {0};
	struct told told = {0};

	for (int i = 0; i < net_nparts(net); i++)
		find_oldest(net_part(net, i), &oldest);
	if (oldest.packet != NULL) {
		told = (struct told){.is_there = true,
				     .ready_ps = oldest.message->ready_ps,
				     .channel = oldest.channel,
				     .vc = oldest.vc};
		tell_oldest(net, &oldest, npackets, &told.err);
	}
	hear_oldest(net, &told);
	if (told.is_there) {
		*err = told.err;
		return -1;
	}
	return err_set(err, "%lld packets and %lld messages were lost", (long long)npackets,
		       (long long)nmessages);
}

static int check_credits(struct net *net, struct err *err)
{
	for (int32_t i = 0; i < net->ports.ntouched; i++) {
		struct port *port = port_of(net, net->ports.touched[i]);

		for (int vc = 0; vc < net->plan.nvcs; vc++)
			if (credits_all(&net->credits, port, vc) !=
			    net_buffer_bytes(net, net->ports.touched[i]))
				return err_set(
					err,
					"credits were lost: channel %d, virtual "
					"channel %d has %d bytes of %lld",
					net->ports.touched[i], vc, port->credit[vc],
					(long long)net_buffer_bytes(net, net->ports.touched[i]));
	}
	return 0;
}

static int check_here(struct net *net, struct err *err)
{
	for (int i = 0; i < net_nparts(net); i++)
		if (net_part_is_here(net, i) && check_credits(net_part(net, i), err) != 0)
			return -1;
	if (!net_requests_are_done(net))
		return err_set(err, "requests have come that were never answered");
	return 0;
}

int net_check_end(struct net *net, struct err *err)
{
	int64_t npackets = 0, nmessages = 0;

	net_collect(net);
	for (int i = 0; i < net_nparts(net); i++) {
		const struct net *part = net_part(net, i);

		npackets += part->packets.nmade - part->packets.ncome;
		nmessages += part->messages.nopen;
	}
	if (npackets != 0 || nmessages != 0)
		return tell_stuck(net, npackets, nmessages, err);
	if (processes_agree(net_processes(net), check_here(net, err), err) != 0)
		return -1;
	net->run.is_drained = true;
	return 0;
}
