/* ring.c - routers in a ring */
#include "machine/kind/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	return grid_shape_line(topo, pick, true, err);
}

const struct topo_type topo_type_ring = {
	.entry =
		{
			.name = "ring",
			.summary = "routers in a ring",
			.example = "ring:nodes=8",
			.params = grid_line_params,
		},
	.family = "ring",
	.shape = shape,
	GRID_FUNCTIONS,
};
