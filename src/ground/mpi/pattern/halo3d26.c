/* halo3d26.c - exchanges of faces, edges and corners: 26, 14 and 8 neighbours at once */
#include <stdlib.h>

#include "mpi/pattern/pattern.h"

enum { MOST_FACES = 26 };

struct halo {
	struct grid grid;
	int nfaces;
	struct halo_face faces[MOST_FACES];
	int opposite[MOST_FACES];
};

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const struct halo *halo = part->state;

	exchange_next(&halo->grid, halo->faces, halo->opposite, halo->nfaces, rank, cursor, op);
}

static void close(struct pattern_part *part)
{
	free(part->state);
}

static struct halo *halo_new(struct pattern_part *part)
{
	struct halo *halo = xcalloc(1, sizeof(*halo));

	part->state = halo;
	return halo;
}

static void add_face(struct halo *halo, int x, int y, int z, int w, int64_t bytes)
{
	halo->faces[halo->nfaces++] = (struct halo_face){
		.offset = {(int8_t)x, (int8_t)y, (int8_t)z, (int8_t)w}, .bytes = bytes};
}

/* The 2·ndims neighbours along the axes, lower before upper. */
static void add_axes(struct halo *halo, int64_t bytes)
{
	for (int dim = 0; dim < halo->grid.ndims; dim++)
		for (int side = -1; side <= 1; side += 2)
			add_face(halo, dim == 0 ? side : 0, dim == 1 ? side : 0,
				 dim == 2 ? side : 0, dim == 3 ? side : 0, bytes);
}

/* In the order of SST's Halo3D26. */
static const int8_t edges[12][3] = {{-1, -1, 0}, {0, -1, -1}, {1, -1, 0},  {0, -1, 1},
				    {-1, 0, 1},  {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},
				    {-1, 1, 0},  {0, 1, 1},   {1, 1, 0},   {0, 1, -1}};
static const int8_t corners[8][3] = {{-1, -1, 1}, {1, -1, 1}, {-1, -1, -1}, {1, -1, -1},
				     {-1, 1, 1},  {1, 1, 1},  {-1, 1, -1},  {1, 1, -1}};

static int open26(struct pattern_part *part, struct err *err)
{
	struct halo *halo = halo_new(part);
	int64_t n = part->job->does_as_sst ? 8 : 1; /* ember's Halo3D26: nx = ny = nz = 8 */

	(void)err;
	if (pick_has(part->pick, "n"))
		n = pick_int(part->pick, "n");
	grid_cube(&halo->grid, part->job->nranks);
	add_axes(halo, part->bytes);
	for (int i = 0; i < 12; i++)
		add_face(halo, edges[i][0], edges[i][1], edges[i][2], 0, part->bytes / n);
	for (int i = 0; i < 8; i++)
		add_face(halo, corners[i][0], corners[i][1], corners[i][2], 0, part->bytes / n / n);
	halo_opposites(halo->faces, halo->nfaces, halo->opposite);
	return 0;
}

static const struct param params26[] = {
	{.key = "n",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .optional = true,
	 .unit = "cells",
	 .meaning = "side of a rank's cube: faces have the job's bytes, edges bytes/n, "
		    "corners bytes/n². Default: all have the job's bytes; 8 if patterns "
		    "follow SST's motifs"},
	{0}};

const struct pattern pattern_halo3d26 = {
	.entry = {.name = "halo3d26",
		  .example = "halo3d26:n=8",
		  .summary = "26 neighbours in space, not periodic: all receives "
			     "are posted, all sends, one wait for all",
		  .paper = "Zhang et al., Level-Spread, §V-B; SST's Halo3D26",
		  .params = params26},
	.open = open26,
	.close = close,
	.next = next,
};

static int open15(struct pattern_part *part, struct err *err)
{
	struct halo *halo = halo_new(part);

	(void)err;
	grid_even(&halo->grid, 3, part->job->nranks);
	halo->grid.is_periodic = true;
	add_axes(halo, part->bytes);
	for (int i = 0; i < 8; i++)
		add_face(halo, corners[i][0], corners[i][1], corners[i][2], 0, part->bytes);
	halo_opposites(halo->faces, halo->nfaces, halo->opposite);
	return 0;
}

const struct pattern pattern_halo3d15 = {
	.entry = {.name = "halo3d15",
		  .example = "halo3d15",
		  .summary = "the 15-point stencil: six faces and eight corners, periodic: all "
			     "receives, all sends, one wait for all",
		  .paper = "Mirsadeghi, Afsahi, PTRAM, §V"},
	.open = open15,
	.close = close,
	.next = next,
};

static int open4(struct pattern_part *part, struct err *err)
{
	struct halo *halo = halo_new(part);

	(void)err;
	grid_even(&halo->grid, 4, part->job->nranks);
	halo->grid.is_periodic = true;
	add_axes(halo, part->bytes);
	halo_opposites(halo->faces, halo->nfaces, halo->opposite);
	return 0;
}

const struct pattern pattern_halo4d = {
	.entry = {.name = "halo4d",
		  .example = "halo4d",
		  .summary =
			  "eight neighbours in four dimensions, periodic, as in lattice QCD: all "
			  "receives, all sends, one wait for all"},
	.open = open4,
	.close = close,
	.next = next,
};
