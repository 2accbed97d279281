/* hypercube.c - 2^dims routers, each joined to those whose number differs in one bit */
#include "formats/out.h"
#include "machine/kind/grid.h"

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	int64_t sizes[GRID_DIMS];
	int ndims = (int)pick_int(pick, "dims");

	for (int d = 0; d < ndims; d++)
		sizes[d] = 2;
	return grid_shape(topo, sizes, ndims, NULL, false, pick_int(pick, "per-router"), err);
}

/* As grid_links does, but a bit at a time instead of a dimension at a time. */
static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	unsigned all = (unsigned)topo->nrouters - 1;

	topo_add_terminals(topo, add, context);
	for (int router = 0; router < topo->nrouters; router++)
		for (unsigned zeros = ~(unsigned)router & all; zeros != 0; zeros &= zeros - 1)
			add(context, topo->nnodes + router,
			    topo->nnodes + router + (int)(zeros & -zeros), LINK_TERMINAL + 1);
}

static bool write_scotch(const struct topo *topo, int ncores, struct out *out)
{
	const struct grid *grid = topo->shape;

	if (ncores > 1 || topo->nnodes != topo->nrouters)
		return false;
	out_printf(out, "hcub\n%d\n", grid->ndims);
	return true;
}

static const struct param params[] = {
	{.key = "dims",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 24,
	 .meaning = "number of dimensions: there are 2^dims routers"},
	TOPO_PER_ROUTER,
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
	.family = "hypercube",
	.shape = shape,
	.links = links,
	.write_scotch = write_scotch,
	GRID_ROUTES,
};
