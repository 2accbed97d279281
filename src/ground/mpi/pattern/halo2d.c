/* halo2d.c - four neighbours in the plane, one blocking exchange after the other */
#include <stdlib.h>

#include "mpi/pattern/pattern.h"

/* offset in x and y, and whether it is a send; of even and of odd columns, then of rows. North is
 * rank - X. */
struct turn {
	int8_t offset[GRID_DIMS];
	bool is_send;
};
static const struct turn turns[2][2][4] = {
	{{{{1}, false}, {{1}, true}, {{-1}, false}, {{-1}, true}},
	 {{{-1}, true}, {{-1}, false}, {{1}, true}, {{1}, false}}},
	{{{{0, -1}, false}, {{0, -1}, true}, {{0, 1}, false}, {{0, 1}, true}},
	 {{{0, 1}, true}, {{0, 1}, false}, {{0, -1}, true}, {{0, -1}, false}}},
};

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const struct grid *grid = part->state;

	while (cursor->step < 8) {
		bool is_vertical = cursor->step >= 4;
		/* SST asks whether the rank is even, not its column */
		int parity = (is_vertical ? rank / grid->size[0] : rank) % 2;
		const struct turn *turn = &turns[is_vertical][parity][cursor->step % 4];
		int peer = grid_neighbour(grid, rank, turn->offset);

		cursor->step++;
		if (peer < 0)
			continue;
		op->kind = turn->is_send ? OP_SEND : OP_RECV;
		op->peer = peer;
		op->bytes = part->bytes;
		/* on a grid of two in one direction each side is there once: no tag is needed */
		op->tag = is_vertical;
		return;
	}
}

static int halo2d_open(struct pattern_part *part, struct err *err)
{
	struct grid *grid = xmalloc(sizeof(*grid));

	(void)err;
	grid_square(grid, part->job->nranks);
	part->state = grid;
	return 0;
}

static void close(struct pattern_part *part)
{
	free(part->state);
}

const struct pattern pattern_halo2d = {
	.entry = {.name = "halo2d",
		  .example = "halo2d",
		  .summary = "four neighbours in the plane, not periodic: even ranks receive, then "
			     "send, east, then west, then (by the parity of the row) north and "
			     "south; every call blocks",
		  .paper = "Zhang et al., Level-Spread, §V-B; SST's Halo2D"},
	.open = halo2d_open,
	.close = close,
	.next = next,
};
