/* collective.c - one collective operation, as the OSU micro-benchmarks time it */
#include "mpi/collective/collective.h"

#include <string.h>

#include "mpi/pattern/pattern.h"

static const struct param params[] = {
	{.key = "op",
	 .type = PARAM_TEXT,
	 .def = "allreduce",
	 .meaning = "a collective operation of MPI; gather, scatter, allgather and alltoall have a "
		    "block of the job's bytes for each rank, others a vector of them"},
	{0}};

static int open(struct pattern_part *part, struct err *err)
{
	const char *name = pick_word(part->pick, "op");
	int which = collective_find(name, strlen(name));

	if (which < 0 || which >= COLLECTIVE_CREATE)
		return err_set(err, "'%s' is not an operation such as alltoall", name);
	return 0;
}

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const unsigned of_blocks = 1u << COLLECTIVE_GATHER | 1u << COLLECTIVE_SCATTER |
				   1u << COLLECTIVE_ALLGATHER | 1u << COLLECTIVE_ALLTOALL;
	const char *name = pick_word(part->pick, "op");
	int n = part->job->nranks, which = collective_find(name, strlen(name));

	if (cursor->step++ > 0 || n < 2)
		return;
	op->kind = OP_COLLECTIVE;
	op->call = (struct collective){.op = (enum collective_op)which, .nranks = n};
	if (which != COLLECTIVE_BARRIER)
		op->call.bytes =
			(of_blocks >> which & 1) != 0
				? collective_bytes(COLLECTIVE_GATHER, n, false, part->bytes, -1)
				: part->bytes;
	op->place = rank;
}

const struct pattern pattern_collective = {
	.entry = {.name = "collective",
		  .example = "collective:op=alltoall",
		  .summary = "one collective operation of all ranks, by the algorithm that the "
			     "MPI library would choose; as osu_allreduce, osu_alltoall, … time it",
		  .paper = "OSU micro-benchmarks 5.6.3",
		  .params = params},
	.open = open,
	.next = next,
};
