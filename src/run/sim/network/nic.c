/* nic.c - messages: queues at the nodes, packets, arrival; copies inside nodes */
#include <stdlib.h>

#include "base/mem.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"
#include "sim/network/hop_nic.h"
#include "sim/network/resource.h"

static void reset_nic(struct net *net, int32_t nic)
{
	net->nics.at[nic] = (struct nic){.pump_ps = -1, .kept = {NOBODY, NOBODY}};
	for (int q = 0; q < net->nics.nqueues; q++)
		net->nics.queues[nic * net->nics.nqueues + q] = (struct queue){NOBODY, NOBODY};
}

void net_nics_open(struct net *net)
{
	const struct topo_graph *graph = net->plan.graph;
	int nnodes = net->plan.topo->nnodes;
	size_t nchannels = (size_t)net->plan.nchannels, nnics;

	net->nics.first_up = xmalloc(((size_t)nnodes + 1) * sizeof(*net->nics.first_up));
	for (int node = 0; node < nnodes; node++)
		net->nics.first_up[node] = (int32_t)graph->first[node];
	net->nics.first_up[nnodes] = (int32_t)graph->first[nnodes];
	net->nics.of_channel = xcalloc(nchannels + 1, sizeof(*net->nics.of_channel));
	nnics = (size_t)net->nics.first_up[nnodes] * (size_t)net->copies.nnics;
	net->nics.class_queues = net->plan.topo->nics.injection_queues > 0
					 ? net->plan.topo->nics.injection_queues
					 : 1;
	net->nics.nqueues = net->nics.class_queues * (net->plan.params->nic_requests > 0 ? 2 : 1);
	net->nics.at = xcalloc(nnics + 1, sizeof(*net->nics.at));
	net->nics.queues =
		xcalloc(nnics * (size_t)net->nics.nqueues + 1, sizeof(*net->nics.queues));
	net->nics.copy_free_ps =
		xcalloc((size_t)nnodes * (size_t)net->plan.params->copy_servers + 1,
			sizeof(*net->nics.copy_free_ps));
	net->nics.copiers = xmalloc(((size_t)nnodes + 1) * sizeof(*net->nics.copiers));
	net_requests_open(net);
	net_injection_open(net);
}

void net_nics_open_node(struct net *net, int32_t node)
{
	const struct topo_graph *graph = net->plan.graph;
	int32_t nups = net->nics.first_up[net->plan.topo->nnodes];

	for (int k = 0; k < net->copies.nnics; k++)
		for (int32_t i = net->nics.first_up[node]; i < net->nics.first_up[node + 1]; i++) {
			int32_t nic = k * nups + i;

			net->nics.of_channel[net_copy_of(net, graph->channel[i], k)] = nic;
			reset_nic(net, nic);
		}
}

void net_nics_close(struct net *net)
{
	free(net->nics.first_up);
	free(net->nics.of_channel);
	free(net->nics.at);
	free(net->nics.queues);
	free(net->nics.copy_free_ps);
	free(net->nics.nheld);
	net_injection_close(net);
}

int net_nqueues(const struct net *net)
{
	return net->nics.class_queues;
}

/* Of the NICs' ports that were touched, and of the nodes that copied. */
void net_nics_reset(struct net *net)
{
	for (int32_t i = 0; i < net->ports.ntouched; i++)
		if (port_of(net, net->ports.touched[i])->is_nic)
			reset_nic(net, net->nics.of_channel[net->ports.touched[i]]);
	for (int32_t i = 0; i < net->nics.ncopiers; i++)
		for (int64_t k = 0; k < net->plan.params->copy_servers; k++)
			net->nics.copy_free_ps[net->nics.copiers[i] *
						       net->plan.params->copy_servers +
					       k] = 0;
	net->nics.ncopiers = 0;
	net_injection_reset(net);
	if (net->nics.nheld != NULL)
		net_requests_reset(net);
}

int32_t net_message_new(struct net *net)
{
	struct net_counts *counts = &net->counts;
	int32_t i = pool_take(&net->messages);

	if (counts->counts_hops) {
		while (i >= counts->hops_cap)
			counts->hops_of = xlarge_double(counts->hops_of, &counts->hops_cap,
							sizeof(*counts->hops_of));
		counts->hops_of[i] = (struct net_hops){0};
	}
	return i;
}

/* ---- leaving ---- */

static void item_at(struct net *net, int32_t node, int64_t time, enum item_kind kind,
		    int32_t message)
{
	net_agenda_add(net, node, &(struct item){.time = time, .kind = kind, .message = message});
}

void net_comes_later(struct net *net, int32_t message)
{
	item_at(net, net->messages.at[message].dst, net->run.now + net->plan.params->nic_receive_ps,
		COME, message);
}

void net_leaves_at(struct net *net, int32_t message, int64_t time)
{
	item_at(net, net->messages.at[message].src, time, LEFT, message);
}

void net_made_last(struct net *net, int32_t i, int64_t time)
{
	struct message *message = &net->messages.at[i];

	if (i != net->messages.asking) {
		net_leaves_at(net, i, time);
		return;
	}
	net->messages.asked_ps = time;
	message->wants_left = false;
	if (message->has_come)
		pool_give(&net->messages, i);
}

void net_pump_at(struct net *net, int32_t channel, int64_t time)
{
	struct nic *nic = &net->nics.at[net->nics.of_channel[channel]];

	if (nic->pump_ps >= 0 && nic->pump_ps <= time)
		return;
	nic->pump_ps = time;
	wheel_add(&net->wheel, time, EVENT(PUMP, channel));
}

/* A message of one packet goes by a NIC that has nothing else to do; false: it must wait. */
static bool send_at_once(struct net *net, int32_t channel, int32_t i)
{
	struct port *port = port_of(net, channel);
	struct message *message = &net->messages.at[i];

	if (!net->run.is_plain || net->nics.nqueues > 1 || message->ready_ps > net->run.now ||
	    message->left > net->plan.params->packet_bytes ||
	    !hop_can_leave(net, port, hop_packet_bytes(net, message->left, message->bytes)))
		return false;
	hop_make_packet(net, channel, i, 0,
			port->free_ps > net->run.now ? port->free_ps : net->run.now, HOP_ANY,
			net->forward.type->begin, NULL);
	if (message->wants_left)
		net_made_last(net, i, hop_left_ps(net, port));
	return true;
}

/* When a copy of the node is done that is ready at ready_ps: it takes the server that is free
 * first, or that of the sender's slot. */
static int64_t take_server(struct net *net, int32_t node, int32_t slot, int64_t ready_ps,
			   int64_t work_ps)
{
	int64_t n = net->plan.params->copy_servers;
	int64_t *servers = net->nics.copy_free_ps + node * n;
	bool is_first = true;

	for (int64_t k = 0; k < n; k++)
		is_first = is_first && servers[k] == 0;
	if (is_first)
		net->nics.copiers[net->nics.ncopiers++] = node;
	if (net->plan.params->has_copy_slots)
		return resource_take(&servers[slot % n], 1, ready_ps, work_ps);
	return resource_take(servers, n, ready_ps, work_ps);
}

/* A message inside a node; a small one does not wait. */
static void copy(struct net *net, int32_t message, int32_t slot)
{
	const struct sim_params *params = net->plan.params;
	struct message *m = &net->messages.at[message];
	const struct net_level *level = &net->plan.levels[LINK_NODE];
	int64_t done, work = params->copy_overhead_ps +
			     (int64_t)((double)m->bytes * level->ps_per_byte + .5);

	work = work > 0 ? work : 1;
	done = m->bytes < params->copy_eager_bytes
		       ? m->ready_ps + work
		       : take_server(net, m->src, slot, m->ready_ps, work);
	m->left = 0;
	if (m->wants_left)
		net_made_last(net, message, done);
	item_at(net, m->src, done + level->latency_ps, COME, message);
}

static void no_way(struct net *net, const struct net_message *given)
{
	char from[TOPO_NAME], to[TOPO_NAME];
	struct err *err = net_fail(net);

	if (err != NULL)
		err_set(err, "there is no route from %s to %s",
			topo_node_name(net->plan.topo, given->src, from),
			topo_node_name(net->plan.topo, given->dst, to));
}

/* Answers have injection queues of their own; what releases a place has an event when it
 * has left. */
static void set_class(const struct net *net, struct message *message,
		      const struct net_message *given)
{
	if (message->traffic_class > 0)
		message->queue = (uint8_t)(message->queue + net->nics.class_queues);
	message->holds = given->holds;
	message->releases = given->releases;
	message->skips_injected = !message->wants_left;
	message->wants_left |= given->releases;
}

/* Behind those that go first, too, and before all others: one of which packets were made goes on
 * after it. */
static void put_first(struct net *net, struct queue *queue, int32_t i)
{
	int32_t *link = &queue->first;

	while (*link != NOBODY && net->messages.at[*link].goes_first)
		link = &net->messages.at[*link].next;
	net->messages.at[i].next = *link;
	*link = i;
	if (net->messages.at[i].next == NOBODY)
		queue->last = i;
}

static void put_last(struct net *net, struct queue *queue, int32_t i)
{
	if (queue->first == NOBODY)
		queue->first = i;
	else
		net->messages.at[queue->last].next = i;
	queue->last = i;
}

/* The message waits in its NIC's queue, or goes at once. */
static void enqueue(struct net *net, int32_t i)
{
	struct message *message = &net->messages.at[i];
	int32_t up = message->up, nic;
	struct queue *queue;

	if (net->copies.nnics > 1)
		up = net_copy_of(net, up, message->nic);
	if (!net_is_here(net, message->dst))
		net_mail_message(net, i);
	nic = net->nics.of_channel[up];
	queue = &net->nics.queues[nic * net->nics.nqueues + message->queue];
	if (queue->first == NOBODY && send_at_once(net, up, i))
		return;
	if (message->goes_first)
		put_first(net, queue, i);
	else
		put_last(net, queue, i);
	port_of(net, up)->has_queue = 1;
	net->nics.at[nic].nwaiting += message->left;
	if (!port_of(net, up)->is_touched)
		ports_touch(&net->ports, up);
	if (queue->first == i || net->plan.params->has_nic_turns)
		net_nic_pump(net, up);
}

void net_message_start(struct net *net, int32_t i)
{
	struct message *message = &net->messages.at[i];

	if (net_chooses_late(net))
		message->nic = (uint8_t)net_nic_choose(
			net, &(struct net_message){.src = message->src, .dst = message->dst},
			message->up);
	enqueue(net, i);
}

/* On its way to a NIC. */
static void go(struct net *net, const struct net_message *given, int32_t i)
{
	struct message *message = &net->messages.at[i];

	message->ready_ps += net->plan.params->nic_send_ps;
	if (net->injection.nslots > 0)
		message->ready_ps = net_injection_ready(net, given->src, message->queue,
							port_of(net, message->up)->level,
							message->left, message->ready_ps);
	if (net->nics.nheld != NULL)
		set_class(net, message, given);
	/* whichever NIC has the least to do when its queue begins with it */
	if (net->copies.nnics > 1 && !(net_chooses_late(net) && message->ready_ps > net->run.now))
		message->nic = (uint8_t)net_nic_choose(net, given, message->up);
	/* one that goes first and is not ready would hold up the others */
	if ((net_chooses_late(net) || message->goes_first) && message->ready_ps > net->run.now)
		item_at(net, message->src, message->ready_ps, START, i);
	else
		enqueue(net, i);
}

int64_t net_send_any(struct net *net, const struct net_message *given)
{
	int service = (int)(given->cookie >> NET_COOKIE_BITS);
	struct message *message;
	int32_t i;

	net_agenda_catch_up(net, given->src);
	i = net_message_new(net);
	message = &net->messages.at[i];
	*message = (struct message){
		.cookie = given->cookie,
		.ready_ps = given->ready_ps > net->run.now ? given->ready_ps : net->run.now,
		.bytes = given->bytes,
		.left = given->bytes + net->plan.params->message_header_bytes,
		.src = given->src,
		.dst = given->dst,
		.up = NOBODY,
		.out = NOBODY,
		.next = NOBODY,
		.owner = service * net->counts.nowners + given->owner,
		.traffic_class = given->traffic_class,
		.queue = (uint8_t)(given->queue < net->nics.class_queues ? given->queue : 0),
		.wants_left = !given->skips_injected && net->run.events[service].injected != NULL,
		.goes_first = given->goes_first,
	};
	net->messages.nopen++;
	net->messages.asked_ps = -1;
	if (given->asks_left && message->wants_left && net->nics.nheld == NULL)
		net->messages.asking = i;
	if (given->src == given->dst) {
		copy(net, i, given->slot);
	} else if (net->forward.type->ends(net, given->src, given->dst, &message->up,
					   &message->out) == 0) {
		go(net, given, i);
	} else {
		net->messages.nopen--;
		pool_give(&net->messages, i);
		no_way(net, given);
	}
	net->messages.asking = NOBODY;
	return net->messages.asked_ps;
}

int64_t net_send(struct net *net, const struct net_message *given)
{
	return net->run.hops->send(net, given);
}

void net_message_left(struct net *net, int32_t message)
{
	struct message *m = &net->messages.at[message];
	const struct message left = *m;

	m->has_left = true;
	if (m->has_come)
		pool_give(&net->messages, message);
	if (!left.skips_injected)
		hop_call(net, left.cookie, false);
	if (left.releases)
		net_requests_release(net, left.src);
}

/* ---- coming ---- */

void net_message_come(struct net *net, int32_t message)
{
	hop_message_come(net, message, &net->counts.totals[net->messages.at[message].owner], true);
}

void net_packet_watched(struct net *net, int32_t packet)
{
	hop_packet_come(net, packet, true);
}

void net_packet_take(struct net *net, int32_t packet)
{
	hop_packet_take(net, packet);
}

void net_packet_come(struct net *net, int32_t packet)
{
	if (net->nics.nheld == NULL || !net_requests_keep(net, packet))
		net_packet_take(net, packet);
}
