/* torus.c - an n-dimensional torus */
#include "machine/kind/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	return grid_shape_dims(topo, pick, true, err);
}

const struct topo_type topo_type_torus = {
	.entry =
		{
			.name = "torus",
			.summary = "routers on a torus of any number of dimensions",
			.example = "torus:dims=4x4x2",
			.params = grid_dims_params,
		},
	.family = "torus",
	.shape = shape,
	GRID_FUNCTIONS,
};
