/* none.c - every rank by itself */
#include "map/problem/problem.h"

static int run(const struct map_input *in, const struct pick *pick, int nparts, const int *size,
	       int *part_of, struct err *err)
{
	(void)in, (void)pick, (void)size, (void)err;
	for (int part = 0; part < nparts; part++)
		part_of[part] = part;
	return 0;
}

const struct map_partition map_partition_none = {
	.entry =
		{
			.name = "none",
			.example = "none",
			.summary = "every rank alone: slots count as nodes",
			.paper = "Mirsadeghi, Afsahi: PTRAM, §IV-C1",
		},
	.is_by_slot = true,
	.run = run,
};
