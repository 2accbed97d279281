/* line.c - routers in a line */
#include "machine/kind/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	return grid_shape_line(topo, pick, false, err);
}

const struct topo_type topo_type_line = {
	.entry =
		{
			.name = "line",
			.summary = "routers in a line",
			.example = "line:nodes=8",
			.params = grid_line_params,
		},
	.family = "line",
	.shape = shape,
	GRID_FUNCTIONS,
};
