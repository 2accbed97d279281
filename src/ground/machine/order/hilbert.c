/* hilbert.c - Hilbert's curve */
#include <stdlib.h>

#include "machine/order/gilbert.h"
#include "machine/order/lattice.h"

/* ---- up to three dimensions: a curve without jumps ---- */

struct visiting {
	const struct lattice *lattice;
	int_vec *nodes;
};

static void visit(void *context, const int at[3])
{
	const struct visiting *visiting = context;
	int router = 0;

	for (int d = 0; d < visiting->lattice->ndims; d++)
		router += at[d] * visiting->lattice->strides[d];
	lattice_add(visiting->lattice, router, visiting->nodes);
}

/* ---- more: by the index on the curve through the cube around them ---- */

struct cube {
	const struct lattice *lattice;
	unsigned *place; /* [nrouters][ndims]: bits of the index, dimension by dimension */
};

/* From coordinates to the index, its bits dealt out to the dimensions (Skilling, Programming the
 * Hilbert curve, AIP Conf. Proc. 707, 2004). */
static void to_index(unsigned *x, int ndims, int nbits)
{
	unsigned top = 1U << (nbits - 1), flip = 0;

	for (unsigned q = top; q > 1; q >>= 1)
		for (int d = 0; d < ndims; d++) {
			unsigned low = q - 1, differ = (x[0] ^ x[d]) & low;

			if ((x[d] & q) != 0) {
				x[0] ^= low;
			} else {
				x[0] ^= differ;
				x[d] ^= differ;
			}
		}
	for (int d = 1; d < ndims; d++)
		x[d] ^= x[d - 1];
	for (unsigned q = top; q > 1; q >>= 1)
		if ((x[ndims - 1] & q) != 0)
			flip ^= q - 1;
	for (int d = 0; d < ndims; d++)
		x[d] ^= flip;
}

/* The highest bit that differs decides, of equal ones that of the first dimension. */
static int compare(const void *a, const void *b, void *context)
{
	const struct cube *cube = context;
	int ndims = cube->lattice->ndims, decides = -1;
	const unsigned *x = cube->place + (size_t) * (const int *)a * (size_t)ndims;
	const unsigned *y = cube->place + (size_t) * (const int *)b * (size_t)ndims;
	unsigned most = 0;

	for (int d = 0; d < ndims; d++) {
		unsigned differ = x[d] ^ y[d];

		if (differ > most && (differ ^ most) > most) {
			most = differ;
			decides = d;
		}
	}
	if (decides < 0)
		return 0;
	return x[decides] < y[decides] ? -1 : 1;
}

static void by_cube(const struct lattice *lattice, int_vec *nodes)
{
	size_t ndims = (size_t)lattice->ndims;
	struct cube cube = {.lattice = lattice};
	int nbits = 1;

	for (int d = 0; d < lattice->ndims; d++)
		while (lattice->sizes[d] > 1 << nbits)
			nbits++;
	cube.place = xmalloc((size_t)lattice->nrouters * ndims * sizeof(*cube.place));
	for (int r = 0; r < lattice->nrouters; r++) {
		unsigned *at = cube.place + (size_t)r * ndims;

		for (int d = 0; d < lattice->ndims; d++)
			at[d] = (unsigned)lattice_at(lattice, r, d);
		to_index(at, lattice->ndims, nbits);
	}
	lattice_sort(lattice, compare, &cube, nodes);
	free(cube.place);
}

static int make(int_vec *nodes, const struct topo *topo, const struct pick *pick, struct err *err)
{
	struct lattice lattice;
	struct visiting visiting = {&lattice, nodes};
	int sizes[3] = {1, 1, 1};

	(void)pick;
	if (lattice_of(&lattice, topo, err) != 0)
		return -1;
	if (lattice.ndims > 3) {
		by_cube(&lattice, nodes);
		return 0;
	}
	for (int d = 0; d < lattice.ndims; d++)
		sizes[d] = lattice.sizes[d];
	gilbert(sizes, visit, &visiting);
	return 0;
}

const struct order order_hilbert = {
	.entry =
		{
			.name = "hilbert",
			.example = "hilbert",
			.summary = "Hilbert's curve: without jumps in two and three "
				   "dimensions of any size; in more, that of the "
				   "enclosing cube, skipping what does not exist",
			.paper = "Hilbert, Mathematische Annalen 1891; Cerveny, the generalized "
				 "Hilbert curve, 2018; Skilling, AIP Conf. Proc. 707, 2004",
		},
	.make = make,
};
