/* snake.c - back and forth along the first dimension, then the next */
#include "machine/order/lattice.h"

static int make(int_vec *nodes, const struct topo *topo, const struct pick *pick, struct err *err)
{
	struct lattice lattice;
	int fastest[LATTICE_DIMS], at[LATTICE_DIMS];

	(void)pick;
	if (lattice_of(&lattice, topo, err) != 0)
		return -1;
	for (int d = 0; d < lattice.ndims; d++)
		fastest[d] = d;
	for (int i = 0; i < lattice.nrouters; i++) {
		int router = 0;

		lattice_snake(lattice.sizes, fastest, lattice.ndims, i, at);
		for (int d = 0; d < lattice.ndims; d++)
			router += at[d] * lattice.strides[d];
		lattice_add(&lattice, router, nodes);
	}
	return 0;
}

const struct order order_snake = {
	.entry =
		{
			.name = "snake",
			.example = "snake",
			.summary = "back and forth along the first dimension, then the next,"
				   " so that each router is next to the one before",
		},
	.make = make,
};
