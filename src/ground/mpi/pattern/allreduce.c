/* allreduce.c - all ranks get the sum of the numbers of all */
#include <stdlib.h>

#include "base/mem.h"
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

struct allreduce {
	int64_t times, every, bytes;
};

static int open(struct pattern_part *part, struct err *err)
{
	struct allreduce *what = xmalloc(sizeof(*what));

	(void)err;
	*what = (struct allreduce){.times = pick_int(part->pick, "times"),
				   .every = pick_int(part->pick, "every"),
				   .bytes = part->bytes};
	if (pick_has(part->pick, "size"))
		what->bytes = (int64_t)pick_real(part->pick, "size");
	part->state = what;
	return 0;
}

static void close(struct pattern_part *part)
{
	free(part->state);
}

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const struct allreduce *what = part->state;

	if (cursor->step >= what->times || part->job->nranks < 2)
		return;
	if (cursor->iteration % what->every != 0) {
		cursor->has_done = true; /* others will follow */
		return;
	}
	op->kind = OP_COLLECTIVE;
	op->call = (struct collective){
		.op = COLLECTIVE_ALLREDUCE, .nranks = part->job->nranks, .bytes = what->bytes};
	op->place = rank;
	op->tag = cursor->step++;
}

const struct pattern pattern_allreduce = {
	.entry = {.name = "allreduce",
		  .example = "allreduce:size=8",
		  .summary = "MPI_Allreduce, by the algorithm that the MPI library would choose",
		  .params = params},
	.open = open,
	.close = close,
	.next = next,
};
