/* binary.c - bcast and reduce along a binary tree, allreduce and barrier as one after the other */
#include "mpi/collective/steps.h"

/* v's depth below the root, which is 0. */
static int depth(int v)
{
	int d = 0;

	for (; v > 0; v = (v - 1) / 2)
		d++;
	return d;
}

static int nsteps(const struct collective *call)
{
	int levels = depth(call->nranks - 1);
	bool is_both = call->op == COLLECTIVE_ALLREDUCE || call->op == COLLECTIVE_BARRIER;

	return is_both ? 2 * levels : levels;
}

/* The edges between level and level + 1 that v has. */
static void edges(const struct collective *call, int v, int level, bool is_down,
		  collective_message_fn *message, void *context)
{
	int d = depth(v);

	if (d == level + 1)
		message(context, !is_down, to_rank(call, (v - 1) / 2), call->bytes);
	if (d != level)
		return;
	for (int i = 1; i <= 2; i++)
		if (v <= (call->nranks - 1 - i) / 2 && 2 * v + i < call->nranks)
			message(context, is_down, to_rank(call, 2 * v + i), call->bytes);
}

static enum collective_way way(const struct collective *call, int k)
{
	return call->op == COLLECTIVE_BCAST || k >= depth(call->nranks - 1) ? STEP_DOWN : STEP_UP;
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int levels = depth(call->nranks - 1), v = from_root(call, rank);
	bool is_down = way(call, k) == STEP_DOWN;

	if (k >= levels)
		k -= levels;
	edges(call, v, is_down ? k : levels - 1 - k, is_down, message, context);
}

const struct collective_algorithm collective_algorithm_binary = {
	.entry = {.name = "binary",
		  .example = "binary",
		  .summary = "bcast and reduce along a binary tree; allreduce "
			     "and barrier as reduce, then bcast",
		  .paper = "Khetawat 2022, ch. 3 (TraceR's trees of degree 2)"},
	.ops = COLLECTIVE_BIT(BCAST) | COLLECTIVE_BIT(REDUCE) | COLLECTIVE_BIT(ALLREDUCE) |
	       COLLECTIVE_BIT(BARRIER),
	.nsteps = nsteps,
	.step = step,
	.way = way,
};
