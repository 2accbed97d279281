/* local.c - a message inside a node that takes a fixed time, and whose sender waits for
 * the match */
#include "sim/mpi/protocol.h"

static bool begin(struct mpi *mpi, int32_t which)
{
	mpi->messages.at[which].kind = MESSAGE_LOCAL;
	return false;
}

static void matched(struct mpi *mpi, struct rank *rank, int32_t which, int32_t token)
{
	complete(mpi, rank, token);
	mpi->messages.at[which].kind = MESSAGE_DONE;
	message_send_at(mpi, which, rank->clock);
}

static bool delivered(struct mpi *mpi, int32_t which, int32_t *at)
{
	const struct message *message = &mpi->messages.at[which];

	*at = message->kind == MESSAGE_DONE ? message->src : message->dst;
	return true;
}

static void taken(struct mpi *mpi, struct rank *rank, int32_t which)
{
	complete(mpi, rank, mpi->messages.at[which].sender_token);
	message_free(mpi, which);
}

const struct protocol protocol_local = {
	.entry = {.name = "local",
		  .example = "local",
		  .summary = "inside a node, where that takes a fixed time: the send waits for its "
			     "match"},
	.begin = begin,
	.matched = matched,
	.delivered = delivered,
	.taken = taken,
};
