/* nic_turns.c - messages of a NIC's queue that take turns, a packet each */
#include "sim/network/net_priv.h"

/* Behind the last one. */
static void append(struct net *net, struct queue *queue, int32_t i)
{
	net->messages.at[i].next = NOBODY;
	if (queue->first == NOBODY)
		queue->first = i;
	else
		net->messages.at[queue->last].next = i;
	queue->last = i;
}

void net_nic_turn(struct net *net, struct queue *queue)
{
	int32_t i = queue->first;

	if (!net->plan.params->has_nic_turns || i == queue->last)
		return;
	queue->first = net->messages.at[i].next;
	append(net, queue, i);
}

/* Those before one that is ready go behind; if none is, those before the first that will be. */
static void bring_ready(struct net *net, struct queue *queue)
{
	int32_t best = queue->first;

	for (int32_t i = queue->first; i != NOBODY; i = net->messages.at[i].next) {
		if (net->messages.at[i].ready_ps < net->messages.at[best].ready_ps)
			best = i;
		if (net->messages.at[best].ready_ps <= net->run.now)
			break;
	}
	while (queue->first != best) {
		int32_t i = queue->first;

		queue->first = net->messages.at[i].next;
		append(net, queue, i);
	}
}

void net_nic_bring_ready(struct net *net, int32_t nic)
{
	for (int q = 0; q < net->nics.nqueues; q++) {
		struct queue *queue = &net->nics.queues[nic * net->nics.nqueues + q];

		if (queue->first != NOBODY &&
		    net->messages.at[queue->first].ready_ps > net->run.now)
			bring_ready(net, queue);
	}
}
