/* hypercube.c - 2^dims routers, each joined to those whose number differs in one bit */
#include "algo/topo/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	int64_t sizes[GRID_DIMS];
	int ndims = (int)pick_int(pick, "dims");

	for (int d = 0; d < ndims; d++)
		sizes[d] = 2;
	return grid_shape(topo, sizes, ndims, NULL, false, pick_int(pick, "per-router"), err);
}

static const struct param params[] = {
	{.key = "dims",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 24,
	 .meaning = "number of dimensions: there are 2^dims routers"},
	GRID_PER_ROUTER,
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	{.key = NULL},
};

const struct topo_type topo_type_hypercube = {
	.entry =
		{
			.name = "hypercube",
			.summary = "2^dims routers, joined where their numbers differ in one bit",
			.example = "hypercube:dims=4",
			.params = params,
		},
	.shape = shape,
	GRID_FUNCTIONS,
};
