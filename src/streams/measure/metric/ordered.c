/* ordered.c - the compute nodes of a machine in an order, for metrics */
#include "measure/metric/ordered.h"

#include <stdlib.h>

int ordered_open(struct ordered *ordered, const struct pick *pick,
		 const struct metric_context *context, struct err *err)
{
	int nnodes = context->topo->nnodes, *nodes;

	if (regions_open(&ordered->regions, context, err) != 0 ||
	    order_make(&nodes, context->topo, pick_pick(pick, "order"), err) != 0)
		return -1;
	ordered->node_at = xmalloc((size_t)nnodes * sizeof(int));
	ordered->place_of = xmalloc((size_t)nnodes * sizeof(int));
	for (int i = 0; i < nnodes; i++) {
		int node = nodes != NULL ? nodes[i] : i;

		ordered->place_of[node] = -1;
		if (!geometry_computes(&ordered->regions.geometry, node))
			continue;
		ordered->place_of[node] = ordered->n;
		ordered->node_at[ordered->n++] = node;
	}
	free(nodes);
	return 0;
}

void ordered_close(struct ordered *ordered)
{
	regions_close(&ordered->regions);
	free(ordered->node_at);
	free(ordered->place_of);
}
