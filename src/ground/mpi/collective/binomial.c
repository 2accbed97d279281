/* binomial.c - bcast, reduce, gather, scatter and barrier along a binomial tree */
#include "mpi/collective/steps.h"

static int nsteps(const struct collective *call)
{
	return collective_log2_up(call->nranks) * (call->op == COLLECTIVE_BARRIER ? 2 : 1);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int levels = collective_log2_up(call->nranks);

	switch (call->op) {
	case COLLECTIVE_BARRIER:
		if (k < levels)
			binomial_up(call, rank, k, false, message, context);
		else
			binomial_down(call, rank, k - levels, false, message, context);
		break;
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
		  .summary = "bcast, reduce, gather and scatter along a binomial tree; barrier up, "
			     "then down",
		  .paper = "Thakur, Rabenseifner, Gropp, Optimization of collective communication "
			   "operations in MPICH, 2005, §4"},
	.ops = COLLECTIVE_BIT(BCAST) | COLLECTIVE_BIT(REDUCE) | COLLECTIVE_BIT(GATHER) |
	       COLLECTIVE_BIT(GATHERV) | COLLECTIVE_BIT(SCATTER) | COLLECTIVE_BIT(SCATTERV) |
	       COLLECTIVE_BIT(BARRIER),
	.nsteps = nsteps,
	.step = step,
};
