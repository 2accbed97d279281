/* halo3d.c - six neighbours in space, one direction after the other */
#include <stdlib.h>

#include "mpi/pattern/pattern.h"

/* Six calls of each direction: irecv, irecv, send, send, wait, wait. */
static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	static const uint8_t kinds[3] = {OP_IRECV, OP_SEND, OP_WAIT};
	const struct grid *grid = part->state;

	while (cursor->step < 18) {
		int direction = cursor->step / 6, call = cursor->step % 6;
		int8_t offset[GRID_DIMS] = {0};
		int peer;

		offset[direction] = call % 2 == 0 ? -1 : 1;
		peer = grid_neighbour(grid, rank, offset);
		cursor->step++;
		if (peer < 0)
			continue;
		op->kind = kinds[call / 2];
		op->peer = peer;
		op->request = call % 2;
		op->bytes = part->bytes;
		op->tag = direction;
		return;
	}
}

static int open(struct pattern_part *part, struct err *err)
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
	.open = open,
	.close = close,
	.next = next,
};
