/* sim_mpi_eager.h - eager messages to other nodes, of ranks that run ahead */
#ifndef SIM_MPI_SIM_MPI_EAGER_H
#define SIM_MPI_SIM_MPI_EAGER_H

#include "sim/mpi/protocol.h"

/* Whether an eager message of the rank's op to that rank may be handed over so. */
static inline bool can_send_eager(const struct mpi *mpi, const struct rank *rank, int32_t dst)
{
	return rank->runs_ahead && rank->op.bytes <= mpi->params->eager_bytes &&
	       !mpi->params->is_eager_buffered && !mpi->params->has_early_answers &&
	       !rank->op.is_synchronous && mpi->node_of[dst] != rank->node;
}
/* What passes, besides nic-send, before the NIC has a message: is_eager says which kind it is. */
static inline int64_t message_way_ps(const struct sim_params *params, int64_t bytes, bool is_eager)
{
	int64_t short_ps = bytes + params->message_header_bytes <= params->packet_bytes
				   ? params->short_delay_ps
				   : 0;

	return short_ps + (is_eager ? (int64_t)((double)bytes * params->nic_ps_per_byte) : 0);
}

/* An eager message of the rank's op to a rank on another node, made and handed over: when it
 * leaves, if the network knows that; else −1, and the token is complete when it has. */
static inline int64_t message_send_eager(struct mpi *mpi, struct rank *rank, int32_t dst,
					 int32_t token, int step)
{
	const struct op *op = &rank->op;
	int32_t src = number_of(mpi, rank), which = message_take(mpi);
	const struct net_message sent = {
		.src = rank->node,
		.dst = mpi->node_of[dst],
		.bytes = op->bytes,
		.ready_ps = *mpi->now + message_way_ps(mpi->params, op->bytes, true),
		.cookie = net_cookie(NET_MPI, (uint64_t)which),
		.owner = rank->job,
		.rank = src - mpi->jobs.at[rank->job].first,
		.slot = rank->slot,
		.queue = rank->queue,
		.asks_left = true,
	};
	int64_t left_ps;

	mpi->messages.at[which] = (struct message){.protocol = &protocol_eager,
						   .key = op->key,
						   .bytes = op->bytes,
						   .src = src,
						   .dst = dst,
						   .step = step,
						   .sender_token = token,
						   .receiver_token = TOKEN_NONE,
						   .next = NONE,
						   .kind = MESSAGE_EAGER,
						   .nleaving = 1,
						   .is_between = true};
	rank->sent_bytes += op->bytes;
	left_ps = net_send(mpi->net, &sent);
	if (left_ps >= 0)
		message_is_away(mpi, which);
	return left_ps;
}

#endif
