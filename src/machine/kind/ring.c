/* ring.c - routers in a ring */
#include "machine/kind/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	return grid_shape_line(topo, pick, true, err);
}

static const struct param params[] = {
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .meaning = "nodes in all, each at a router of its own unless per-router= says else"},
	{.key = "cables",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1024,
	 .optional = true,
	 .meaning = "parallel cables between neighbours; 1"},
	GRID_PER_ROUTER,
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	{.key = NULL},
};

const struct topo_type topo_type_ring = {
	.entry =
		{
			.name = "ring",
			.summary = "routers in a ring",
			.example = "ring:nodes=8",
			.params = params,
		},
	.family = "ring",
	.shape = shape,
	GRID_FUNCTIONS,
};
