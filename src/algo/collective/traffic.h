/* traffic.h - the messages of point-to-point calls and of expanded collectives, added up */
#ifndef ALGO_COLLECTIVE_TRAFFIC_H
#define ALGO_COLLECTIVE_TRAFFIC_H

#include "algo/collective/collective.h"
#include "model/comm_sum.h"
#include "model/mpitrace.h"

/*
 * Every rank adds what it sends itself, so ranks may come one after the other. Equal calls of one
 * rank are counted and expanded once, when another rank comes.
 */
struct traffic {
	const char *library; /* of collective_libraries; NULL: collectives are left out */
	const struct trace_comms *comms;
	struct comm_sum sum;
	int32_t rank;               /* whose calls are counted */
	struct traffic_call *calls; /* [ncalls] slots of an open hash table */
	size_t ncalls, nused;
	int64_t nomitted; /* calls on inter-communicators, which are not expanded */
};

void traffic_init(struct traffic *traffic, const char *library, const struct trace_comms *comms);
void traffic_free(struct traffic *traffic);

static inline void traffic_message(struct traffic *traffic, int32_t src, int32_t dst, int64_t bytes)
{
	comm_sum_add(&traffic->sum, src, dst, (double)bytes, 1);
}

/* One rank's call: world ranks; what its buffers hold, -1: not known (collective_bytes). */
void traffic_collective(struct traffic *traffic, int32_t rank, enum collective_op op, int32_t comm,
			int32_t root, int64_t send, int64_t recv);
/* Whatever a row of an mpitrace stream sends. */
void traffic_call(struct traffic *traffic, const struct mpi_call *call);
/* Expands what is still counted and makes the rows. */
int traffic_emit(struct traffic *traffic, struct flow *flow, struct err *err);

#endif
