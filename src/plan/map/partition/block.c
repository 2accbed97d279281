/* block.c - consecutive ranks together */
#include "map/problem/problem.h"

static int run(const struct map_input *in, const struct pick *pick, int nparts, const int *size,
	       int *part_of, struct err *err)
{
	int rank = 0;

	(void)in, (void)pick, (void)err;
	for (int part = 0; part < nparts; part++)
		for (int i = 0; i < size[part]; i++)
			part_of[rank++] = part;
	return 0;
}

const struct map_partition map_partition_block = {
	.entry =
		{
			.name = "block",
			.example = "block",
			.summary = "consecutive ranks together",
		},
	.run = run,
};
