/* rehearsal.c - how long the messages of a mapping take when all are sent at once */
#include "map/problem/rehearsal.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "map/problem/rehearsal_state.h"

enum { APART = TICKS / 16 }; /* at most, where ranks begin apart */

/* Those of one time happen in this order, then by the number of the machine's channel. */
enum event_kind {
	LINK_FREE,
	MESSAGE_LEFT,
	PACKET_COME,
	ROOM_FREE,
	RANK_BEGINS,
	RANK_SENDS,
	COPIED
};

static void add_event(struct rehearsal *r, int64_t ticks, enum event_kind kind, int32_t channel,
		      int32_t what, int32_t amount)
{
	int64_t order = ((int64_t)kind << 32) + r->routes->channels.at[channel];

	event_queue_add(&r->events, ticks, order, what, amount);
}

/* ---- messages ---- */

/* The nodes between which a part of a message goes. */
static void find_ends(const struct rehearsal *r, int32_t edge, int phase, int *from, int *to)
{
	int sender = r->node_of[r->rank_of[edge]], receiver = r->node_of[r->comm->peer[edge]];

	*from = phase == ANSWER ? receiver : sender;
	*to = phase == ANSWER ? sender : receiver;
}

/* How many links follow the node's own, then these. */
static const int32_t *rest_of(const struct rehearsal *r, const struct packet *packet)
{
	int from, to;

	if (packet->route != NONE)
		return &r->routes->pool.at[packet->route];
	find_ends(r, packet->edge, packet->phase, &from, &to);
	return routes_rest(r->routes, from, to);
}

/* The link after so many others; NONE: the packet has arrived before. */
static int32_t link_after(const struct rehearsal *r, const struct packet *packet, int hop)
{
	const int32_t *rest = rest_of(r, packet);

	return hop <= rest[0] ? rest[hop] : NONE;
}

/* What a packet takes on a link. */
static int64_t ticks_on(const struct rehearsal *r, int32_t channel, int32_t ticks)
{
	return (int64_t)(ticks * r->routes->per_byte.at[channel] + 0.5);
}

static int32_t packet_make(struct rehearsal *r, int32_t edge, int phase, int32_t channel)
{
	int32_t which = r->spare;
	int from, to;

	find_ends(r, edge, phase, &from, &to);
	if (which == NONE) {
		which = (int32_t)r->packets.n;
		vec_push(&r->packets, (struct packet){0});
	} else {
		r->spare = r->packets.at[which].next;
	}
	r->packets.at[which] = (struct packet){.edge = edge,
					       .next = NONE,
					       .ticks = phase == DATA ? r->cuts[edge].ticks : 0,
					       .channel = channel,
					       .route = routes_kept(r->routes, from, to),
					       .phase = (int8_t)phase};
	return which;
}

/* ---- links ---- */

static size_t place(const struct rehearsal *r, int32_t channel, int vc)
{
	return (size_t)channel * (size_t)r->nvcs + (size_t)vc;
}

/* A packet gets the next time of its link; the one after it is not so fast that it has to wait for
 * the rest. */
static void depart(struct rehearsal *r, int32_t which)
{
	struct packet *packet = &r->packets.at[which];
	int32_t channel = packet->channel;
	int64_t head = r->free_at[channel] > r->now ? r->free_at[channel] : r->now;
	int64_t tail = head + ticks_on(r, channel, packet->ticks);

	r->free_at[channel] = tail;
	if (packet->onward == NONE) {
		head = tail;
	} else {
		int64_t least = tail - ticks_on(r, packet->onward, packet->ticks);

		head = least > head ? least : head;
		r->room[place(r, channel, packet->vc)] -= packet->ticks;
	}
	add_event(r, head + r->hop_ticks, PACKET_COME, channel, which, 0);
}

/* A link between routers, or to a node, gets a packet: the buffer where it was is free when it has
 * left. */
static void forward(struct rehearsal *r, int32_t which)
{
	const struct packet *packet = &r->packets.at[which];

	depart(r, which);
	if (packet->ticks > 0)
		add_event(r, r->free_at[packet->channel] + r->hop_ticks, ROOM_FREE, packet->behind,
			  (int32_t)place(r, packet->behind, packet->vc_behind), packet->ticks);
}

static void wait_for_room(struct rehearsal *r, int32_t which)
{
	struct packet *packet = &r->packets.at[which];
	struct line *line = &r->lines[place(r, packet->channel, packet->vc)];

	packet->next = NONE;
	if (line->first == NONE)
		line->first = which;
	else
		r->packets.at[line->last].next = which;
	line->last = which;
	r->waiting[packet->channel] |= 1ULL << packet->vc;
}

/* The first that waits for a virtual channel; false: none, or it has no room. */
static bool serve_one(struct rehearsal *r, int32_t channel, int vc)
{
	struct line *line = &r->lines[place(r, channel, vc)];
	int32_t which = line->first;

	if (which == NONE || r->room[place(r, channel, vc)] < r->packets.at[which].ticks)
		return false;
	line->first = r->packets.at[which].next;
	if (line->first == NONE)
		r->waiting[channel] &= ~(1ULL << vc);
	forward(r, which);
	return true;
}

/* One packet of each virtual channel in turn, while there is room. */
static void serve(struct rehearsal *r, int32_t channel)
{
	bool has_served = false, has_moved = true;
	int turn = r->turn[channel];

	while (has_moved && r->waiting[channel] != 0) {
		has_moved = false;
		for (int k = 0; k < r->nvcs; k++)
			has_moved |= serve_one(r, channel, (turn + k) % r->nvcs);
		has_served |= has_moved;
	}
	if (has_served)
		r->turn[channel] = (uint8_t)((turn + 1) % r->nvcs);
}

/* A node's own link, which is free, takes the node's next packet; false: there is none, or no room
 * for it. */
static bool send_one(struct rehearsal *r, int32_t channel)
{
	struct node *node = &r->nodes[r->node_at[channel]];
	struct packet *packet;
	int32_t edge, which;
	int phase;

	if (node->nsent == node->waiting.n)
		return false;
	edge = node->waiting.at[node->nsent] / PHASES;
	phase = node->waiting.at[node->nsent] % PHASES;
	if (phase == DATA && r->room[place(r, channel, 0)] < r->cuts[edge].ticks)
		return false;
	which = packet_make(r, edge, phase, channel);
	packet = &r->packets.at[which];
	packet->is_last = phase != DATA || ++node->npackets == r->cuts[edge].npackets;
	packet->onward = link_after(r, packet, 1);
	depart(r, which);
	if (!packet->is_last)
		return true;
	node->npackets = 0;
	node->nsent++;
	if (phase == DATA)
		add_event(r, r->free_at[channel], MESSAGE_LEFT, channel, r->rank_of[edge], 0);
	return true;
}

/* All that a node's own link can take now; an event for when it can take more. */
static void send(struct rehearsal *r, int32_t channel)
{
	struct node *node = &r->nodes[r->node_at[channel]];

	if (node->is_called)
		return;
	while (r->free_at[channel] <= r->now && send_one(r, channel))
		;
	if (r->free_at[channel] > r->now && node->nsent < node->waiting.n) {
		node->is_called = true;
		add_event(r, r->free_at[channel], LINK_FREE, channel, channel, 0);
	}
}

/* ---- nodes and ranks ---- */

static void hand_over(struct rehearsal *r, int v, int32_t edge, int phase)
{
	vec_push(&r->nodes[v].waiting, edge * PHASES + phase);
	send(r, r->routes->up[v]);
}

static bool is_eager(const struct rehearsal *r, int64_t edge)
{
	return r->comm->bytes[edge] <= r->eager;
}

static void finish_one(struct rehearsal *r, int which);

/* Its receiver has come to the round of what began an edge: a request is answered, eager data are
 * there. */
static void meet(struct rehearsal *r, int32_t edge)
{
	int to = r->comm->peer[edge];

	if (is_eager(r, edge) ||
	    rehearsal_copies(r->travel, r->comm, r->node_of, r->rank_of[edge], edge))
		finish_one(r, to);
	else
		hand_over(r, r->node_of[to], edge, ANSWER);
}

/* The node's copies are made by whoever is free first. */
static void begin_copy(struct rehearsal *r, int32_t edge)
{
	const struct travel *travel = r->travel;
	double part = r->comm->bytes[edge] / (r->unit * r->npackets);
	int64_t takes = (int64_t)((part * travel->copy + travel->copy_overhead) * TICKS + 0.5);
	int64_t *all = &r->copied_at[r->node_of[r->rank_of[edge]] * travel->ncopies];
	int64_t *first = all, done = r->now + takes;

	for (int i = 1; i < travel->ncopies; i++)
		if (all[i] < *first)
			first = &all[i];
	if (part >= travel->copy_eager) {
		done = (*first > r->now ? *first : r->now) + takes;
		*first = done;
	}
	event_queue_add(&r->events, done, ((int64_t)COPIED << 32) + edge, edge, 0);
}

static bool is_pending(const struct rehearsal *r, int which, int64_t e)
{
	return rehearsal_sends(r->comm, r->node_of, which, e) ||
	       rehearsal_copies(r->travel, r->comm, r->node_of, which, e);
}

static void begin_message(struct rehearsal *r, int which, int64_t e)
{
	if (rehearsal_sends(r->comm, r->node_of, which, e))
		hand_over(r, r->node_of[which], (int32_t)e, is_eager(r, e) ? DATA : ASK);
	else
		begin_copy(r, (int32_t)e);
}

/* The rank's messages from e on, one after the other. */
static void send_from(struct rehearsal *r, int which, int64_t e)
{
	for (; e < r->comm->first[which + 1]; e++) {
		if (!is_pending(r, which, e))
			continue;
		if (r->setup_ticks > 0) {
			event_queue_add(&r->events, r->now + r->setup_ticks,
					((int64_t)RANK_SENDS << 32) + which, (int32_t)e, 0);
			return;
		}
		begin_message(r, which, e);
	}
}

static void end_setup(struct rehearsal *r, int32_t edge)
{
	begin_message(r, r->rank_of[edge], edge);
	send_from(r, r->rank_of[edge], edge + 1);
}

/* What a rank sends in its next round begins, and what has come for it too early is met. */
static void begin_round(struct rehearsal *r, int which)
{
	struct rank *rank = &r->ranks[which];
	early_list early = rank->early, later = {0};
	size_t n = 0;

	if (++rank->round == r->size->nrounds)
		return;
	for (size_t i = 0; i < early.n; i++)
		if (early.at[i].round == rank->round)
			early.at[n++] = early.at[i];
		else
			vec_push(&later, early.at[i]);
	rank->early = later;
	rank->npending = rank->nsent + rank->nreceived;
	send_from(r, which, r->comm->first[which]);
	for (size_t i = 0; i < n; i++)
		meet(r, early.at[i].edge);
	vec_free(&early);
}

/* A message has left, or has come. */
static void finish_one(struct rehearsal *r, int which)
{
	struct rank *rank = &r->ranks[which];

	if (--rank->npending == 0)
		begin_round(r, which);
}

/* A request, or all eager data, or a copy, of the receiver's round or a later one. */
static void begin(struct rehearsal *r, int32_t edge)
{
	struct rank *receiver = &r->ranks[r->comm->peer[edge]];
	int32_t round = r->nbegun[edge]++;

	if (round == receiver->round)
		meet(r, edge);
	else
		vec_push(&receiver->early, ((struct early){edge, round}));
}

/* The last link is behind a packet: an answer is followed by the data. */
static void arrive(struct rehearsal *r, int32_t which)
{
	struct packet *packet = &r->packets.at[which];
	bool is_last = packet->is_last;
	int phase = packet->phase;
	int32_t edge = packet->edge;
	int to = r->comm->peer[edge];

	packet->next = r->spare;
	r->spare = which;
	r->end = r->now;
	if (phase == ANSWER)
		hand_over(r, r->node_of[r->rank_of[edge]], edge, DATA);
	else if (phase == ASK || (is_last && is_eager(r, edge)))
		begin(r, edge);
	else if (is_last)
		finish_one(r, to);
}

static void end_copy(struct rehearsal *r, int32_t edge)
{
	r->end = r->now;
	begin(r, edge);
	finish_one(r, r->rank_of[edge]);
}

/* By the next link, unless others wait for its virtual channel or it has no room. To its receiver
 * there is room for all. */
static void come(struct rehearsal *r, int32_t which)
{
	struct packet *packet = &r->packets.at[which];
	int32_t channel = packet->onward;

	if (channel == NONE) {
		arrive(r, which);
		return;
	}
	packet->behind = packet->channel;
	packet->vc_behind = packet->vc;
	packet->channel = channel;
	packet->onward = link_after(r, packet, ++packet->hop + 1);
	packet->vc = 0;
	if (packet->onward == NONE) {
		forward(r, which);
		return;
	}
	packet->vc = (uint8_t)vc_classes_next(r->classes, r->routes->channels.at[channel],
					      &packet->vc_state);
	if ((r->waiting[channel] >> packet->vc & 1) != 0 ||
	    r->room[place(r, channel, packet->vc)] < packet->ticks)
		wait_for_room(r, which);
	else
		forward(r, which);
}

/* ---- all ---- */

static void free_room(struct rehearsal *r, int32_t channel)
{
	if (r->node_at[channel] != NONE)
		send(r, channel);
	else if (r->waiting[channel] != 0)
		serve(r, channel);
}

static void happen(struct rehearsal *r, const struct queued_event *event)
{
	r->now = event->ticks;
	switch ((enum event_kind)(event->order >> 32)) {
	case LINK_FREE:
		r->nodes[r->node_at[event->what]].is_called = false;
		send(r, event->what);
		break;
	case MESSAGE_LEFT:
		finish_one(r, event->what);
		break;
	case PACKET_COME:
		come(r, event->what);
		break;
	case ROOM_FREE:
		r->room[event->what] += event->amount;
		free_room(r, event->what / r->nvcs);
		break;
	case RANK_BEGINS:
		begin_round(r, event->what);
		break;
	case RANK_SENDS:
		end_setup(r, event->what);
		break;
	case COPIED:
		end_copy(r, event->what);
		break;
	}
}

static void add_beginnings(struct rehearsal *r)
{
	struct rng rng = rng_make((uint64_t)r->size->shift, "rehearsal", NULL, NULL);

	for (int rank = 0; rank < r->comm->nranks; rank++) {
		int64_t ticks = r->size->shift != 0 ? (int64_t)rng_below(&rng, APART) : 0;

		event_queue_add(&r->events, ticks, ((int64_t)RANK_BEGINS << 32) + rank, rank, 0);
	}
}

double rehearsal_time(const struct map_input *in, struct routes *routes,
		      const struct vc_classes *classes, const int *node_of,
		      const struct rehearsal_size *size)
{
	struct rehearsal r = {.comm = in->comm,
			      .routes = routes,
			      .node_of = node_of,
			      .size = size,
			      .classes = classes,
			      .nvcs = 1,
			      .travel = rehearsal_travel(in),
			      .spare = NONE};
	struct queued_event event;

	rehearsal_start(&r, in);
	add_beginnings(&r);
	while (event_queue_take(&r.events, &event))
		happen(&r, &event);
	rehearsal_finish(&r, in->nnodes);
	return (double)r.end / size->nrounds / TICKS;
}
