/* nic_requests.c - nodes that work on so many requests at a time; others wait in the network */
#include "base/mem.h"
#include "sim/network/net_priv.h"

/*
 * A request that is whole holds a place at its node until its answer has left. Where all are held,
 * its last packet stays in the NIC's input buffer, which is one queue: what comes behind it stays,
 * too, and when the buffer is full, in the routers before it. Packets of class 1 (answers) are
 * always taken, and have virtual channels and injection queues of their own: so they reach their
 * ends whatever requests do, places become free, and nothing waits in a circle.
 */

static struct nic *nic_before(const struct net *net, int32_t out)
{
	return &net->nics[net->nic_of[out ^ 1]];
}

void net_requests_open(struct net *net)
{
	if (net->params->nic_requests > 0)
		net->nheld = xcalloc((size_t)net->topo->nnodes + 1, sizeof(*net->nheld));
}

/* Of the nodes that something came to. */
void net_requests_reset(struct net *net)
{
	for (int32_t i = 0; i < net->ntouched; i++) {
		int32_t channel = net->touched[i], to;

		if (channel >= net->nchannels)
			continue;
		to = port_of(net, channel)->to;
		if (to >= 0)
			continue;
		nic_before(net, channel)->kept = (struct queue){NOBODY, NOBODY};
		net->nheld[-1 - to] = 0;
	}
}

/* Whether the packet can be taken, as far as places count; if so it has its place. */
static bool find_place(struct net *net, const struct packet *packet)
{
	const struct message *message = &net->messages[packet->message];

	if (!message->holds || message->npending > 1 || message->left > 0)
		return true;
	if (net->nheld[message->dst] >= net->params->nic_requests)
		return false;
	net->nheld[message->dst]++;
	return true;
}

bool net_requests_keep(struct net *net, int32_t i)
{
	struct packet *packet = &net->packets[i];
	struct queue *kept = &nic_before(net, packet->channel)->kept;

	if ((packet->flags & IS_ANSWER) || (kept->first == NOBODY && find_place(net, packet))) {
		net_give_back(net, packet);
		return false;
	}
	packet->next = NOBODY;
	if (kept->first == NOBODY)
		kept->first = i;
	else
		net->packets[kept->last].next = i;
	kept->last = i;
	return true;
}

/* A place is free: packets are taken as far as that goes, from one NIC of the node after the other.
 */
void net_requests_release(struct net *net, int node)
{
	int32_t nups = net->first_up[node + 1] - net->first_up[node];

	net->nheld[node]--;
	for (int32_t k = 0; k < nups * net->copies.nnics; k++) {
		int32_t up = net->graph->channel[net->first_up[node] + k % nups];
		struct nic *nic = &net->nics[net->nic_of[net_copy_of(net, up, k / nups)]];

		while (nic->kept.first != NOBODY) {
			int32_t i = nic->kept.first;

			if (!find_place(net, &net->packets[i]))
				break;
			nic->kept.first = net->packets[i].next;
			net_give_back(net, &net->packets[i]);
			net_packet_take(net, i);
		}
	}
}

bool net_requests_are_done(const struct net *net)
{
	for (int node = 0; net->nheld != NULL && node < net->topo->nnodes; node++)
		if (net->nheld[node] != 0)
			return false;
	return true;
}
