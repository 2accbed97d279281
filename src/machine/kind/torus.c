/* torus.c - an n-dimensional torus */
#include "machine/kind/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	const struct value *dims = pick_value(pick, "dims");

	return grid_shape(topo, dims->sizes, dims->nsizes, pick_value(pick, "cables"), true,
			  pick_int(pick, "per-router"), err);
}

static const struct param params[] = {
	{.key = "dims",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1 << 26,
	 .meaning = "routers along each dimension; the first varies fastest"},
	{.key = "cables",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1024,
	 .optional = true,
	 .meaning = "parallel cables between neighbours, for each dimension; 1x1x1"},
	GRID_PER_ROUTER,
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	{.key = NULL},
};

const struct topo_type topo_type_torus = {
	.entry =
		{
			.name = "torus",
			.summary = "routers on a torus of any number of dimensions",
			.example = "torus:dims=4x4x2",
			.params = params,
		},
	.family = "torus",
	.shape = shape,
	GRID_FUNCTIONS,
};
