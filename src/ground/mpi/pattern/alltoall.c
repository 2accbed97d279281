/* alltoall.c - everybody sends to everybody, one partner after the other */
#include "mpi/pattern/pattern.h"

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	int n = part->job->nranks, i = cursor->step + 1;

	if (i >= n)
		return;
	cursor->step = i;
	cursor->from[0] = rank >= i ? rank - i : rank - i + n;
	cursor->to[0] = rank < n - i ? rank + i : rank + i - n;
	cursor->ends = i == n - 1;
	exchange_begin(cursor, op, 1);
	op->bytes = part->bytes;
	op->is_inner = true;
	op->is_inner_first = i == 1;
}

const struct pattern pattern_alltoall = {
	.entry = {.name = "alltoall",
		  .example = "alltoall",
		  .summary = "every rank sends to every other: in step i rank r receives "
			     "from r - i, sends to r + i and waits; no barrier between "
			     "steps or iterations",
		  .paper = "Zhang et al., Level-Spread, §V-B; SST's Alltoall"},
	.next = next,
};

/* GPCNeT's congestor: the same all-to-all with messages of 4 KiB. */
static int alltoall_open(struct pattern_part *part, struct err *err)
{
	(void)err;
	if (part->job->bytes < 0)
		part->bytes = 4096;
	return 0;
}

const struct pattern pattern_gpcnet_alltoall = {
	.entry = {.name = "gpcnet-alltoall",
		  .example = "gpcnet-alltoall",
		  .summary = "GPCNeT's all-to-all congestor: as alltoall, with messages "
			     "of 4 KiB unless the job specifies a size",
		  .paper = "Chunduri et al., GPCNeT, SC 2019, §III"},
	.open = alltoall_open,
	.next = next,
};
