/* sim_mpi_exchange.c - receives, sends and waits with as many peers, as one call where calls cost
 * nothing */
#include "sim/mpi/sim_mpi_eager.h"

/*
 * The same as one call after the other: all receives are posted; a send follows when the one before
 * has left; the rank waits for what it receives. Messages are eager and leave the node, so that a
 * send is complete when it has left.
 */

void exchange_receive_behind(struct mpi *mpi, struct rank *rank)
{
	const struct cursor *cursor = &rank->cursor;
	struct posted posted = {.key = rank->op.key, .mask = UINT64_MAX, .token = TOKEN_STEP};
	bool posts = rank->posted.first != NONE; /* what came before has a claim, too */

	for (int i = 0; i < cursor->nexchange; i++) {
		posted.src = over_all(mpi, rank, cursor->from[i]);
		if (posts)
			receive(mpi, rank, &posted);
		else if (!receive_unexpected(mpi, rank, &posted))
			rank->expects |= (uint8_t)(1U << i);
	}
}

void exchange_send(struct mpi *mpi, struct rank *rank)
{
	const struct cursor *cursor = &rank->cursor;
	int32_t dst = over_all(mpi, rank, cursor->to[cursor->nexchange - rank->nto]), which;
	bool is_complete;
	int64_t left_ps;

	rank->nto--;
	rank->is_blocked = true;
	if (mpi->node_of[dst] == rank->node) {
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
