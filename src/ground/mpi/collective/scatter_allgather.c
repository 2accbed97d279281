/* scatter_allgather.c - long bcasts: shares down a binomial tree, then gathered by everybody */
#include "mpi/collective/steps.h"

static int nsteps_ring(const struct collective *call)
{
	return collective_log2_up(call->nranks) + call->nranks - 1;
}

static void step_ring(const struct collective *call, int rank, int k,
		      collective_message_fn *message, void *context)
{
	int levels = collective_log2_up(call->nranks);

	if (k < levels)
		binomial_down(call, rank, k, true, message, context);
	else
		ring_step(call, rank, k - levels, message, context);
}

/* Doubling needs a power of two; Bruck's gather takes as many steps for the others. */
static int nsteps_doubling(const struct collective *call)
{
	return 2 * collective_log2_up(call->nranks);
}

static void step_doubling(const struct collective *call, int rank, int k,
			  collective_message_fn *message, void *context)
{
	int levels = collective_log2_up(call->nranks);

	if (k < levels)
		binomial_down(call, rank, k, true, message, context);
	else if (is_power(call->nranks))
		doubling_step(call, rank, k - levels, message, context);
	else
		bruck_gather_step(call, rank, k - levels, message, context);
}

#define PAPER "Thakur, Rabenseifner, Gropp 2005, §4.2 (van de Geijn's)"

const struct collective_algorithm collective_algorithm_scatter_ring = {
	.entry = {.name = "scatter-ring",
		  .example = "scatter-ring",
		  .summary = "bcast: a scatter along a binomial tree, then a ring that gathers",
		  .paper = PAPER},
	.ops = COLLECTIVE_BIT(BCAST),
	.nsteps = nsteps_ring,
	.step = step_ring,
};

const struct collective_algorithm collective_algorithm_scatter_doubling = {
	.entry = {.name = "scatter-doubling",
		  .example = "scatter-doubling",
		  .summary = "bcast: a scatter along a binomial tree, then a gather by recursive "
			     "doubling (by Bruck's algorithm where the ranks are no power of two)",
		  .paper = PAPER},
	.ops = COLLECTIVE_BIT(BCAST),
	.nsteps = nsteps_doubling,
	.step = step_doubling,
};
