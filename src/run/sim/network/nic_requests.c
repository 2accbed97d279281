/* nic_requests.c - nodes that work on so many requests at a time; others wait in the network */
#include "base/mem.h"
#include "sim/network/net_priv.h"

/*
 * A request that is whole holds a place at its node until its answer has left. Where all are held,
 * its last packet stays in the NIC's input buffer, which is one queue: what comes behind it stays,
 * too, and when the buffer is full, in the routers before it. Packets of class 1 (answers) are
 * always taken, and have virtual channels and injection queues of their own: so they reach their
 * ends whatever requests do, places become free, and no cycle of packets waits for each other.
 */

static struct nic *nic_before(const struct net *net, int32_t out)
{
	return &net->nics.at[net->nics.of_channel[out ^ 1]];
}

void net_requests_open(struct net *net)
{
	if (net->plan.params->nic_requests > 0)
		net->nics.nheld =
			xcalloc((size_t)net->plan.topo->nnodes + 1, sizeof(*net->nics.nheld));
}

/* Of the nodes that something came to. */
void net_requests_reset(struct net *net)
{
	for (int32_t i = 0; i < net->ports.ntouched; i++) {
		int32_t channel = net->ports.touched[i], to;

		if (channel >= net->plan.nchannels)
			continue;
		to = port_of(net, channel)->to;
		if (to >= 0)
			continue;
		nic_before(net, channel)->kept = (struct queue){NOBODY, NOBODY};
		net->nics.nheld[-1 - to] = 0;
	}
}

/* Whether the packet can be taken, as far as places count; if so it has its place. */
static bool find_place(struct net *net, const struct packet *packet)
{
	const struct message *message = &net->messages.at[packet->message];

	if (!message->holds || message->npending > 1 || message->left > 0)
		return true;
	if (net->nics.nheld[message->dst] >= net->plan.params->nic_requests)
		return false;
	net->nics.nheld[message->dst]++;
	return true;
}

bool net_requests_keep(struct net *net, int32_t i)
{
	struct packet *packet = &net->packets.at[i];
	struct queue *kept = &nic_before(net, packet->channel)->kept;

	if ((packet->flags & IS_ANSWER) || (kept->first == NOBODY && find_place(net, packet))) {
		net_give_back(net, packet);
		return false;
	}
	packet->next = NOBODY;
	if (kept->first == NOBODY)
		kept->first = i;
	else
		net->packets.at[kept->last].next = i;
	kept->last = i;
	return true;
}

/* A place is free: packets are taken as far as that goes, from one NIC of the node after
 * the other. */
void net_requests_release(struct net *net, int node)
{
	int32_t nups = net->nics.first_up[node + 1] - net->nics.first_up[node];

	net->nics.nheld[node]--;
	for (int32_t k = 0; k < nups * net->copies.nnics; k++) {
		int32_t up = net->plan.graph->channel[net->nics.first_up[node] + k % nups];
		struct nic *nic =
			&net->nics.at[net->nics.of_channel[net_copy_of(net, up, k / nups)]];

		while (nic->kept.first != NOBODY) {
			int32_t i = nic->kept.first;

			if (!find_place(net, &net->packets.at[i]))
				break;
			nic->kept.first = net->packets.at[i].next;
			net_give_back(net, &net->packets.at[i]);
			net_packet_take(net, i);
		}
	}
}

bool net_requests_are_done(const struct net *net)
{
	for (int node = 0; net->nics.nheld != NULL && node < net->plan.topo->nnodes; node++)
		if (net->nics.nheld[node] != 0)
			return false;
	return true;
}
