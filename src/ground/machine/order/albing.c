/* albing.c - small blocks, and the longest dimension last, as Cray's placement orders its nodes */
#include "machine/order/lattice.h"

struct blocks {
	struct lattice lattice;
	int block;                 /* sides of a block */
	int fastest[LATTICE_DIMS]; /* the dimensions, the shortest first */
	int nblocks[LATTICE_DIMS]; /* along each dimension */
};

/* By size, then by number. */
static void sort_dims(struct blocks *blocks)
{
	const int *sizes = blocks->lattice.sizes;

	for (int d = 0; d < blocks->lattice.ndims; d++) {
		int at = d;

		for (; at > 0 && sizes[blocks->fastest[at - 1]] > sizes[d]; at--)
			blocks->fastest[at] = blocks->fastest[at - 1];
		blocks->fastest[at] = d;
	}
}

/* The routers of the block at these block coordinates; those at the far sides may be smaller. */
static void add_block(const struct blocks *blocks, const int *block_at, int_vec *nodes)
{
	const struct lattice *lattice = &blocks->lattice;
	int sides[LATTICE_DIMS], at[LATTICE_DIMS], n = 1;

	for (int d = 0; d < lattice->ndims; d++) {
		int left = lattice->sizes[d] - block_at[d] * blocks->block;

		sides[d] = left < blocks->block ? left : blocks->block;
		n *= sides[d];
	}
	for (int i = 0; i < n; i++) {
		int router = 0;

		lattice_snake(sides, blocks->fastest, lattice->ndims, i, at);
		for (int d = 0; d < lattice->ndims; d++)
			router += (block_at[d] * blocks->block + at[d]) * lattice->strides[d];
		lattice_add(lattice, router, nodes);
	}
}

static int make(int_vec *nodes, const struct topo *topo, const struct pick *pick, struct err *err)
{
	struct blocks blocks = {.block = (int)pick_int(pick, "block")};
	int at[LATTICE_DIMS], n = 1;

	if (lattice_of(&blocks.lattice, topo, err) != 0)
		return -1;
	sort_dims(&blocks);
	for (int d = 0; d < blocks.lattice.ndims; d++) {
		blocks.nblocks[d] = (blocks.lattice.sizes[d] - 1) / blocks.block + 1;
		n *= blocks.nblocks[d];
	}
	for (int i = 0; i < n; i++) {
		lattice_snake(blocks.nblocks, blocks.fastest, blocks.lattice.ndims, i, at);
		add_block(&blocks, at, nodes);
	}
	return 0;
}

const struct order order_albing = {
	.entry =
		{
			.name = "albing",
			.example = "albing",
			.summary = "back and forth through blocks of routers: blocks keep"
				   " small jobs together, the longest dimension last "
				   "keeps large ones apart",
			.paper = "Albing-style: after the orders that Albing, Characterizing node "
				 "orderings, PMBS 2015, compares",
			.params = (const struct param[]){{.key = "block",
							  .type = PARAM_INT,
							  .min = 1,
							  .max = 1024,
							  .def = "2",
							  .unit = "routers",
							  .meaning = "side of a block"},
							 {0}},
		},
	.make = make,
};
