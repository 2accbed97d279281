/* recursive_doubling.c - partners at distances 1, 2, 4, … exchange what they have */
#include "mpi/collective/steps.h"

static bool is_gather(const struct collective *call)
{
	return call->op == COLLECTIVE_ALLGATHER || call->op == COLLECTIVE_ALLGATHERV;
}

/* A barrier is an allreduce of nothing. */
static bool is_allreduce(const struct collective *call)
{
	return call->op == COLLECTIVE_ALLREDUCE || call->op == COLLECTIVE_BARRIER;
}

static int nsteps(const struct collective *call)
{
	int levels = collective_log2_up(call->nranks);

	/* allreduce folds the ranks onto a power of two before, and unfolds after: log2 of the
	 * power below is one less */
	return is_allreduce(call) && !is_power(call->nranks) ? levels + 1 : levels;
}

static void exchange(const struct collective *call, int peer, collective_message_fn *message,
		     void *context)
{
	message(context, true, peer, call->bytes);
	message(context, false, peer, call->bytes);
}

static void allreduce(const struct collective *call, int rank, int k,
		      collective_message_fn *message, void *context)
{
	bool folds = !is_power(call->nranks);
	int place = fold_place(call->nranks, rank);

	if (folds && (k == 0 || k == nsteps(call) - 1))
		fold_step(call, rank, k > 0, call->bytes, message, context);
	else if (place >= 0)
		exchange(call, fold_rank(call->nranks, place ^ 1 << (folds ? k - 1 : k)), message,
			 context);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	if (is_allreduce(call))
		allreduce(call, rank, k, message, context);
	else if (is_gather(call) && is_power(call->nranks))
		doubling_step(call, rank, k, message, context);
	else if (is_gather(call))
		bruck_gather_step(call, rank, k, message, context);
	else if ((rank ^ 1 << k) < call->nranks)
		exchange(call, rank ^ 1 << k, message, context);
}

const struct collective_algorithm collective_algorithm_recursive_doubling = {
	.entry =
		{.name = "recursive-doubling",
		 .example = "recursive-doubling",
		 .summary =
			 "allreduce, barrier, allgather and scans: partners at distances 1, 2, 4, … "
			 "exchange what they have (allgather by Bruck's algorithm where the "
			 "ranks are no power of two)",
		 .paper = "Thakur, Rabenseifner, Gropp 2005, §4.1, §4.5"},
	.ops = COLLECTIVE_BIT(ALLREDUCE) | COLLECTIVE_BIT(BARRIER) | COLLECTIVE_BIT(ALLGATHER) |
	       COLLECTIVE_BIT(ALLGATHERV) | COLLECTIVE_BIT(SCAN) | COLLECTIVE_BIT(EXSCAN),
	.nsteps = nsteps,
	.step = step,
};
