/* pairwise.c - long alltoall and reduce_scatter: one partner at a time */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return call->nranks - 1;
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int n = call->nranks, to, from;

	if (is_power(n)) {
		to = from = rank ^ (k + 1);
	} else {
		to = up(call, rank, k + 1);
		from = down(call, rank, k + 1);
	}
	message(context, true, to, collective_share(call->bytes, n, to));
	message(context, false, from, collective_share(call->bytes, n, rank));
}

const struct collective_algorithm collective_algorithm_pairwise = {
	.entry = {.name = "pairwise",
		  .example = "pairwise",
		  .summary = "long alltoall and reduce_scatter: one partner at a time, n - 1 steps",
		  .paper = "Thakur, Rabenseifner, Gropp 2005, §4.2, §4.3"},
	.ops = COLLECTIVE_BIT(ALLTOALL) | COLLECTIVE_BIT(ALLTOALLV) | COLLECTIVE_BIT(ALLTOALLW) |
	       COLLECTIVE_BIT(REDUCE_SCATTER) | COLLECTIVE_BIT(REDUCE_SCATTER_BLOCK),
	.nsteps = nsteps,
	.step = step,
};
