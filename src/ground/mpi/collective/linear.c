/* linear.c - data goes straight from the rank that has it to the rank that needs it */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	switch (call->op) {
	case COLLECTIVE_BARRIER:
	case COLLECTIVE_ALLREDUCE:
		return 2;
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN:
		return call->nranks - 1;
	default:
		return 1;
	}
}

/* Between the root and everybody else: whole, or each rank's share. */
static void star(const struct collective *call, int rank, bool is_out, bool shares,
		 collective_message_fn *message, void *context)
{
	int n = call->nranks;

	if (rank != call->root) {
		message(context, !is_out, call->root,
			shares ? collective_share(call->bytes, n, rank) : call->bytes);
		return;
	}
	for (int i = 1; i < n; i++) {
		int peer = up(call, rank, i);

		message(context, is_out, peer,
			shares ? collective_share(call->bytes, n, peer) : call->bytes);
	}
}

/* Everybody to everybody: the share of the receiver, or of the sender. */
static void complete(const struct collective *call, int rank, bool of_receiver,
		     collective_message_fn *message, void *context)
{
	int n = call->nranks;

	for (int i = 1; i < n; i++) {
		int peer = up(call, rank, i);

		message(context, true, peer,
			collective_share(call->bytes, n, of_receiver ? peer : rank));
	}
	for (int i = 1; i < n; i++) {
		int peer = down(call, rank, i);

		message(context, false, peer,
			collective_share(call->bytes, n, of_receiver ? rank : peer));
	}
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	switch (call->op) {
	case COLLECTIVE_BCAST:
		star(call, rank, true, false, message, context);
		break;
	case COLLECTIVE_REDUCE:
		star(call, rank, false, false, message, context);
		break;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV:
		star(call, rank, true, true, message, context);
		break;
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV:
		star(call, rank, false, true, message, context);
		break;
	case COLLECTIVE_BARRIER:
	case COLLECTIVE_ALLREDUCE:
		star(call, rank, k == 1, false, message, context);
		break;
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN: /* from each to the next one */
		if (rank == k)
			message(context, true, rank + 1, call->bytes);
		else if (rank == k + 1)
			message(context, false, rank - 1, call->bytes);
		break;
	default:
		complete(call, rank,
			 call->op != COLLECTIVE_ALLGATHER && call->op != COLLECTIVE_ALLGATHERV,
			 message, context);
		break;
	}
}

const struct collective_algorithm collective_algorithm_linear = {
	.entry = {.name = "linear",
		  .example = "linear",
		  .summary = "every operation: straight from the rank that has the data "
			     "to the one that needs it; allreduce and barrier through "
			     "rank 0, scans from rank to rank"},
	.ops = (1u << COLLECTIVE_CREATE) - 1,
	.nsteps = nsteps,
	.step = step,
};
