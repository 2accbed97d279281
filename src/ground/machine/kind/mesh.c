/* mesh.c - an n-dimensional mesh */
#include "machine/kind/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	return grid_shape_dims(topo, pick, false, err);
}

const struct topo_type topo_type_mesh = {
	.entry =
		{
			.name = "mesh",
			.summary = "routers in a mesh of any number of dimensions",
			.example = "mesh:dims=4x4x2",
			.params = grid_dims_params,
		},
	.family = "mesh",
	.shape = shape,
	GRID_FUNCTIONS,
};
