/* one_sided.c - puts and gets: no receive is matched */
#include "sim/mpi/protocol.h"

static bool put_delivered(struct mpi *mpi, int32_t which)
{
	struct message *message = &mpi->messages.at[which];
	int32_t node = mpi->node_of[message->src];

	if (message->receiver_token != TOKEN_NONE) {
		message->kind = MESSAGE_PUT_DONE;
		message_send(mpi, which);
		return false;
	}
	if (node == mpi->node_of[message->dst])
		put_is_known(mpi, message->src);
	else
		net_notice(mpi->net, node,
			   net_cookie(NET_MPI, (uint64_t)TIMER_PUT << 32 | (uint32_t)message->src));
	message_free(mpi, which);
	return false;
}

static bool delivered(struct mpi *mpi, int32_t which, int32_t *at)
{
	struct message *message = &mpi->messages.at[which];

	if (message->kind == MESSAGE_PUT)
		return put_delivered(mpi, which);
	if (message->kind == MESSAGE_GET) {
		message->kind = MESSAGE_GET_DATA;
		message_send(mpi, which);
		return false;
	}
	*at = message->src;
	return true;
}

static void taken(struct mpi *mpi, struct rank *rank, int32_t which)
{
	complete(mpi, rank, mpi->messages.at[which].receiver_token);
	message_free(mpi, which);
}

const struct protocol protocol_one_sided = {
	.entry = {.name = "one-sided",
		  .example = "one-sided",
		  .summary = "puts and gets, which no receive is matched with"},
	.delivered = delivered,
	.taken = taken,
};
