/* lattice.c - orders of the routers of a torus, mesh, hypercube, ring or line by coordinates */
#include "machine/order/lattice.h"

#include <stdlib.h>

#include "model/topo_type.h"

int lattice_of(struct lattice *lattice, const struct topo *topo, struct err *err)
{
	int stride = 1, ndims = -1;
	const int *sizes;
	bool is_ring;

	*lattice = (struct lattice){.topo = topo, .nrouters = topo->nrouters};
	if (topo->type->dims != NULL)
		ndims = topo->type->dims(topo, &sizes, &is_ring);
	if (ndims < 0)
		return err_set(err,
			       "a network of the kind %s has no dimensions; expected a "
			       "torus, mesh, hypercube, ring or line",
			       topo->type->entry.name);
	for (int d = 0; d < ndims; stride *= sizes[d++]) {
		if (sizes[d] == 1)
			continue;
		lattice->sizes[lattice->ndims] = sizes[d];
		lattice->strides[lattice->ndims++] = stride;
	}
	return 0;
}

void lattice_add(const struct lattice *lattice, int router, int_vec *nodes)
{
	int per = lattice->topo->nnodes / lattice->nrouters;

	for (int i = 0; i < per; i++)
		vec_push(nodes, router * per + i);
}

void lattice_snake(const int *sizes, const int *fastest, int ndims, int i, int *at)
{
	for (int k = 0; k < ndims; k++) {
		int d = fastest[k], digit = i % sizes[d];

		i /= sizes[d]; /* odd: the way back */
		at[d] = i % 2 == 0 ? digit : sizes[d] - 1 - digit;
	}
}

void lattice_sort(const struct lattice *lattice, lattice_compare_fn *compare, void *context,
		  int_vec *nodes)
{
	int *routers = xmalloc((size_t)lattice->nrouters * sizeof(*routers));

	for (int r = 0; r < lattice->nrouters; r++)
		routers[r] = r;
	qsort_r(routers, (size_t)lattice->nrouters, sizeof(*routers), compare, context);
	for (int r = 0; r < lattice->nrouters; r++)
		lattice_add(lattice, routers[r], nodes);
	free(routers);
}
