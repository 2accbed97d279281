/* ring.c - each rank talks to its two neighbours only */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return call->op == COLLECTIVE_ALLREDUCE ? 2 * (call->nranks - 1) : call->nranks - 1;
}

/* allreduce: n - 1 steps leave share (r + 1) mod n reduced on rank r, n - 1 more spread them: the
 * shares that travel are those of a ring of 2(n - 1) steps. */
static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	ring_step(call, rank, k % call->nranks, message, context);
}

const struct collective_algorithm collective_algorithm_ring = {
	.entry = {.name = "ring",
		  .example = "ring",
		  .summary = "long allgather and allreduce: each rank talks to its two neighbours",
		  .paper = "Thakur, Rabenseifner, Gropp 2005, §4.1; Patarasuk, Yuan 2009"},
	.ops = COLLECTIVE_BIT(ALLGATHER) | COLLECTIVE_BIT(ALLGATHERV) | COLLECTIVE_BIT(ALLREDUCE),
	.nsteps = nsteps,
	.step = step,
};
