/* alltoall.c - everybody sends to everybody, one partner after the other */
#include "mpi/pattern/pattern.h"

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const struct group_alltoall group = {
		.n = part->job->nranks, .place = rank, .is_first = true, .is_last = true};

	if (cursor->step == 0 && !group_alltoall_next(&group, cursor, op))
		cursor->step = 1;
	op->bytes = part->bytes;
}

const struct pattern pattern_alltoall = {
	.entry = {.name = "alltoall",
		  .example = "alltoall",
		  .summary = "everybody sends to everybody: in step i rank r receives from r - i, "
			     "sends to r + i and waits; no barrier between steps or iterations",
		  .paper = "Zhang et al., Level-Spread, §V-B; SST's Alltoall"},
	.next = next,
};

/* GPCNeT's congestor: the same all-to-all with messages of 4 KiB. */
static int open(struct pattern_part *part, struct err *err)
{
	(void)err;
	if (part->job->bytes < 0)
		part->bytes = 4096;
	return 0;
}

const struct pattern pattern_gpcnet_alltoall = {
	.entry = {.name = "gpcnet-alltoall",
		  .example = "gpcnet-alltoall",
		  .summary = "GPCNeT's all-to-all congestor: as alltoall, with messages of 4 KiB "
			     "unless the job says otherwise",
		  .paper = "Chunduri et al., GPCNeT, SC 2019, §III"},
	.open = open,
	.next = next,
};
