/* plane.c - the nodes of a plane of a grid */
#include "machine/io/io_placement.h"
#include "model/topo_type.h"

static int place(const struct topo *topo, const struct pick *pick, int_vec *nodes, int *at_level,
		 struct err *err)
{
	int64_t dim = pick_int(pick, "dim"), at = pick_int(pick, "at");
	int ndims = 0, stride = 1;
	const int *sizes;
	bool is_ring;

	(void)at_level;
	if (topo->type->dims != NULL)
		ndims = topo->type->dims(topo, &sizes, &is_ring);
	if (ndims <= 0)
		return err_set(
			err,
			"%s has no dimensions; expected a torus, mesh, hypercube, ring or line",
			topo->name);
	if (dim >= ndims)
		return err_set(err, "dim=%lld: there are %d dimensions, counted from 0",
			       (long long)dim, ndims);
	if (at >= sizes[dim])
		return err_set(err, "at=%lld: dimension %lld has %d places, counted from 0",
			       (long long)at, (long long)dim, sizes[dim]);
	for (int d = 0; d < dim; d++)
		stride *= sizes[d];
	for (int node = 0; node < topo->nnodes; node++)
		if (topo->router_of[node] / stride % sizes[dim] == at)
			vec_push(nodes, node);
	return 0;
}

const struct io_placement io_placement_plane = {
	.entry =
		{
			.name = "plane",
			.example = "plane:dim=0,at=0",
			.summary = "all nodes of a plane of a grid: a column of "
				   "a mesh, a face of a torus",
			.params = (const struct param[]){{.key = "dim",
							  .type = PARAM_INT,
							  .min = 0,
							  .max = 31,
							  .def = "0",
							  .meaning = "dimension, counted from 0"},
							 {.key = "at",
							  .type = PARAM_INT,
							  .min = 0,
							  .max = 1 << 26,
							  .def = "0",
							  .meaning =
								  "place along it, counted from 0"},
							 IO_PLACEMENT_PARAMS,
							 {0}},
		},
	.place = place,
};
