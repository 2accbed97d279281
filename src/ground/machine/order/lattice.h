/* lattice.h - orders of the routers of a torus, mesh, hypercube, ring or line by coordinates */
#ifndef MACHINE_ORDER_LATTICE_H
#define MACHINE_ORDER_LATTICE_H

#include "machine/order/order.h"

enum { LATTICE_DIMS = 32 };

/* Dimensions of size 1 are left out. Router numbers go through them with the first one fastest. */
struct lattice {
	const struct topo *topo;
	int ndims, nrouters;
	int sizes[LATTICE_DIMS], strides[LATTICE_DIMS];
};

/* Returns -1 for a network that has no dimensions. */
int lattice_of(struct lattice *lattice, const struct topo *topo, struct err *err);

static inline int lattice_at(const struct lattice *lattice, int router, int d)
{
	return router / lattice->strides[d] % lattice->sizes[d];
}

/* Appends the nodes of a router in label order. */
void lattice_add(const struct lattice *lattice, int router, int_vec *nodes);

/*
 * Back and forth: place i of a box of these sizes [ndims], of which fastest[0] varies fastest;
 * every place is next to the one before (the reflected code of mixed radices). Sets at [ndims].
 */
void lattice_snake(const int *sizes, const int *fastest, int ndims, int i, int *at);

/* Appends all nodes with their routers in the order of before(context, a, b) < 0. */
typedef int lattice_compare_fn(const void *a, const void *b, void *context);
void lattice_sort(const struct lattice *lattice, lattice_compare_fn *compare, void *context,
		  int_vec *nodes);

#endif
