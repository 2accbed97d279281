/* ask_answer.c - a request, the receiver's answer, the data, and perhaps an acknowledgement */
#include "sim/mpi/protocol.h"

static bool begin(struct mpi *mpi, int32_t which)
{
	mpi->messages.at[which].kind = MESSAGE_ASK;
	return false;
}

static void matched(struct mpi *mpi, struct rank *rank, int32_t which, int32_t token)
{
	struct message *message = &mpi->messages.at[which];

	message->receiver_token = token;
	message->kind = MESSAGE_ANSWER;
	message_send_at(mpi, which, rank->clock);
}

/* The sender's node has the answer and needs no rank for it: the data go. */
static bool delivered(struct mpi *mpi, int32_t which, int32_t *at)
{
	struct message *message = &mpi->messages.at[which];

	if (message->kind == MESSAGE_ANSWER) {
		message->kind = MESSAGE_DATA;
		message_send_at(mpi, which, message_leaves_ps(mpi, message, *mpi->now));
		return false;
	}
	*at = message->kind == MESSAGE_DONE ? message->src : message->dst;
	return true;
}

static void taken(struct mpi *mpi, struct rank *rank, int32_t which)
{
	struct message *message = &mpi->messages.at[which];

	if (message->kind == MESSAGE_DATA) {
		complete(mpi, rank, message->receiver_token);
		if (mpi->params->has_rendezvous_ack) {
			message->kind = MESSAGE_DONE;
			message_send_at(mpi, which, rank->clock);
			return;
		}
	} else {
		complete(mpi, rank, message->sender_token);
	}
	message_free(mpi, which);
}

const struct protocol protocol_ask_answer = {
	.entry = {.name = "ask-answer",
		  .example = "ask-answer",
		  .summary = "a request goes first; the data follow the receiver's answer"},
	.registers = true,
	.begin = begin,
	.matched = matched,
	.delivered = delivered,
	.taken = taken,
};
