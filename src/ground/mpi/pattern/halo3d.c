/* halo3d.c - six neighbours in space, one direction after the other */
#include <stdlib.h>

#include "mpi/pattern/pattern.h"

/* In each direction an exchange with the neighbours that there are. */
static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const struct grid *grid = part->state;

	while (cursor->step < 3) {
		int d = cursor->step++, stride = 1, at, n = 0;

		for (int i = 0; i < d; i++)
			stride *= grid->size[i];
		at = rank / stride % grid->size[d];
		if (at > 0)
			cursor->from[n++] = rank - stride;
		if (at < grid->size[d] - 1)
			cursor->from[n++] = rank + stride;
		if (n == 0)
			continue;
		for (int i = 0; i < n; i++)
			cursor->to[i] = cursor->from[i];
		exchange_begin(cursor, op, n);
		op->bytes = part->bytes;
		op->tag = d;
		return;
	}
}

static int halo3d_open(struct pattern_part *part, struct err *err)
{
	struct grid *grid = xmalloc(sizeof(*grid));

	(void)err;
	grid_cube(grid, part->job->nranks);
	part->state = grid;
	return 0;
}

static void close(struct pattern_part *part)
{
	free(part->state);
}

const struct pattern pattern_halo3d = {
	.entry = {.name = "halo3d",
		  .example = "halo3d",
		  .summary = "six neighbours in space, not periodic: in x, then y, then z two "
			     "receives are posted, two blocking sends follow, then two waits",
		  .paper = "Zhang et al., Level-Spread, §V-B; SST's Halo3D (without its reduction: "
			   "that is halo3d+allreduce)"},
	.open = halo3d_open,
	.close = close,
	.next = next,
};
