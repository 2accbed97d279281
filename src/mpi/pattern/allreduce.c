/* allreduce.c - all ranks get the sum of the numbers of all */
#include "mpi/collective/collective.h"
#include "mpi/pattern/pattern.h"

static const struct param params[] = {
	{.key = "size",
	 .type = PARAM_BYTES,
	 .optional = true,
	 .unit = "B",
	 .meaning = "size of the vector; default: the job's bytes"},
	{.key = "times",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1000000,
	 .def = "1",
	 .meaning = "number of operations per iteration, one after the other"},
	{.key = "every",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 30,
	 .def = "1",
	 .meaning = "only in every N-th iteration, starting with the first"},
	{0}};

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	if (cursor->step >= pick_int(part->pick, "times") || part->job->nranks < 2)
		return;
	if (cursor->iteration % pick_int(part->pick, "every") != 0) {
		cursor->has_done = true; /* others will follow */
		return;
	}
	op->kind = OP_COLLECTIVE;
	op->call = (struct collective){
		.op = COLLECTIVE_ALLREDUCE, .nranks = part->job->nranks, .bytes = part->bytes};
	if (pick_has(part->pick, "size"))
		op->call.bytes = (int64_t)pick_real(part->pick, "size");
	op->place = rank;
	op->tag = cursor->step++;
}

const struct pattern pattern_allreduce = {
	.entry = {.name = "allreduce",
		  .example = "allreduce:size=8",
		  .summary = "MPI_Allreduce, by the algorithm that the MPI library would choose",
		  .params = params},
	.next = next,
};
