/* grid_picks.c - what tori and meshes, rings and lines are picked by: these pairs differ by is_ring
 * alone */
#include "machine/kind/grid.h"

const struct param grid_dims_params[] = {
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
	TOPO_PER_ROUTER,
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	{.key = NULL},
};

const struct param grid_line_params[] = {
	TOPO_ALL_NODES,
	{.key = "cables",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1024,
	 .optional = true,
	 .meaning = "parallel cables between neighbours; 1"},
	TOPO_PER_ROUTER,
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	{.key = NULL},
};

int grid_shape_dims(struct topo *topo, const struct pick *pick, bool is_ring, struct err *err)
{
	const struct value *dims = pick_value(pick, "dims");

	return grid_shape(topo, dims->sizes, dims->nsizes, pick_value(pick, "cables"), is_ring,
			  pick_int(pick, "per-router"), err);
}

int grid_shape_line(struct topo *topo, const struct pick *pick, bool is_ring, struct err *err)
{
	int64_t nodes = pick_int(pick, "nodes"), per = pick_int(pick, "per-router");

	if (nodes % per != 0)
		return err_set(err, "nodes=%lld is not a multiple of per-router=%lld",
			       (long long)nodes, (long long)per);
	return grid_shape(topo, &(int64_t){nodes / per}, 1, pick_value(pick, "cables"), is_ring,
			  per, err);
}
