/* eager.c - the data go at once, and wait at the receiver for their receive */
#include "sim/mpi/protocol.h"

static bool begin(struct mpi *mpi, int32_t which)
{
	struct message *message = &mpi->messages.at[which];

	message->kind = MESSAGE_EAGER;
	if (mpi->params->has_early_answers || mpi->params->gpu != GPU_NONE)
		message->ordinal = cleared_before(mpi, message);
	if (!mpi->params->is_eager_buffered)
		return false;
	message->sender_token = TOKEN_NONE;
	return true;
}

static void matched(struct mpi *mpi, struct rank *rank, int32_t which, int32_t token)
{
	complete(mpi, rank, token);
	message_free(mpi, which);
}

static bool delivered(struct mpi *mpi, int32_t which, int32_t *at)
{
	*at = mpi->messages.at[which].dst;
	return true;
}

const struct protocol protocol_eager = {
	.entry = {.name = "eager",
		  .example = "eager",
		  .summary = "the data go at once; messages up to the parameter eager"},
	.copies = true,
	.begin = begin,
	.matched = matched,
	.delivered = delivered,
};
