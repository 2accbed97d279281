/* injection.c - what messages of a node wait for before a NIC has them: its turn,
 * injection queues */
#include <stdlib.h>

#include "base/mem.h"
#include "sim/network/net_priv.h"
#include "sim/network/resource.h"

/*
 * As TraceR's CODES has it: a node takes one message after the other, each for the message-gap;
 * then the message waits in an injection queue, which makes its packets at the rate of one link,
 * whichever NIC they take. So a rank that is alone in its queue never has more than one link's
 * bandwidth.
 */
void net_injection_open(struct net *net)
{
	struct injection *injection = &net->injection;

	injection->nqueues = net->plan.params->has_serial_queues ? net->nics.class_queues : 0;
	injection->nslots = injection->nqueues + (net->plan.params->message_gap_ps > 0);
	if (injection->nslots == 0)
		return;
	injection->free_ps = xcalloc((size_t)net->plan.topo->nnodes * (size_t)injection->nslots + 1,
				     sizeof(*injection->free_ps));
	injection->is_used =
		xcalloc((size_t)net->plan.topo->nnodes + 1, sizeof(*injection->is_used));
	injection->used = xmalloc(((size_t)net->plan.topo->nnodes + 1) * sizeof(*injection->used));
}

void net_injection_open_part(struct net *net)
{
	struct injection *injection = &net->injection;

	injection->nused = 0;
	if (injection->nslots > 0)
		injection->used = xmalloc(((size_t)net->plan.topo->nnodes + 1) * sizeof(int32_t));
}

void net_injection_close_part(struct net *net)
{
	free(net->injection.used);
}

void net_injection_close(struct net *net)
{
	free(net->injection.free_ps);
	free(net->injection.is_used);
}

void net_injection_reset(struct net *net)
{
	struct injection *injection = &net->injection;

	for (int32_t i = 0; i < injection->nused; i++) {
		int32_t node = injection->used[i];

		for (int k = 0; k < injection->nslots; k++)
			injection->free_ps[(size_t)node * (size_t)injection->nslots + (size_t)k] =
				0;
		injection->is_used[node] = false;
	}
	injection->nused = 0;
}

/* What a queue's link takes for the packets of so many bytes, with their headers. */
static int64_t making_ps(const struct net *net, int64_t bytes, int level)
{
	int64_t packet = net->plan.params->packet_bytes;
	int64_t npackets = bytes == 0 ? 1 : (bytes + packet - 1) / packet;
	double wire = (double)(bytes + npackets * net->plan.params->header_bytes);

	return (int64_t)(wire * net->plan.levels[level].ps_per_byte + .5) +
	       npackets * net->plan.params->packet_gap_ps;
}

int64_t net_injection_least_ps(const struct net *net)
{
	return net->plan.params->nic_send_ps +
	       (net->injection.nslots > 0 ? net->plan.params->message_gap_ps : 0);
}

int64_t net_injection_ready(struct net *net, int32_t node, int queue, int level, int64_t bytes,
			    int64_t ready_ps)
{
	struct injection *injection = &net->injection;
	int64_t *free_ps, done;

	if (injection->nslots == 0)
		return ready_ps;
	if (!injection->is_used[node]) {
		injection->is_used[node] = true;
		injection->used[injection->nused++] = node;
	}
	free_ps = &injection->free_ps[(size_t)node * (size_t)injection->nslots];
	if (net->plan.params->message_gap_ps > 0)
		ready_ps = resource_take(&free_ps[injection->nqueues], 1, ready_ps,
					 net->plan.params->message_gap_ps);
	if (injection->nqueues == 0)
		return ready_ps;
	done = resource_take(&free_ps[queue], 1, ready_ps, making_ps(net, bytes, level));
	return done - making_ps(net, bytes, level);
}
