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

	if (!rank->runs_ahead || mpi->params->is_eager_buffered ||
	    rank->op.bytes > mpi->params->eager_bytes || mpi->params->local_delay_ps > 0)
		return false;
	return cursor->nexchange > 0;
}

bool exchange_take(struct mpi *mpi, struct rank *rank)
{
	struct cursor *cursor = &rank->cursor;
	struct posted posted = {.key = rank->op.key, .mask = UINT64_MAX, .token = TOKEN_STEP};

	if (!can_take(mpi, rank))
		return false;
	rank->op.kind = OP_EXCHANGE;
	rank->op.is_inner_last = cursor->ends;
	rank->nstep = rank->nto = cursor->nexchange;
	cursor->nfollow = 0;
	for (int i = 0; i < cursor->nexchange; i++) {
		posted.src = over_all(mpi, rank, cursor->from[i]);
		receive(mpi, rank, &posted);
	}
	return true;
}

void exchange_send(struct mpi *mpi, struct rank *rank)
{
	const struct cursor *cursor = &rank->cursor;
	int32_t dst = over_all(mpi, rank, cursor->to[cursor->nexchange - rank->nto]), which;
	bool is_complete;

	rank->nto--;
	rank->is_blocked = true;
	rank->waiting = WAIT_EXCHANGE;
	which = make_send(mpi, rank, dst, &protocol_eager, TOKEN_BLOCKING, 0, &is_complete);
	message_send_of(mpi, rank, which, TOKEN_BLOCKING);
}
