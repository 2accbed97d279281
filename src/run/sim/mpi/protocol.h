/* protocol.h - protocols of point-to-point messages: what goes over the network, and when */
#ifndef SIM_MPI_PROTOCOL_H
#define SIM_MPI_PROTOCOL_H

#include "base/registry.h"
#include "sim/mpi/sim_mpi_priv.h"

/*
 * A message follows the protocol that its sender chose. What the protocols share (matching, orders,
 * completion) is in sim_mpi_message.c, which calls them as the message goes on; a protocol changes
 * the message's kind and sends its next part. State is the message's, its rank's or its node's:
 * nothing is shared between nodes.
 */
struct protocol {
	struct entry entry;
	bool registers; /* the data's memory, before the sending call does anything else */
	bool copies;    /* the data, before the sending call ends */
	/* The sending rank makes the message: its first kind. Returns whether the send
	 * is complete. */
	bool (*begin)(struct mpi *mpi, int32_t which);
	/* The message has found its receive, at the rank's clock; token is whose completion that
	 * is. */
	void (*matched)(struct mpi *mpi, struct rank *rank, int32_t which, int32_t token);
	/* It has come at its node. Returns whether a rank must look at it: *at. */
	bool (*delivered)(struct mpi *mpi, int32_t which, int32_t *at);
	/* A rank looks at it: a kind that needs no match. */
	void (*taken)(struct mpi *mpi, struct rank *rank, int32_t which);
};

extern const struct registry protocols; /* "protocols" */
extern const struct protocol protocol_ask_answer, protocol_eager, protocol_gpudirect,
	protocol_local, protocol_one_sided, protocol_receiver_driven;

/* The protocol of a message that goes this way to a rank. */
const struct protocol *protocol_of(const struct mpi *mpi, const struct rank *rank, int32_t peer,
				   int64_t bytes, bool is_synchronous, enum gpu_mode way);

/* ---- clearing (sim/protocol/receiver_driven.c) ---- */
/* As begin, of protocols that clear. */
bool clear_begin(struct mpi *mpi, int32_t which);
/* A receive of so many bytes that was posted sends CTS where it may. */
void clear_early(struct mpi *mpi, struct rank *rank, int32_t posted, int64_t bytes);
/* How many messages with its key were begun before an eager one. */
uint32_t cleared_before(const struct mpi *mpi, const struct message *message);
/* Whether an RTS needs no receive any more. */
bool clear_is_done(const struct mpi *mpi, const struct message *message);

/* Operations that are on GPUs where messages are: Khetawat 2022, ch. 3. */
enum {
	GPU_COLLECTIVES = 1 << COLLECTIVE_BCAST | 1 << COLLECTIVE_REDUCE |
			  1 << COLLECTIVE_ALLREDUCE | 1 << COLLECTIVE_ALLGATHER |
			  1 << COLLECTIVE_ALLTOALL
};

#endif
