/* sim_mpi_message.c - messages between ranks: sending, matching, completion */
#include "sim/mpi/protocol.h"
#include "sim/mpi/sim_mpi_eager.h"
#include "sim/mpi/sim_mpi_graph.h"

/* What the kinds of messages are. */
static const struct {
	bool goes_back;   /* from dst to src */
	bool has_payload; /* its bytes are the message's */
	bool must_match;  /* a receive; in order */
	bool is_request;  /* a node's NIC answers it by itself with data */
	bool releases;    /* these data: the place that their request holds */
	bool is_answer;   /* of class 1 */
	bool completes;   /* the send, when it has left */
} kinds[] = {
	[MESSAGE_EAGER] = {.has_payload = true, .must_match = true, .completes = true},
	[MESSAGE_LOCAL] = {.has_payload = true, .must_match = true},
	[MESSAGE_ASK] = {.must_match = true},
	[MESSAGE_ANSWER] = {.goes_back = true, .is_request = true},
	[MESSAGE_DATA] = {.has_payload = true,
			  .is_answer = true,
			  .releases = true,
			  .completes = true},
	[MESSAGE_DONE] = {.goes_back = true, .is_answer = true},
	[MESSAGE_RTS] = {.must_match = true},
	[MESSAGE_CTS] = {.goes_back = true},
	[MESSAGE_CLEARED] = {.has_payload = true, .completes = true},
	[MESSAGE_PUT] = {.has_payload = true, .completes = true},
	[MESSAGE_PUT_DONE] = {.goes_back = true, .is_answer = true},
	[MESSAGE_GET] = {.is_request = true},
	[MESSAGE_GET_DATA] = {.goes_back = true,
			      .has_payload = true,
			      .is_answer = true,
			      .releases = true},
};

/* ---- sending ---- */

/* Whether its send is complete when it has left. */
static bool completes(const struct mpi *mpi, const struct message *message)
{
	return kinds[message->kind].completes &&
	       (message->kind != MESSAGE_DATA || !mpi->params->has_rendezvous_ack);
}

static int64_t request_bytes(const struct sim_params *params, int64_t bytes)
{
	if (params->request_bytes == 0)
		return 0;
	return (bytes + params->packet_bytes - 1) / params->packet_bytes * params->request_bytes;
}

/* asks: when it has left; returns that, if it is known already, else −1. */
static int64_t send(struct mpi *mpi, int32_t which, bool asks)
{
	struct message *message = &mpi->messages.at[which];
	bool is_back = kinds[message->kind].goes_back;
	int32_t from = is_back ? message->dst : message->src;
	int32_t to = is_back ? message->src : message->dst;
	struct rank *rank = rank_at(mpi, from);
	struct net_message sent = {
		.src = rank->node,
		.dst = mpi->node_of[to],
		.bytes = kinds[message->kind].has_payload ? message->bytes
							  : mpi->params->control_bytes,
		.cookie = net_cookie(NET_MPI, (uint64_t)which),
		.owner = rank->job,
		.rank = from - mpi->jobs.at[rank->job].first,
		.slot = rank->slot,
		.queue = rank->queue,
		.traffic_class = kinds[message->kind].is_answer,
		.holds = kinds[message->kind].is_request,
		.releases = kinds[message->kind].releases,
		.goes_first = is_back && !kinds[message->kind].has_payload &&
			      !mpi->params->has_answers_in_turn,
		.asks_left = asks,
	};
	int64_t left_ps;

	message->is_between = sent.src != sent.dst;
	if (kinds[message->kind].has_payload && message->is_between)
		rank->sent_bytes += message->bytes;
	if (sent.holds)
		sent.bytes = request_bytes(mpi->params, message->bytes);
	sent.ready_ps =
		*mpi->now + message_way_ps(mpi->params, sent.bytes, message->kind == MESSAGE_EAGER);
	/* only of these it matters when they have left */
	sent.skips_injected = message->sender_token == TOKEN_NONE || !completes(mpi, message);
	message->nleaving += !sent.skips_injected;
	if (!is_short_cut(mpi, from, to)) {
		left_ps = net_send(mpi->net, &sent);
		if (left_ps >= 0)
			message_is_away(mpi, which);
		return left_ps;
	}
	set_timer(mpi, sent.dst, *mpi->now + mpi->params->local_delay_ps, TIMER_ARRIVAL, which);
	if (!sent.skips_injected)
		message_injected(mpi, which);
	return -1;
}

void message_send(struct mpi *mpi, int32_t which)
{
	send(mpi, which, false);
}

void message_send_of(struct mpi *mpi, struct rank *rank, int32_t which, int32_t token)
{
	int64_t left_ps = send(mpi, which, true);

	if (left_ps < 0)
		return;
	rank->left_ps = left_ps;
	if (token == TOKEN_BLOCKING) {
		rank->wait_ps += left_ps - rank->clock;
		rank->clock = left_ps;
	} else if (token == TOKEN_STEP) {
		rank->steps.left_ps = left_ps > rank->steps.left_ps ? left_ps : rank->steps.left_ps;
	} else if (token == TOKEN_ANY) {
		rank->any_left_ps = left_ps > rank->any_left_ps ? left_ps : rank->any_left_ps;
	} else {
		mpi->requests.at[token].done_ps = left_ps;
	}
	complete(mpi, rank, token);
}

void message_send_at(struct mpi *mpi, int32_t which, int64_t at_ps)
{
	const struct message *message = &mpi->messages.at[which];
	bool is_back = kinds[message->kind].goes_back;
	int32_t src = mpi->node_of[message->src], dst = mpi->node_of[message->dst];

	if (at_ps <= *mpi->now)
		message_send(mpi, which);
	else if (src == dst)
		set_timer(mpi, src, at_ps, TIMER_MESSAGE, which);
	else
		net_handover(mpi->net, is_back ? dst : src, at_ps,
			     net_cookie(NET_MPI, (uint64_t)TIMER_MESSAGE << 32 | (uint32_t)which));
}

bool message_must_match(const struct message *message)
{
	return kinds[message->kind].must_match;
}

/* ---- completion ---- */

/* Of the collective operation whose step the token is; NULL: it is none. */
static struct steps *steps_of(struct mpi *mpi, struct rank *rank, int32_t token)
{
	if (token < TOKEN_NONE)
		return &mpi->besides.at[beside_of(token)].steps;
	return token == TOKEN_STEP ? &rank->steps : NULL;
}

void complete(struct mpi *mpi, struct rank *rank, int32_t token)
{
	switch (token) {
	case TOKEN_NONE:
		break;
	case TOKEN_BLOCKING:
		rank->is_blocked = false;
		break;
	case TOKEN_STEP:
		rank->steps.npending--;
		break;
	case TOKEN_ANY:
		rank->nunfinished--;
		break;
	default:
		if (token < TOKEN_NONE) {
			struct beside *beside = &mpi->besides.at[beside_of(token)];

			if (--beside->steps.npending == 0 && beside->task != NONE &&
			    !beside->is_begun)
				task_step_done(mpi, rank, beside_of(token));
			break;
		}
		mpi->requests.at[token].is_done = true;
		rank->nunfinished--;
		break;
	}
}

/* What a collective's step sent may be the last of it to be done. */
static void note_sending(struct mpi *mpi, struct rank *rank, int32_t token)
{
	struct steps *steps = steps_of(mpi, rank, token);

	if (steps != NULL && steps->npending == 0)
		steps->was_sending = true;
}

/*
 * The head of a message may come before its tail has left; what was forgotten since then is free
 * only now.
 */
static void left(struct mpi *mpi, int32_t which, bool has_word)
{
	struct message *message = &mpi->messages.at[which];
	int32_t token = message->sender_token, src = message->src;
	bool is_sent = completes(mpi, message);

	if (message->way == GPU_GPUDIRECT && is_sent && token != TOKEN_NONE &&
	    message->nleaving == 1 && !has_word) {
		/* GPU_SEND_DONE: the GPU notifies its rank */
		set_timer(mpi, mpi->node_of[src], *mpi->now + gpu_word_ps(mpi), TIMER_LEFT, which);
		return;
	}
	if (--message->nleaving > 0)
		return;
	if (is_sent)
		message->sender_token = TOKEN_NONE;
	if (message->is_forgotten)
		message_free(mpi, which);
	if (!is_sent || token == TOKEN_NONE)
		return;
	complete(mpi, rank_at(mpi, src), token);
	note_sending(mpi, rank_at(mpi, src), token);
	rank_poke(mpi, src);
}

void message_injected(struct mpi *mpi, int32_t which)
{
	left(mpi, which, false);
}

void message_left(struct mpi *mpi, int32_t which)
{
	left(mpi, which, true);
}

/* ---- arrival ---- */

/* Messages between two ranks match in the order they were sent, where the program needs that. The
 * message's turn has come, or it is parked. */
static bool is_next(struct mpi *mpi, const struct message *message)
{
	uint64_t pair = (uint64_t)message->src << 32 | (uint32_t)message->dst;
	int64_t next = 0;

	umap_get(&mpi->received, pair, &next);
	if (message->order != (uint32_t)next)
		return false;
	umap_set(&mpi->received, pair, next + 1);
	return true;
}

/* Parked messages whose turn has come follow. */
static void unpark(struct mpi *mpi, struct rank *rank)
{
	struct rank_rest *rest = rest_of(mpi, rank);
	bool is_found = true;

	while (is_found) {
		struct list left = {NONE, NONE};
		int32_t which = rest->parked.first;

		is_found = false;
		while (which != NONE) {
			int32_t next = mpi->messages.at[which].next;

			if (is_next(mpi, &mpi->messages.at[which])) {
				list_push(mpi, &rank->arrived, which);
				is_found = true;
			} else {
				list_push(mpi, &left, which);
			}
			which = next;
		}
		rest->parked = left;
	}
}

static void arrive(struct mpi *mpi, int32_t which, int32_t at)
{
	struct rank *rank = rank_at(mpi, at);
	const struct message *message = &mpi->messages.at[which];

	if (kinds[message->kind].must_match && mpi->jobs.at[rank->job].job->program->is_ordered) {
		if (!is_next(mpi, message)) {
			list_push(mpi, &rest_of(mpi, rank)->parked, which);
			return;
		}
		list_push(mpi, &rank->arrived, which);
		if (rest_read(mpi, rank).parked.first != NONE)
			unpark(mpi, rank);
	} else {
		list_push(mpi, &rank->arrived, which);
	}
	rank_poke(mpi, at);
}

int32_t message_receiver(const struct message *message)
{
	return kinds[message->kind].goes_back ? message->src : message->dst;
}

static void count_received(struct mpi *mpi, const struct message *message)
{
	if (message->is_between)
		rank_at(mpi, message_receiver(message))->received_bytes += message->bytes;
}

/* Whether the rank would deal with what comes now, before anything else. */
static bool takes_at_once(const struct rank *rank)
{
	return rank->runs_ahead && rank->phase == PHASE_WAIT && rank->arrived.first == NONE &&
	       !rank->has_timer && !rank->is_working && !is_io(&rank->op);
}

/* Of an eager message. Returns whether the rank has dealt with it. */
static bool eager_delivered(struct mpi *mpi, int32_t which)
{
	const struct message *message = &mpi->messages.at[which];
	int32_t number = message->dst;
	struct rank *dst = rank_at(mpi, number);

	if (message->is_between)
		dst->received_bytes += message->bytes;
	if (dst->expects != 0 && dst->arrived.first == NONE && exchange_receive(mpi, dst, which)) {
		if (dst->expects == 0 && dst->nto == 0)
			rank_poke(mpi, number);
		return true;
	}
	if (!takes_at_once(dst))
		return false;
	match(mpi, dst, which);
	if (dst->waiting != WAIT_STEP || dst->steps.npending == 0)
		rank_poke(mpi, number);
	return true;
}

void message_delivered(struct mpi *mpi, int32_t which)
{
	const struct message *message = &mpi->messages.at[which];
	int32_t dst = message->dst;

	if (message->kind == MESSAGE_EAGER) {
		if (eager_delivered(mpi, which))
			return;
	} else if (kinds[message->kind].has_payload) {
		count_received(mpi, message);
	}
	if (!kinds[message->kind].has_payload || message->way == GPU_NONE)
		message_has_come(mpi, which);
	else if (message->way == GPU_GPUDIRECT) /* GPU_RECV_DONE: the GPU notifies its rank */
		set_timer(mpi, mpi->node_of[dst], *mpi->now + gpu_word_ps(mpi), TIMER_COPIED,
			  which);
	else if (mpi->params->copies_at_both)
		set_timer(mpi, mpi->node_of[dst],
			  gpu_copied_ps(mpi, rank_at(mpi, dst), message->bytes, *mpi->now),
			  TIMER_COPIED, which);
	else
		message_has_come(mpi, which);
}

void message_has_come(struct mpi *mpi, int32_t which)
{
	int32_t at;

	if (mpi->messages.at[which].protocol->delivered(mpi, which, &at))
		arrive(mpi, which, at);
}

void put_is_known(struct mpi *mpi, int32_t src)
{
	rank_at(mpi, src)->nputs--;
	rank_poke(mpi, src);
}

/* ---- matching ---- */

static bool matches(const struct posted *posted, const struct message *message)
{
	/* it waits for data that it has cleared, unless what it cleared was not sent before this */
	if (posted->ordinal > 0 &&
	    (message->kind != MESSAGE_EAGER || message->ordinal >= posted->ordinal))
		return false;
	return (posted->src == NONE || posted->src == message->src) &&
	       posted->step == message->step && ((posted->key ^ message->key) & posted->mask) == 0;
}

/* A message and its receive have found each other, at the rank's clock. */
static void accept(struct mpi *mpi, struct rank *rank, int32_t which, const struct posted *posted)
{
	struct message *message = &mpi->messages.at[which];

	rank->clock += mpi->params->receive_setup_ps;
	/* its data are to come, from GPU to GPU if either side is on one */
	if (posted->way == GPU_GPUDIRECT &&
	    (message->kind == MESSAGE_RTS || message->kind == MESSAGE_ASK))
		message->way = GPU_GPUDIRECT;
	message->protocol->matched(mpi, rank, which, posted->token);
}

static int32_t posted_new(struct mpi *mpi, const struct posted *what)
{
	int32_t posted = mpi->free_posted;

	if (posted == NONE) {
		vec_push(&mpi->posteds, *what);
		posted = (int32_t)mpi->posteds.n - 1;
	} else {
		mpi->free_posted = mpi->posteds.at[posted].next;
		mpi->posteds.at[posted] = *what;
	}
	mpi->posteds.at[posted].next = NONE;
	return posted;
}

void posted_unlink(struct mpi *mpi, struct list *list, int32_t posted, int32_t before)
{
	int32_t next = mpi->posteds.at[posted].next;

	if (before == NONE)
		list->first = next;
	else
		mpi->posteds.at[before].next = next;
	if (list->last == posted)
		list->last = before;
	mpi->posteds.at[posted].next = mpi->free_posted;
	mpi->free_posted = posted;
}

int32_t post(struct mpi *mpi, struct rank *rank, const struct posted *posted)
{
	int32_t index = posted_new(mpi, posted);

	if (rank->posted.first == NONE)
		rank->posted.first = index;
	else
		mpi->posteds.at[rank->posted.last].next = index;
	rank->posted.last = index;
	return index;
}

bool receive_unexpected(struct mpi *mpi, struct rank *rank, const struct posted *posted)
{
	int32_t before = NONE, which = rank->unexpected.first;

	while (which != NONE) {
		struct message *message = &mpi->messages.at[which];

		rank->clock += mpi->params->match_ps;
		if (matches(posted, message)) {
			if (before == NONE)
				rank->unexpected.first = message->next;
			else
				mpi->messages.at[before].next = message->next;
			if (rank->unexpected.last == which)
				rank->unexpected.last = before;
			accept(mpi, rank, which, posted);
			return true;
		}
		before = which;
		which = message->next;
	}
	return false;
}

int32_t receive(struct mpi *mpi, struct rank *rank, const struct posted *posted)
{
	return receive_unexpected(mpi, rank, posted) ? NONE : post(mpi, rank, posted);
}

void cancel(struct mpi *mpi, struct rank *rank, int32_t token)
{
	int32_t before = NONE;

	for (int32_t i = rank->posted.first; i != NONE; i = mpi->posteds.at[i].next) {
		if (mpi->posteds.at[i].token == token) {
			posted_unlink(mpi, &rank->posted, i, before);
			complete(mpi, rank, token);
			return;
		}
		before = i;
	}
}

void match(struct mpi *mpi, struct rank *rank, int32_t which)
{
	int32_t before = NONE;

	if (rank->expects != 0 && exchange_receive(mpi, rank, which))
		return;
	for (int32_t i = rank->posted.first; i != NONE; i = mpi->posteds.at[i].next) {
		rank->clock += mpi->params->match_ps;
		if (matches(&mpi->posteds.at[i], &mpi->messages.at[which])) {
			const struct posted posted = mpi->posteds.at[i];

			posted_unlink(mpi, &rank->posted, i, before);
			accept(mpi, rank, which, &posted);
			return;
		}
		before = i;
	}
	list_push(mpi, &rank->unexpected, which);
}

void work_off(struct mpi *mpi, struct rank *rank)
{
	int32_t which = rank->arrived.first;

	rank->arrived = (struct list){NONE, NONE};
	while (which != NONE) {
		const struct message *message = &mpi->messages.at[which];
		int32_t next = message->next;

		if (clear_is_done(mpi, message))
			message_free(mpi, which);
		else if (kinds[message->kind].must_match)
			match(mpi, rank, which);
		else
			message->protocol->taken(mpi, rank, which);
		which = next;
	}
}

void work_off_now(struct mpi *mpi, struct rank *rank)
{
	int64_t ahead_ps = rank->clock;

	if (rank->arrived.first == NONE)
		return;
	rank->clock = *mpi->now;
	work_off(mpi, rank);
	rank->clock = ahead_ps;
}
