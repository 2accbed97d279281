/* sim_mpi_exchange.c - receives, sends and waits with as many peers, as one call where calls cost
 * nothing */
#include "sim/mpi/protocol.h"

/*
 * The same as one call after the other: all receives are posted; a send follows when the one before
 * has left; the rank waits for what it receives. Messages are eager and leave the node, so that a
 * send is complete when it has left.
 */
static bool can_take(const struct mpi *mpi, const struct rank *rank)
{
	const struct cursor *cursor = &rank->cursor;

	if (!rank->runs_ahead || mpi->params->is_eager_buffered || mpi->params->has_early_answers ||
	    rank->op.bytes > mpi->params->eager_bytes || mpi->params->local_delay_ps > 0)
		return false;
	return cursor->nexchange > 0;
}

bool exchange_take(struct mpi *mpi, struct rank *rank)
{
	struct cursor *cursor = &rank->cursor;
	struct posted posted = {.key = rank->op.key, .mask = UINT64_MAX, .token = TOKEN_STEP};
	bool posts = rank->posted.first != NONE; /* what came before has a claim, too */

	if (!can_take(mpi, rank))
		return false;
	rank->op.kind = OP_EXCHANGE;
	rank->op.is_inner_last = cursor->ends;
	rank->steps.npending = rank->nto = cursor->nexchange;
	cursor->nfollow = 0;
	for (int i = 0; i < cursor->nexchange; i++) {
		if (!posts && rank->unexpected.first == NONE) {
			rank->expects |= (uint8_t)(1U << i);
			continue;
		}
		posted.src = over_all(mpi, rank, cursor->from[i]);
		if (posts)
			receive(mpi, rank, &posted);
		else if (!receive_unexpected(mpi, rank, &posted))
			rank->expects |= (uint8_t)(1U << i);
	}
	return true;
}

bool exchange_receive(struct mpi *mpi, struct rank *rank, int32_t which)
{
	const struct message *message = &mpi->messages.at[which];
	const struct cursor *cursor = &rank->cursor;
	int32_t from = message->src - mpi->jobs.at[rank->job].first;
	int i = (rank->expects & 1) != 0 && cursor->from[0] == from ? 0 : 1;

	if (message->key != rank->op.key || message->step != 0 || message->kind != MESSAGE_EAGER ||
	    (rank->expects >> i & 1) == 0 || cursor->from[i] != from)
		return false;
	rank->expects &= (uint8_t) ~(1U << i);
	rank->steps.npending--;
	message_free(mpi, which);
	return true;
}

void exchange_send(struct mpi *mpi, struct rank *rank)
{
	const struct cursor *cursor = &rank->cursor;
	int32_t dst = over_all(mpi, rank, cursor->to[cursor->nexchange - rank->nto]), which;
	bool is_complete;
	int64_t left_ps;

	rank->nto--;
	rank->is_blocked = true;
	if (mpi->ranks[dst].node == rank->node) {
		which = make_send(mpi, rank, dst, &protocol_eager, TOKEN_BLOCKING, 0, &is_complete);
		message_send_of(mpi, rank, which, TOKEN_BLOCKING);
		return;
	}
	left_ps = message_send_eager(mpi, rank, dst, TOKEN_BLOCKING, 0);
	if (left_ps < 0)
		return;
	rank->is_blocked = false;
	rank->left_ps = left_ps;
	rank->wait_ps += left_ps - rank->clock;
	rank->clock = left_ps;
}
