/* dissemination.c - barrier: in step k everyone signals the rank 2^k further */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return collective_log2_up(call->nranks);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	message(context, true, up(call, rank, 1 << k), 0);
	message(context, false, down(call, rank, 1 << k), 0);
}

const struct collective_algorithm collective_algorithm_dissemination = {
	.entry = {.name = "dissemination",
		  .example = "dissemination",
		  .summary = "barrier: in step k everyone signals the rank 2^k further",
		  .paper = "Hensgen, Finkel, Manber, Two algorithms for "
			   "barrier synchronization, 1988"},
	.ops = COLLECTIVE_BIT(BARRIER),
	.nsteps = nsteps,
	.step = step,
};
