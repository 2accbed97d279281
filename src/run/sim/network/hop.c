/* hop.c - packets from router to router: links, buffers, credits */
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"

void net_count_watched(struct net *net, int32_t packet, struct net_totals *totals)
{
	hop_count(net, packet, totals, true);
}

void net_wake_at(struct net *net, int32_t channel, int64_t time)
{
	struct port_rest *rest = &net->ports.rests[channel];

	if (rest->wake - 1 >= 0 && rest->wake - 1 <= time)
		return;
	rest->wake = time + 1;
	wheel_add(&net->wheel, time, EVENT(WAKE, channel));
}

/* Routings ask for these by the graph's channels, of the plane that the packet is in. */
int64_t net_unreturned(struct net *net, int32_t channel)
{
	struct port *port = port_of(net, net->copies.base + channel);
	int64_t bytes = net->plan.nvcs * net->plan.params->input_buffer_bytes;

	credits_take(&net->credits, port, net->run.now);
	for (int vc = 0; vc < net->plan.nvcs; vc++)
		bytes -= port->credit[vc];
	return bytes;
}

int64_t net_waiting(const struct net *net, int32_t channel)
{
	int64_t bytes;

	channel += net->copies.base;
	bytes = port_backlog(net, port_of(net, channel));
	if (net->ports.inputs != NULL)
		bytes += port_backlog(net, port_of(net, net->plan.nchannels + channel));
	return bytes;
}

int64_t net_room(struct net *net, int32_t channel, int vc)
{
	struct port *port;
	int64_t room;

	if (net->ports.inputs == NULL) {
		room = net->plan.params->input_buffer_bytes - net_waiting(net, channel);
		return room > 0 ? room : 0;
	}
	port = port_of(net, net->plan.nchannels + net->copies.base + channel);
	credits_take(&net->credits, port, net->run.now);
	return port->credit[vc];
}

/* ---- links ---- */

/*
 * Where a packet crosses that could from from_ps on: where ports cross alone, not while one of
 * another virtual channel of its port does. Crossings that were granted stay as they are.
 */
static int64_t crosses_at(const struct net *net, const struct packet *p, int64_t from_ps,
			  int64_t takes_ps)
{
	const struct input *inputs = &net->ports.inputs[p->channel * net->plan.nvcs];
	bool is_free = !net->plan.params->ports_cross_alone;

	while (!is_free) {
		is_free = true;
		for (int vc = 0; vc < net->plan.nvcs; vc++)
			if (vc != p->vc && from_ps < inputs[vc].free_ps &&
			    inputs[vc].begin_ps < from_ps + takes_ps) {
				from_ps = inputs[vc].free_ps;
				is_free = false;
			}
	}
	return from_ps;
}

static void cross(struct net *net, const struct packet *p, int64_t begin_ps, int64_t done_ps)
{
	int32_t i = p->channel * net->plan.nvcs + p->vc;
	struct input *input = &net->ports.inputs[i];

	input->is_waiting = false;
	input->begin_ps = begin_ps;
	input->free_ps = done_ps;
	if (input->queue.first != NOBODY)
		wheel_add(&net->wheel, done_ps, EVENT(HEAD, i));
}

/* What is counted or published. */
static void commit_special(struct net *net, const struct packet *p, int32_t channel, int vc,
			   int64_t depart_ps)
{
	if (net->published != NULL)
		net_published_note(net, channel);
	if (net->counts.stalls != NULL && p->channel != NOBODY && p->channel < net->plan.nchannels)
		stall_end(&net->counts.stalls[p->channel], net->run.now, depart_ps);
	if (net->counts.vcs != NULL && channel < net->plan.nchannels) {
		net->counts.vcs[channel * net->plan.nvcs + vc].bytes += p->bytes;
		net->counts.vcs[channel * net->plan.nvcs + vc].packets++;
	}
}

/* The packet is at the router before channel and may leave. */
static void send(struct net *net, int32_t packet, int32_t channel, int vc)
{
	hop_pass(net, NULL, packet, net->packets.at[packet].bytes, channel, vc, HOP_ANY, NULL);
}

void net_commit(struct net *net, struct port *port, int32_t packet, int32_t channel, int vc,
		int64_t depart_ps)
{
	struct packet *p = &net->packets.at[packet];
	int64_t arrive;

	if (channel >= net->plan.nchannels)
		depart_ps = crosses_at(net, p, depart_ps, send_ps(net, port, p->bytes));
	arrive = hop_depart(net, port, p, channel, vc, depart_ps, HOP_ANY,
			    net->run.reach == NET_FAR ? hop_later : net->forward.type->onward);
	commit_special(net, p, channel, vc, depart_ps);
	if (p->channel != NOBODY)
		hop_vacate(net, port_of(net, p->channel), p, port->free_ps);
	if (channel >= net->plan.nchannels)
		cross(net, p, depart_ps, port->free_ps);
	if (channel < net->plan.nchannels && hop_is_done(net, port, packet))
		return;
	hop_enter(p, channel, vc);
	/* where links have no latency crossing may take no time */
	if (channel >= net->plan.nchannels && depart_ps == net->run.now)
		send(net, packet, channel - net->plan.nchannels, vc);
	else
		hop_fly(net, port, packet, channel, arrive);
}

void net_give_back(struct net *net, const struct packet *p)
{
	struct port *port = port_of(net, p->channel);

	hop_give(net, port, p->channel, p->vc, p->bytes,
		 net->run.now + net->plan.levels[port->level].credit_ps);
}

/* Something of bytes for vc has to wait for credits. */
void net_wait(struct net *net, int32_t channel, int vc, int32_t bytes)
{
	struct port *port = port_of(net, channel);
	int64_t time;

	if (!port->is_touched)
		ports_touch(&net->ports, channel);
	if (net->published != NULL)
		net_published_note(net, channel);
	port->blocked |= (uint16_t)(1U << vc);
	port->queued += bytes;
	time = credits_next(&net->credits, port, (uint16_t)(1U << vc));
	if (time >= 0)
		net_wake_at(net, channel, time > net->run.now ? time : net->run.now);
}

static void enqueue(struct net *net, int32_t channel, int vc, int32_t packet)
{
	struct queue *queue =
		&net->ports.queues[(size_t)channel * (size_t)net->plan.nvcs + (size_t)vc];

	net->packets.at[packet].next = NOBODY;
	if (port_of(net, channel)->blocked >> vc & 1)
		net->packets.at[queue->last].next = packet;
	else
		queue->first = packet;
	queue->last = packet;
}

void net_line_up(struct net *net, int32_t packet, int32_t channel, int vc)
{
	bool is_blocked = port_of(net, channel)->blocked >> vc & 1;
	int32_t bytes = net->packets.at[packet].bytes;

	enqueue(net, channel, vc, packet);
	if (is_blocked)
		port_of(net, channel)->queued += bytes;
	else
		net_wait(net, channel, vc, bytes);
}

/* From now on the packet waits in the input buffer where it has come. */
static void wait_there(struct net *net, int32_t packet)
{
	if (net->counts.stalls != NULL)
		stall_begin(&net->counts.stalls[net->packets.at[packet].channel], net->run.now);
}

void net_lag_behind(struct net *net, int32_t packet, int32_t at, int vc, int64_t lag_ps)
{
	struct packet *p = &net->packets.at[packet];
	struct queue *queue = &net->ports.lagging[p->channel];
	int32_t *link = &queue->first;

	p->onward = at;
	p->flags |= (uint8_t)(vc << VC_SHIFT);
	p->ready_ps = net->run.now + lag_ps;
	while (*link != NOBODY && net->packets.at[*link].ready_ps <= p->ready_ps)
		link = &net->packets.at[*link].next;
	p->next = *link;
	*link = packet;
	wheel_add(&net->wheel, p->ready_ps, EVENT(READY, p->channel));
}

/* The packet's next hop from the router that it has reached. */
static void go_on(struct net *net, int32_t packet)
{
	struct packet *p = &net->packets.at[packet];
	const struct port *in = port_of(net, p->channel);
	int32_t channel, at;
	int vc;

	p->nhops++;
	net->copies.base = net_plane_base(net, p->nic);
	channel = net_copy_of(net, net->forward.type->next(net, in->to, p, &vc), p->nic);
	if (p->flags & IS_ANSWER)
		vc += net->plan.class_vcs;
	at = net->ports.inputs != NULL ? net->plan.nchannels + channel : channel;
	if (net->plan.has_lag) {
		int64_t lag = hop_lag(net, in, port_of(net, channel), p->bytes);

		if (lag > 0) {
			net_lag_behind(net, packet, at, vc, lag);
			return;
		}
	}
	if (net->ports.inputs == NULL)
		wait_there(net, packet);
	send(net, packet, at, vc);
}

int32_t net_lagging_take(struct net *net, int32_t channel)
{
	struct queue *queue = &net->ports.lagging[channel];
	int32_t packet = queue->first;

	queue->first = net->packets.at[packet].next;
	if (net->ports.inputs == NULL)
		wait_there(net, packet);
	return packet;
}

/* The packet joins the end of its input buffer's queue; the first one proceeds. */
static void line_up(struct net *net, int32_t packet)
{
	struct packet *p = &net->packets.at[packet];
	int32_t i = p->channel * net->plan.nvcs + p->vc;
	struct input *input = &net->ports.inputs[i];

	wait_there(net, packet);
	if (input->queue.first == NOBODY && !input->is_waiting && input->free_ps <= net->run.now) {
		input->is_waiting = true;
		go_on(net, packet);
		return;
	}
	p->next = NOBODY;
	if (input->queue.first != NOBODY) {
		net->packets.at[input->queue.last].next = packet;
	} else {
		input->queue.first = packet;
		if (!input->is_waiting)
			wheel_add(&net->wheel, input->free_ps, EVENT(HEAD, i));
	}
	input->queue.last = packet;
}

void net_head(struct net *net, int32_t i)
{
	struct input *input = &net->ports.inputs[i];
	int32_t packet = input->queue.first;

	input->queue.first = net->packets.at[packet].next;
	input->is_waiting = true;
	go_on(net, packet);
}

void net_arrive(struct net *net, int32_t channel)
{
	struct port *port = port_of(net, channel);
	int32_t packet = hop_land(net, port);

	if (channel >= net->plan.nchannels)
		send(net, packet, channel - net->plan.nchannels, net->packets.at[packet].vc);
	else if (port->to < 0)
		net_packet_come(net, packet);
	else if (net->ports.inputs != NULL)
		line_up(net, packet);
	else
		go_on(net, packet);
}

static void begin(struct net *net, int32_t up, struct packet *packet)
{
	net->forward.type->begin(net, up, packet);
}

void net_nic_pump(struct net *net, int32_t channel)
{
	hop_pump(net, channel, HOP_ANY, begin, NULL);
}

static void run_small(struct net *net)
{
	hop_run(net, HOP_ANY, NET_SMALL, NULL, begin, NULL, NULL, NULL);
}

static void run_large(struct net *net)
{
	hop_run(net, HOP_ANY, NET_LARGE, NULL, begin, NULL, NULL, NULL);
}

const struct forward_hops net_any_hops = {{run_small, run_large, NULL}, net_send_any};
