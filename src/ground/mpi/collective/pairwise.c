/* pairwise.c - long alltoall and reduce_scatter: one partner at a time */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return call->nranks - 1;
}

/* The partners at distance k + 1, up and down, whatever the number of ranks. */
static void shift_step(const struct collective *call, int rank, int k,
		       collective_message_fn *message, void *context)
{
	int n = call->nranks, to = up(call, rank, k + 1);

	message(context, true, to, collective_share(call->bytes, n, to));
	message(context, false, down(call, rank, k + 1), collective_share(call->bytes, n, rank));
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int n = call->nranks, peer = rank ^ (k + 1);

	if (!is_power(n)) {
		shift_step(call, rank, k, message, context);
		return;
	}
	message(context, true, peer, collective_share(call->bytes, n, peer));
	message(context, false, peer, collective_share(call->bytes, n, rank));
}

#define OPS                                                                                        \
	(COLLECTIVE_BIT(ALLTOALL) | COLLECTIVE_BIT(ALLTOALLV) | COLLECTIVE_BIT(ALLTOALLW) |        \
	 COLLECTIVE_BIT(REDUCE_SCATTER) | COLLECTIVE_BIT(REDUCE_SCATTER_BLOCK))

const struct collective_algorithm collective_algorithm_pairwise_shift = {
	.entry = {.name = "pairwise-shift",
		  .example = "pairwise-shift",
		  .summary = "the same, with the ranks at distance 1, 2, 3, … up and down",
		  .paper = "Open MPI (ompi_coll_base_alltoall_intra_pairwise)"},
	.ops = OPS,
	.nsteps = nsteps,
	.step = shift_step,
};

const struct collective_algorithm collective_algorithm_pairwise = {
	.entry = {.name = "pairwise",
		  .example = "pairwise",
		  .summary = "long alltoall and reduce_scatter: one partner at a time, n - 1 steps",
		  .paper = "Thakur, Rabenseifner, Gropp 2005, §4.2, §4.3"},
	.ops = OPS,
	.nsteps = nsteps,
	.step = step,
};
