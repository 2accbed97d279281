/* ring.c - each rank talks to its two neighbours only */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return call->op == COLLECTIVE_ALLREDUCE ? 2 * (call->nranks - 1) : call->nranks - 1;
}

/* allreduce: n - 1 steps leave share (r + 1) mod n reduced on rank r, n - 1 more spread them: the
 * shares that travel are those of a ring of 2(n - 1) steps. reduce_scatter: n - 1 that begin with
 * the next share leave share r there. */
static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	bool is_scattered = call->op == COLLECTIVE_REDUCE_SCATTER ||
			    call->op == COLLECTIVE_REDUCE_SCATTER_BLOCK;

	ring_step(call, rank, (k + is_scattered) % call->nranks, message, context);
}

const struct collective_algorithm collective_algorithm_ring = {
	.entry =
		{.name = "ring",
		 .example = "ring",
		 .summary =
			 "long allgather, allreduce and reduce_scatter: each rank talks to its two "
			 "neighbours",
		 .paper = "Thakur, Rabenseifner, Gropp 2005, §4.1; Patarasuk, Yuan 2009"},
	.ops = COLLECTIVE_BIT(ALLGATHER) | COLLECTIVE_BIT(ALLGATHERV) | COLLECTIVE_BIT(ALLREDUCE) |
	       COLLECTIVE_BIT(REDUCE_SCATTER) | COLLECTIVE_BIT(REDUCE_SCATTER_BLOCK),
	.nsteps = nsteps,
	.step = step,
};
