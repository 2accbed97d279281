/* receiver_driven.c - the receiver clears messages when it posts their receives; no request goes
 * before */
#include "base/str.h"
#include "sim/mpi/protocol.h"

/*
 * A receive that names its sender and tag, and is too large for eager messages, sends CTS when it
 * is posted. The messages with this key between the two ranks take the CTS in their order; one that
 * finds none when it is handed over sends RTS, and its data wait. So a message needs RTS only where
 * its receive comes late, or does not name it (any source, any tag, size not known): then the
 * receive that RTS matches sends CTS. Messages and CTS of a key are numbered from 1 on both sides.
 * RTS number n is done with if the receiver has sent n CTS; this is what keeps wildcards right
 * whatever comes first, and why nothing waits forever that MPI would match.
 *
 * A message that found its CTS takes no part in the order of matching: its receive was chosen when
 * it was posted.
 */

/* Messages with a key from src to dst. Two keys share a number once in 2^64. */
static uint64_t stream_of(const struct message *message)
{
	uint64_t pair = (uint64_t)(uint32_t)message->src << 32 | (uint32_t)message->dst;

	return u64_mix(u64_mix(u64_mix(pair) ^ message->key) ^ (uint32_t)message->step);
}

static bool is_same(const struct message *a, const struct message *b)
{
	return a->src == b->src && a->dst == b->dst && a->key == b->key && a->step == b->step;
}

/* Takes the first of a list that is of the message's stream; NONE: there is none. */
static int32_t take_same(struct mpi *mpi, struct list *list, const struct message *message)
{
	int32_t before = NONE;

	for (int32_t i = list->first; i != NONE; i = mpi->messages.at[i].next) {
		if (!is_same(&mpi->messages.at[i], message)) {
			before = i;
			continue;
		}
		if (before == NONE)
			list->first = mpi->messages.at[i].next;
		else
			mpi->messages.at[before].next = mpi->messages.at[i].next;
		if (list->last == i)
			list->last = before;
		return i;
	}
	return NONE;
}

uint32_t cleared_before(const struct mpi *mpi, const struct message *message)
{
	int64_t n = 0;

	umap_get(&mpi->offered, stream_of(message), &n);
	return (uint32_t)n;
}

bool clear_begin(struct mpi *mpi, int32_t which)
{
	struct message *message = &mpi->messages.at[which];
	struct rank *src = rank_at(mpi, message->src);
	int32_t grant, offer;

	message->ordinal = cleared_before(mpi, message) + 1;
	umap_set(&mpi->offered, stream_of(message), message->ordinal);
	grant = take_same(mpi, &rest_of(mpi, src)->grants, message);
	message->kind = MESSAGE_CLEARED;
	if (grant != NONE) {
		if (mpi->messages.at[grant].way == GPU_GPUDIRECT)
			message->way = GPU_GPUDIRECT;
		message_free(mpi, grant);
		return false;
	}
	offer = message_new(mpi);
	message = &mpi->messages.at[which];
	mpi->messages.at[offer] = *message;
	list_push(mpi, &rest_of(mpi, src)->offers, offer);
	message->kind = MESSAGE_RTS;
	message->sender_token = TOKEN_NONE;
	return false;
}

/* Sends CTS for the message that posted, which names it, waits for. */
static void clear(struct mpi *mpi, struct rank *rank, struct posted *posted, uint8_t way)
{
	int32_t which = message_new(mpi);
	struct message *message = &mpi->messages.at[which];
	int64_t n = 0;

	message->protocol = &protocol_receiver_driven;
	message->kind = MESSAGE_CTS;
	message->key = posted->key;
	message->step = posted->step;
	message->src = posted->src;
	message->dst = number_of(mpi, rank);
	message->way = way;
	umap_get(&mpi->cleared, stream_of(message), &n);
	umap_set(&mpi->cleared, stream_of(message), n + 1);
	posted->ordinal = (uint32_t)n + 1;
	message_send_at(mpi, which,
			rank->clock + (posted->step == 0 ? mpi->params->send_delay_ps : 0));
}

/* Whether a receive that was posted before might take the message instead. */
static bool is_behind(const struct mpi *mpi, const struct rank *rank, int32_t index)
{
	const struct posted *posted = &mpi->posteds.at[index];

	for (int32_t i = rank->posted.first; i != index; i = mpi->posteds.at[i].next) {
		const struct posted *other = &mpi->posteds.at[i];

		if (other->ordinal == 0 && (other->src == NONE || other->src == posted->src) &&
		    other->step == posted->step && ((other->key ^ posted->key) & other->mask) == 0)
			return true;
	}
	return false;
}

void clear_early(struct mpi *mpi, struct rank *rank, int32_t index, int64_t bytes)
{
	struct posted *posted = &mpi->posteds.at[index];

	if (!mpi->params->has_early_answers || posted->src == NONE || posted->mask != UINT64_MAX ||
	    posted->src == number_of(mpi, rank) ||
	    (posted->way != GPU_GPUDIRECT && bytes <= mpi->params->eager_bytes) ||
	    is_short_cut(mpi, number_of(mpi, rank), posted->src) || is_behind(mpi, rank, index))
		return;
	clear(mpi, rank, posted, posted->way);
	if (rank->op.kind != OP_COLLECTIVE)
		rank->clock += mpi->params->send_delay_ps;
}

/* RTS has found a receive that has not cleared anything, or data their receive. */
static void matched(struct mpi *mpi, struct rank *rank, int32_t which, int32_t token)
{
	const struct message *message = &mpi->messages.at[which];

	if (message->kind == MESSAGE_RTS) {
		const struct posted named = {.key = message->key,
					     .mask = UINT64_MAX,
					     .src = message->src,
					     .step = message->step,
					     .token = token};
		uint8_t way = message->way;
		int32_t index = post(mpi, rank, &named);

		clear(mpi, rank, &mpi->posteds.at[index], way);
	} else {
		complete(mpi, rank, token);
	}
	message_free(mpi, which);
}

/* CTS at the sender's node, which needs no rank for it: data go, or will. */
static void take_clearance(struct mpi *mpi, int32_t which)
{
	const struct message *message = &mpi->messages.at[which];
	struct rank *src = rank_at(mpi, message->src);
	int32_t offer = take_same(mpi, &rest_of(mpi, src)->offers, message);

	if (offer == NONE) {
		list_push(mpi, &rest_of(mpi, src)->grants, which);
		return;
	}
	if (message->way == GPU_GPUDIRECT)
		mpi->messages.at[offer].way = GPU_GPUDIRECT;
	message_free(mpi, which);
	message_send_at(mpi, offer, message_leaves_ps(mpi, &mpi->messages.at[offer], *mpi->now));
}

static bool delivered(struct mpi *mpi, int32_t which, int32_t *at)
{
	const struct message *message = &mpi->messages.at[which];

	if (message->kind == MESSAGE_CTS) {
		take_clearance(mpi, which);
		return false;
	}
	*at = message->dst;
	return true;
}

bool clear_is_done(const struct mpi *mpi, const struct message *message)
{
	int64_t n = 0;

	if (message->kind != MESSAGE_RTS)
		return false;
	umap_get(&mpi->cleared, stream_of(message), &n);
	return n >= (int64_t)message->ordinal;
}

/* Data: to the first receive that has cleared one of them, else as any message. */
static void taken(struct mpi *mpi, struct rank *rank, int32_t which)
{
	const struct message *message = &mpi->messages.at[which];
	int32_t before = NONE;

	for (int32_t i = rank->posted.first; i != NONE; i = mpi->posteds.at[i].next) {
		const struct posted *posted = &mpi->posteds.at[i];

		if (posted->ordinal > 0 && posted->src == message->src &&
		    posted->key == message->key && posted->step == message->step) {
			int32_t token = posted->token;

			rank->clock += mpi->params->receive_setup_ps;
			posted_unlink(mpi, &rank->posted, i, before);
			complete(mpi, rank, token);
			message_free(mpi, which);
			return;
		}
		before = i;
	}
	match(mpi, rank, which);
}

const struct protocol protocol_receiver_driven = {
	.entry = {.name = "receiver-driven",
		  .example = "receiver-driven",
		  .summary =
			  "the receiver answers when it posts the receive; no request goes before",
		  .paper = "Khetawat 2022, ch. 3 (TraceR)"},
	.registers = true,
	.begin = clear_begin,
	.matched = matched,
	.delivered = delivered,
	.taken = taken,
};

/*
 * The rank clears as above; the data go from GPU to GPU. GPU_SEND is the word from the sending rank
 * to its GPU, after the parameter gpudirect-delay; GPU_RECV the data; GPU_SEND_DONE and
 * GPU_RECV_DONE are the words from the GPUs to their ranks: message_leaves_ps, message_injected,
 * message_delivered.
 */
const struct protocol protocol_gpudirect = {
	.entry = {.name = "gpudirect",
		  .example = "gpudirect",
		  .summary = "receiver-driven, and the data go from GPU to GPU",
		  .paper = "Khetawat 2022, section 3.3.4"},
	.registers = true,
	.begin = clear_begin,
	.matched = matched,
	.delivered = delivered,
	.taken = taken,
};
