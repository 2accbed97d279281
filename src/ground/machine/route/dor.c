/* dor.c - dimension order: x first, then y, … */
#include "machine/route/walk.h"

static int open_dor(struct routing *routing, struct err *err)
{
	const struct topo_type *type = routing->topo->type;

	if (type->dims == NULL || type->next == NULL)
		return err_set(err,
			       "dor: a network of the kind %s has no dimensions; expected a torus, "
			       "mesh, hypercube, ring or line",
			       type->entry.name);
	return 0;
}

/* The closed form of these networks is dimension order already. */
static int hops_dor(struct routing *routing, int node_a, int node_b)
{
	return walk_hops(routing->topo, node_a, node_b);
}

static int path_dor(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	return walk_path(routing->topo, node_a, node_b, path);
}

const struct routing_type routing_type_dor = {
	.entry =
		{
			.name = "dor",
			.summary = "dimension order, the first dimension first; + where "
				   "both directions are equally long",
			.example = "dor",
		},
	.minimal = MINIMAL_DIMENSION_ORDER,
	.open = open_dor,
	.hops = hops_dor,
	.path = path_dor,
};
