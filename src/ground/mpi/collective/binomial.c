/* binomial.c - bcast, reduce, gather and scatter along a binomial tree */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return collective_log2_up(call->nranks);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	switch (call->op) {
	case COLLECTIVE_BCAST:
		binomial_down(call, rank, k, false, message, context);
		break;
	case COLLECTIVE_REDUCE:
		binomial_up(call, rank, k, false, message, context);
		break;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV:
		binomial_down(call, rank, k, true, message, context);
		break;
	default:
		binomial_up(call, rank, k, true, message, context);
		break;
	}
}

const struct collective_algorithm collective_algorithm_binomial = {
	.entry = {.name = "binomial",
		  .example = "binomial",
		  .summary = "bcast, reduce, gather and scatter along a binomial tree",
		  .paper = "Thakur, Rabenseifner, Gropp, Optimization of collective communication "
			   "operations in MPICH, 2005, §4"},
	.ops = COLLECTIVE_BIT(BCAST) | COLLECTIVE_BIT(REDUCE) | COLLECTIVE_BIT(GATHER) |
	       COLLECTIVE_BIT(GATHERV) | COLLECTIVE_BIT(SCATTER) | COLLECTIVE_BIT(SCATTERV),
	.nsteps = nsteps,
	.step = step,
};
