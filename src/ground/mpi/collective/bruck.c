/* bruck.c - allgather and short alltoall in log2 n steps */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return collective_log2_up(call->nranks);
}

/* How many of 0 … n-1 have bit k. */
static int count_bit(int n, int k)
{
	int rest = n & ((1 << k) - 1);

	return (n >> (k + 1) << k) + (n >> k & 1 ? rest : 0);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int n = call->nranks;
	int64_t bytes;

	if (call->op != COLLECTIVE_ALLTOALL) {
		bruck_gather_step(call, rank, k, message, context);
		return;
	}
	/* the blocks whose way to go has bit k set, all at once; blocks are of one size */
	bytes = (call->bytes / n + (call->bytes % n != 0)) * count_bit(n, k);
	message(context, true, up(call, rank, 1 << k), bytes);
	message(context, false, down(call, rank, 1 << k), bytes);
}

const struct collective_algorithm collective_algorithm_bruck = {
	.entry = {.name = "bruck",
		  .example = "bruck",
		  .summary = "allgather and short alltoall in log2 n steps, any number of ranks",
		  .paper =
			  "Bruck et al., Efficient algorithms for all-to-all communications, 1997"},
	.ops = COLLECTIVE_BIT(ALLGATHER) | COLLECTIVE_BIT(ALLGATHERV) | COLLECTIVE_BIT(ALLTOALL),
	.nsteps = nsteps,
	.step = step,
};
