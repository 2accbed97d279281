/* rehearsal.c - how long the messages of a mapping take when all are sent at once */
#include "map/problem/rehearsal.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "map/problem/event_queue.h"

enum {
	NONE = -1,
	TICKS = 4096,       /* of the largest message, on a link of capacity 1 */
	APART = TICKS / 16, /* at most, where ranks begin apart */
	HOPS = 64           /* of a route, at most */
};

const struct travel travel_of_large = {.eager = 0, .packet = 0, .room = 0.5, .hop = 0.01};

/* Those of one time happen in this order, then by the number of the machine's channel. */
enum event_kind { LINK_FREE, MESSAGE_LEFT, PACKET_COME, ROOM_FREE, RANK_BEGINS, COPIED };

/* Of a message, in their order. */
enum phase { ASK, ANSWER, DATA, PHASES };

struct packet {
	int64_t ready; /* for the link that it waits for */
	int32_t edge;
	int32_t next; /* behind it, or among the free ones */
	int32_t ticks;
	int16_t hop; /* the link that it waits for, or is on */
	int8_t phase;
	bool is_last; /* of its message */
};

struct rank {
	int round;
	int nsent, nreceived; /* in a round; to and from others of its node, if copies take time */
	int npending;         /* of both, in this round */
	int_vec early;        /* edges whose request, or eager data, is for its next round */
};

struct line {
	int32_t first, last;
};

struct node {
	int_vec waiting; /* edge · PHASES + phase */
	size_t nsent;    /* of them */
	int npackets;    /* of the next one, that have been sent */
};

/* All by the dense numbers of channels. */
struct rehearsal {
	const struct comm *comm;
	struct routes *routes;
	const int *node_of;
	const struct rehearsal_size *size;
	int32_t *rank_of; /* [nedges] who sends */
	struct rank *ranks;
	int32_t *nbegun; /* [nedges] requests, or eager data, that have come */
	double eager;    /* bytes */
	int npackets;    /* of the largest message */
	double unit;     /* bytes of a packet */
	int32_t hop_ticks;
	int nhops; /* of the longest route */
	const struct travel *travel;
	int64_t *copied_at; /* [nnodes · travel->ncopies] when the copy that is made there ends */
	struct node *nodes;
	int32_t *node_at;   /* [nchannels] whose own link it is; NONE */
	struct line *lines; /* [nchannels · nhops] packets that wait for the link, by hop */
	int32_t *room;      /* [nchannels · nhops] ticks of packets, at the far end */
	int64_t *free_at;   /* [nchannels] ticks */
	char *is_called;    /* [nchannels] there is an event for when it is free */
	uint64_t *waiting;  /* [nchannels] hops of which packets wait, between routers */
	VEC(struct packet) packets;
	int32_t spare;
	struct event_queue events;
	int64_t now;
	int64_t first_end, end; /* of the first exchange, of all */
};

static void add_event(struct rehearsal *r, int64_t ticks, enum event_kind kind, int32_t channel,
		      int32_t what, int32_t amount)
{
	int64_t order = ((int64_t)kind << 32) + r->routes->channels.at[channel];

	event_queue_add(&r->events, ticks, order, what, amount);
}

/* ---- messages ---- */

static bool is_sent(const struct comm *comm, const int *node_of, int rank, int64_t e)
{
	return comm->bytes[e] > 0 && node_of[rank] != node_of[comm->peer[e]];
}

static const struct travel *travel_of(const struct map_input *in)
{
	return in->travel != NULL ? in->travel : &travel_of_large;
}

/* To another rank of the node, which takes time. */
static bool is_copied(const struct travel *travel, const struct comm *comm, const int *node_of,
		      int rank, int64_t e)
{
	int peer = comm->peer[e];

	return travel->ncopies > 0 && comm->bytes[e] > 0 && peer != rank &&
	       node_of[rank] == node_of[peer];
}

/* The link that a packet takes at a hop; NONE: it has arrived before. */
static int32_t link_of(const struct rehearsal *r, int32_t edge, int phase, int hop)
{
	int a = r->node_of[r->rank_of[edge]], b = r->node_of[r->comm->peer[edge]];
	int from = phase == ANSWER ? b : a;
	const int32_t *rest;

	if (hop == 0)
		return r->routes->up[from];
	rest = routes_rest(r->routes, from, phase == ANSWER ? a : b);
	return hop <= rest[0] ? rest[hop] : NONE;
}

static int npackets(const struct rehearsal *r, int32_t edge, int phase)
{
	double n = phase == DATA ? ceil(r->comm->bytes[edge] / r->unit - 1e-9) : 1;

	return n < 1 ? 1 : (int)n;
}

/* What a packet takes on a link. */
static int64_t ticks_on(const struct rehearsal *r, int32_t channel, int32_t ticks)
{
	return (int64_t)(ticks * r->routes->per_byte.at[channel] + 0.5);
}

/* Of a packet, on a link of capacity 1. */
static int32_t ticks_of(const struct rehearsal *r, int32_t edge, int phase)
{
	if (phase != DATA)
		return 0;
	return (int32_t)(r->comm->bytes[edge] / npackets(r, edge, phase) / r->unit * TICKS /
				 r->npackets +
			 0.5);
}

static int32_t packet_make(struct rehearsal *r, int32_t edge, int phase)
{
	int32_t which = r->spare;

	if (which == NONE) {
		which = (int32_t)r->packets.n;
		vec_push(&r->packets, (struct packet){0});
	} else {
		r->spare = r->packets.at[which].next;
	}
	r->packets.at[which] = (struct packet){.edge = edge,
					       .next = NONE,
					       .ticks = ticks_of(r, edge, phase),
					       .phase = (int8_t)phase};
	return which;
}

/* ---- links ---- */

static size_t place(const struct rehearsal *r, int32_t channel, int hop)
{
	return (size_t)channel * (size_t)r->nhops + (size_t)hop;
}

static bool has_work(const struct rehearsal *r, int32_t channel)
{
	const struct node *node;

	if (r->node_at[channel] == NONE)
		return r->waiting[channel] != 0;
	node = &r->nodes[r->node_at[channel]];
	return node->nsent < node->waiting.n;
}

/* An event for when it is free, if anything waits. */
static void call(struct rehearsal *r, int32_t channel)
{
	if (r->is_called[channel] || !has_work(r, channel))
		return;
	r->is_called[channel] = 1;
	add_event(r, r->free_at[channel], LINK_FREE, channel, channel, 0);
}

/* A packet is on its link; the next one is not so fast that it has to wait for the rest. */
static void depart(struct rehearsal *r, int32_t which, int32_t channel)
{
	struct packet *packet = &r->packets.at[which];
	int64_t tail = r->now + ticks_on(r, channel, packet->ticks), head = r->now;
	int32_t next = link_of(r, packet->edge, packet->phase, packet->hop + 1);

	r->free_at[channel] = tail;
	if (next == NONE)
		head = tail;
	else if (tail - ticks_on(r, next, packet->ticks) > head)
		head = tail - ticks_on(r, next, packet->ticks);
	if (next != NONE)
		r->room[place(r, channel, packet->hop)] -= packet->ticks;
	packet->ready = head + r->hop_ticks;
	add_event(r, packet->ready, PACKET_COME, channel, which, 0);
	call(r, channel);
}

/* A node's own link takes the node's next packet. */
static void send_next(struct rehearsal *r, int32_t channel)
{
	struct node *node = &r->nodes[r->node_at[channel]];
	int32_t edge, which;
	int phase;

	if (node->nsent == node->waiting.n)
		return;
	edge = node->waiting.at[node->nsent] / PHASES;
	phase = node->waiting.at[node->nsent] % PHASES;
	if (r->room[place(r, channel, 0)] < ticks_of(r, edge, phase))
		return;
	which = packet_make(r, edge, phase);
	if (++node->npackets == npackets(r, edge, phase)) {
		node->npackets = 0;
		node->nsent++;
		r->packets.at[which].is_last = true;
	}
	depart(r, which, channel);
	if (phase == DATA && node->npackets == 0)
		add_event(r, r->free_at[channel], MESSAGE_LEFT, channel, r->rank_of[edge], 0);
}

/* A link between routers, or to a node, takes the packet that was ready first, of those with room.
 */
static void forward(struct rehearsal *r, int32_t channel)
{
	int32_t best = NONE, behind;
	struct line *line;

	for (uint64_t hops = r->waiting[channel]; hops != 0; hops &= hops - 1) {
		int hop = __builtin_ctzll(hops);
		int32_t which = r->lines[place(r, channel, hop)].first;
		const struct packet *packet = &r->packets.at[which];

		if (best != NONE && packet->ready >= r->packets.at[best].ready)
			continue;
		if (r->room[place(r, channel, hop)] >= packet->ticks ||
		    link_of(r, packet->edge, packet->phase, hop + 1) == NONE)
			best = which;
	}
	if (best == NONE)
		return;
	line = &r->lines[place(r, channel, r->packets.at[best].hop)];
	line->first = r->packets.at[best].next;
	if (line->first == NONE)
		r->waiting[channel] &= ~(1ULL << r->packets.at[best].hop);
	depart(r, best, channel);
	if (r->packets.at[best].ticks == 0)
		return;
	behind = link_of(r, r->packets.at[best].edge, DATA, r->packets.at[best].hop - 1);
	add_event(r, r->free_at[channel] + r->hop_ticks, ROOM_FREE, behind,
		  (int32_t)place(r, behind, r->packets.at[best].hop - 1),
		  r->packets.at[best].ticks);
}

static void go_on(struct rehearsal *r, int32_t channel)
{
	if (r->free_at[channel] > r->now || r->is_called[channel])
		call(r, channel);
	else if (r->node_at[channel] != NONE)
		send_next(r, channel);
	else
		forward(r, channel);
}

/* ---- nodes and ranks ---- */

static void hand_over(struct rehearsal *r, int v, int32_t edge, int phase)
{
	vec_push(&r->nodes[v].waiting, edge * PHASES + phase);
	go_on(r, r->routes->up[v]);
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

	if (is_eager(r, edge) || is_copied(r->travel, r->comm, r->node_of, r->rank_of[edge], edge))
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

/* What a rank sends in a round begins, and what has come too early is met. */
static void begin_round(struct rehearsal *r, int which)
{
	struct rank *rank = &r->ranks[which];
	int_vec early = rank->early;

	rank->npending = rank->nsent + rank->nreceived;
	rank->early = (int_vec){0};
	for (int64_t e = r->comm->first[which]; e < r->comm->first[which + 1]; e++)
		if (is_sent(r->comm, r->node_of, which, e))
			hand_over(r, r->node_of[which], (int32_t)e, is_eager(r, e) ? DATA : ASK);
		else if (is_copied(r->travel, r->comm, r->node_of, which, e))
			begin_copy(r, (int32_t)e);
	for (size_t i = 0; i < early.n; i++)
		meet(r, early.at[i]);
	vec_free(&early);
}

/* A message has left, or has come. */
static void finish_one(struct rehearsal *r, int which)
{
	struct rank *rank = &r->ranks[which];

	if (--rank->npending == 0 && ++rank->round < r->size->nrounds)
		begin_round(r, which);
}

/* A request, or all eager data, or a copy, of the receiver's round or the next one. */
static void begin(struct rehearsal *r, int32_t edge)
{
	struct rank *receiver = &r->ranks[r->comm->peer[edge]];

	if (r->nbegun[edge]++ == receiver->round)
		meet(r, edge);
	else
		vec_push(&receiver->early, edge);
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
	if (phase == DATA && is_last && r->ranks[to].round == 0)
		r->first_end = r->now;
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
	if (r->ranks[r->comm->peer[edge]].round == 0)
		r->first_end = r->now;
	begin(r, edge);
	finish_one(r, r->rank_of[edge]);
}

static void come(struct rehearsal *r, int32_t which)
{
	struct packet *packet = &r->packets.at[which];
	int32_t channel = link_of(r, packet->edge, packet->phase, ++packet->hop);
	struct line *line;

	if (channel == NONE) {
		arrive(r, which);
		return;
	}
	line = &r->lines[place(r, channel, packet->hop)];
	packet->next = NONE;
	if (line->first == NONE)
		line->first = which;
	else
		r->packets.at[line->last].next = which;
	line->last = which;
	r->waiting[channel] |= 1ULL << packet->hop;
	go_on(r, channel);
}

/* ---- all ---- */

int64_t rehearsal_cost(const struct map_input *in, struct routes *routes, const int *node_of,
		       const struct rehearsal_size *size)
{
	const struct comm *comm = in->comm;
	int64_t nhops = 0;

	if (routes->split != NULL || comm->nedges > INT32_MAX / PHASES)
		return -1;
	for (int rank = 0; rank < comm->nranks; rank++)
		for (int64_t e = comm->first[rank]; e < comm->first[rank + 1]; e++) {
			int a = node_of[rank], b = node_of[comm->peer[e]];

			nhops += is_copied(travel_of(in), comm, node_of, rank, e);
			if (!is_sent(comm, node_of, rank, e))
				continue;
			if (routes->up[a] < 0 || routes->up[b] < 0 ||
			    routes_rest(routes, a, b)[0] >= HOPS ||
			    routes_rest(routes, b, a)[0] >= HOPS)
				return -1;
			nhops += 1 + routes_rest(routes, a, b)[0];
		}
	return nhops > 0 && !routes->is_broken ? nhops * (size->npackets + 2) * size->nrounds : -1;
}

/* The longest route of any message, and back; all senders are known. */
static void look(struct rehearsal *r)
{
	for (int rank = 0; rank < r->comm->nranks; rank++)
		for (int64_t e = r->comm->first[rank]; e < r->comm->first[rank + 1]; e++) {
			int a = r->node_of[rank], b = r->node_of[r->comm->peer[e]];

			bool is_far = is_sent(r->comm, r->node_of, rank, e);

			r->rank_of[e] = rank;
			if (!is_far && !is_copied(r->travel, r->comm, r->node_of, rank, e))
				continue;
			r->ranks[rank].nsent++;
			r->ranks[r->comm->peer[e]].nreceived++;
			if (!is_far)
				continue;
			for (int turn = 0; turn < 2; turn++) {
				int n = 1 + routes_rest(r->routes, turn ? b : a, turn ? a : b)[0];

				r->nhops = n > r->nhops ? n : r->nhops;
			}
		}
}

/* What in->travel says, in packets, bytes and ticks; returns what a buffer takes, in ticks: the
 * largest packet, at least. */
static int32_t learn_travel(struct rehearsal *r, const struct map_input *in)
{
	const struct travel *travel = r->travel;
	double largest = comm_largest(in->comm), packet, room;

	r->npackets = r->size->npackets;
	if (travel->packet * r->npackets > 1)
		r->npackets = (int)ceil(1 / travel->packet - 1e-9);
	r->unit = largest / r->npackets;
	r->eager = travel->eager * largest;
	r->hop_ticks = (int32_t)fmin(travel->hop * TICKS, TICKS);
	packet = ceil((double)TICKS / r->npackets);
	room = floor(fmin(travel->room, INT16_MAX) * TICKS + 1e-9);
	return (int32_t)fmax(room, packet);
}

static void start(struct rehearsal *r, const struct map_input *in)
{
	size_t nchannels, nplaces;
	int32_t room = learn_travel(r, in);

	r->rank_of = xmalloc((size_t)in->comm->nedges * sizeof(*r->rank_of));
	r->ranks = xcalloc((size_t)in->comm->nranks, sizeof(*r->ranks));
	r->nbegun = xcalloc((size_t)in->comm->nedges, sizeof(*r->nbegun));
	look(r);
	nchannels = r->routes->channels.n;
	nplaces = nchannels * (size_t)r->nhops;
	r->nodes = xcalloc((size_t)in->nnodes, sizeof(*r->nodes));
	r->copied_at =
		xcalloc((size_t)in->nnodes * (size_t)r->travel->ncopies + 1, sizeof(*r->copied_at));
	r->lines = xmalloc(nplaces * sizeof(*r->lines));
	r->room = xmalloc(nplaces * sizeof(*r->room));
	r->free_at = xcalloc(nchannels, sizeof(*r->free_at));
	r->waiting = xcalloc(nchannels, sizeof(*r->waiting));
	r->is_called = xcalloc(nchannels, sizeof(*r->is_called));
	r->node_at = xmalloc(nchannels * sizeof(*r->node_at));
	for (size_t i = 0; i < nplaces; i++) {
		r->lines[i] = (struct line){NONE, NONE};
		r->room[i] = room;
	}
	for (size_t c = 0; c < nchannels; c++)
		r->node_at[c] = NONE;
	for (int v = 0; v < in->nnodes; v++)
		if (r->routes->up[v] >= 0)
			r->node_at[r->routes->up[v]] = v;
}

static void finish(struct rehearsal *r, int nnodes)
{
	for (int rank = 0; rank < r->comm->nranks; rank++)
		vec_free(&r->ranks[rank].early);
	for (int v = 0; v < nnodes; v++)
		vec_free(&r->nodes[v].waiting);
	vec_free(&r->packets);
	event_queue_free(&r->events);
	free(r->rank_of);
	free(r->ranks);
	free(r->nbegun);
	free(r->nodes);
	free(r->copied_at);
	free(r->lines);
	free(r->room);
	free(r->free_at);
	free(r->is_called);
	free(r->waiting);
	free(r->node_at);
}

static void happen(struct rehearsal *r, const struct queued_event *event)
{
	r->now = event->ticks;
	switch ((enum event_kind)(event->order >> 32)) {
	case LINK_FREE:
		r->is_called[event->what] = 0;
		go_on(r, event->what);
		break;
	case MESSAGE_LEFT:
		finish_one(r, event->what);
		break;
	case PACKET_COME:
		come(r, event->what);
		break;
	case ROOM_FREE:
		r->room[event->what] += event->amount;
		go_on(r, event->what / r->nhops);
		break;
	case RANK_BEGINS:
		begin_round(r, event->what);
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

double rehearsal_time(const struct map_input *in, struct routes *routes, const int *node_of,
		      const struct rehearsal_size *size)
{
	struct rehearsal r = {.comm = in->comm,
			      .routes = routes,
			      .node_of = node_of,
			      .size = size,
			      .travel = travel_of(in),
			      .spare = NONE};
	struct queued_event event;

	start(&r, in);
	add_beginnings(&r);
	while (event_queue_take(&r.events, &event))
		happen(&r, &event);
	finish(&r, in->nnodes);
	return sqrt((double)r.first_end * ((double)r.end / size->nrounds)) / TICKS;
}
