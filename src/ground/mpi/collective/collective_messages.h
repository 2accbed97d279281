/* collective_messages.h - the messages of point-to-point calls and of expanded collectives, added
 * up */
#ifndef MPI_COLLECTIVE_COLLECTIVE_MESSAGES_H
#define MPI_COLLECTIVE_COLLECTIVE_MESSAGES_H

#include "mpi/collective/collective.h"
#include "model/comm_sum.h"
#include "model/mpitrace.h"

/*
 * Every rank adds what it sends itself, so ranks may come one after the other. Equal calls of one
 * rank are counted and expanded once, when another rank comes.
 */
struct messages {
	const char *library; /* of collective_libraries; NULL: collectives are left out */
	const struct trace_comms *comms;
	struct comm_sum sum;
	int32_t rank;               /* whose calls are counted */
	struct counted_call *calls; /* [ncalls] slots of an open hash table */
	size_t ncalls, nused;
	int64_t nomitted; /* calls on inter-communicators, which are not expanded */
};

void messages_init(struct messages *messages, const char *library, const struct trace_comms *comms);
void messages_free(struct messages *messages);

static inline void messages_add(struct messages *messages, int32_t src, int32_t dst, int64_t bytes)
{
	comm_sum_add(&messages->sum, src, dst, (double)bytes, 1);
}

/* One rank's call: world ranks; what its buffers hold, -1: not known (collective_bytes). */
void messages_collective(struct messages *messages, int32_t rank, enum collective_op op,
			 int32_t comm, int32_t root, int64_t send, int64_t recv);
/* Whatever a row of an mpitrace stream sends. */
void messages_call(struct messages *messages, const struct mpi_call *call);
/* Expands what is still counted and makes the rows. */
int messages_emit(struct messages *messages, struct flow *flow, struct err *err);

#endif
