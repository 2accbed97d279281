/* fft3d.c - a 3-D fast Fourier transform on a grid of pencils, there and back */
#include <stdlib.h>

#include "mpi/collective/collective.h"
#include "mpi/pattern/pattern.h"

extern const struct collective_algorithm collective_algorithm_binary;

static const struct param params[] = {
	{.key = "n",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .optional = true,
	 .unit = "cells",
	 .meaning = "side of the cube; default: every message has the job's bytes"},
	{.key = "rows",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 24,
	 .optional = true,
	 .unit = "ranks",
	 .meaning = "ranks in a column group; default: the largest divisor of the ranks "
		    "up to their square root"},
	{0}};

/*
 * Rank r is a = r mod rows, b = r div rows; its column group are the ranks with its b, its row
 * group those with its a. Both halves of the transform: an all-to-all in each group, and a barrier.
 */
struct fft3d {
	int rows, columns;
	int64_t n; /* 0: not given */
};

/* Steps of an iteration; the first two only once: the communicators' making. */
enum {
	MAKE_COLUMNS,
	MAKE_ROWS,
	FORWARD_COLUMN,
	FORWARD_ROW,
	FORWARD_END,
	BACK_ROW,
	BACK_COLUMN,
	BACK_END,
	NSTEPS
};

/* The n/2 + 1 points of a real transform are shared among a column group; sizes in bytes of 8-byte
 * numbers, two for each. */
static int64_t message_bytes(const struct pattern_part *part, int step, int a, int to)
{
	const struct fft3d *fft = part->state;
	int64_t points = fft->n / 2 + 1, height = fft->n / fft->rows, width = fft->n / fft->columns;

	if (fft->n == 0)
		return part->bytes;
	switch (step) {
	case FORWARD_COLUMN: /* to: the member's a */
		return collective_share(points, fft->rows, to) * 2 * height * width * 8;
	case FORWARD_ROW:
	case BACK_ROW:
		return collective_share(points, fft->rows, a) * 2 * width * width * 8;
	default:
		return collective_share(points, fft->rows, a) * 2 * height * width * 8;
	}
}

static void set_barrier(const struct pattern_part *part, int rank, struct op *op)
{
	op->kind = OP_COLLECTIVE;
	op->call = (struct collective){.op = COLLECTIVE_BARRIER, .nranks = part->job->nranks};
	op->place = rank;
	op->algorithm = &collective_algorithm_binary;
}

/* Bytes of the message that a member of the group sends to another; places in it. */
static int64_t group_bytes(const struct pattern_part *part, int step, int rank, int from, int to)
{
	const struct fft3d *fft = part->state;
	bool is_column = step == FORWARD_COLUMN || step == BACK_COLUMN;
	/* in a column group places are a's; a row group has one a */
	int a = is_column ? from : rank % fft->rows;

	return message_bytes(part, step, a, to);
}

static bool next_in_group(const struct pattern_part *part, int rank, struct cursor *cursor,
			  struct op *op)
{
	const struct fft3d *fft = part->state;
	int step = cursor->step, a = rank % fft->rows, b = rank / fft->rows, peer;
	bool is_column = step == FORWARD_COLUMN || step == BACK_COLUMN;
	const struct group_alltoall group = {
		.n = is_column ? fft->rows : fft->columns,
		.place = is_column ? a : b,
		.tag = step,
		.is_first = true,
		.is_last = true,
	};

	if (!group_alltoall_next(&group, cursor, op))
		return false;
	peer = op->peer;
	if (op->kind == OP_SEND)
		op->bytes = group_bytes(part, step, rank, group.place, peer);
	else if (op->kind == OP_IRECV)
		op->bytes = group_bytes(part, step, rank, peer, group.place);
	op->peer = is_column ? b * fft->rows + peer : peer * fft->rows + a;
	return true;
}

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	if (part->job->nranks < 2)
		return;
	if (cursor->step == MAKE_COLUMNS && cursor->iteration > 0)
		cursor->step = FORWARD_COLUMN;
	while (cursor->step < NSTEPS) {
		int step = cursor->step;

		if (step == MAKE_COLUMNS || step == MAKE_ROWS || step == FORWARD_END ||
		    step == BACK_END) {
			set_barrier(part, rank, op);
			op->tag = step;
			cursor->step++;
			return;
		}
		if (next_in_group(part, rank, cursor, op))
			return;
		cursor->step++;
	}
}

static int fft3d_open(struct pattern_part *part, struct err *err)
{
	int nranks = part->job->nranks;
	struct fft3d fft = {.n = pick_has(part->pick, "n") ? pick_int(part->pick, "n") : 0};
	struct grid grid;

	grid_square(&grid, nranks);
	fft.rows = grid.size[0];
	if (pick_has(part->pick, "rows"))
		fft.rows = (int)pick_int(part->pick, "rows");
	if (nranks % fft.rows != 0)
		return err_set(err, "rows: %d ranks are not a multiple of %d", nranks, fft.rows);
	fft.columns = nranks / fft.rows;
	if (fft.n > 0 && (fft.n < fft.rows || fft.n < fft.columns))
		return err_set(err, "n: a cube of side %lld is too small for %d x %d ranks",
			       (long long)fft.n, fft.rows, fft.columns);
	part->state = xmalloc(sizeof(fft));
	*(struct fft3d *)part->state = fft;
	return 0;
}

static void close(struct pattern_part *part)
{
	free(part->state);
}

const struct pattern pattern_fft3d = {
	.entry = {.name = "fft3d",
		  .example = "fft3d:n=32",
		  .summary = "a 3-D Fourier transform on pencils: all-to-all in the "
			     "column group, then in the row group, a barrier, and the "
			     "same in reverse; two barriers before the first iteration",
		  .paper = "Zhang et al., Level-Spread, §V-B; SST's FFT3D",
		  .params = params},
	.open = fft3d_open,
	.close = close,
	.next = next,
};
