/* knomial.c - bcast along a tree in which each rank has up to three children at each distance */
#include "mpi/collective/steps.h"

enum { RADIX = 4 };

static int nsteps(const struct collective *call)
{
	return (collective_log2_up(call->nranks) + 1) / 2;
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int64_t distance = (int64_t)1 << 2 * (nsteps(call) - 1 - k);
	int v = from_root(call, rank);
	int beyond = (int)(v % (RADIX * distance));

	if (beyond != 0 && beyond % distance == 0)
		message(context, false, to_rank(call, v - beyond), call->bytes);
	for (int i = 1; beyond == 0 && i < RADIX && v + i * distance < call->nranks; i++)
		message(context, true, to_rank(call, (int)(v + i * distance)), call->bytes);
}

const struct collective_algorithm collective_algorithm_knomial = {
	.entry = {.name = "knomial",
		  .example = "knomial",
		  .summary = "bcast along a tree of radix 4",
		  .paper = "Open MPI 4.1 (ompi_coll_base_bcast_intra_knomial)"},
	.ops = COLLECTIVE_BIT(BCAST),
	.nsteps = nsteps,
	.step = step,
};
