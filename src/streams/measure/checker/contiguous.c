/* contiguous.c - whether a job's nodes follow each other in an order (Def. 5) */
#include <stdlib.h>

#include "measure/checker/geometry.h"
#include "machine/order/order.h"
#include "model/topo_type.h"

struct contiguous {
	int *node_at; /* [n] compute nodes in their order */
	int *position_of;
	int n;
	bool is_closed; /* on a ring the first follows the last */
};

static bool is_ring(const struct topo *topo)
{
	const int *sizes;
	bool rings;

	return topo->type->dims != NULL && topo->type->dims(topo, &sizes, &rings) == 1 && rings;
}

static int contiguous_open(struct checker *checker, struct err *err)
{
	const struct geometry *geometry = checker->geometry;
	int nnodes = geometry->topo->nnodes, *nodes;
	struct contiguous *contiguous = xcalloc(1, sizeof(*contiguous));

	checker->state = contiguous;
	if (order_make(&nodes, geometry->topo, pick_pick(checker->pick, "order"), err) != 0)
		return -1;
	contiguous->node_at = xmalloc((size_t)nnodes * sizeof(int));
	contiguous->position_of = xmalloc((size_t)nnodes * sizeof(int));
	for (int i = 0; i < nnodes; i++) {
		int node = nodes != NULL ? nodes[i] : i;

		contiguous->position_of[node] = -1;
		if (!geometry_computes(geometry, node))
			continue;
		contiguous->position_of[node] = contiguous->n;
		contiguous->node_at[contiguous->n++] = node;
	}
	free(nodes);
	contiguous->is_closed = is_ring(geometry->topo);
	return 0;
}

static void close(struct checker *checker)
{
	struct contiguous *contiguous = checker->state;

	free(contiguous->node_at);
	free(contiguous->position_of);
	free(contiguous);
}

/* A node of the job whose successor is not the job's ends a range: there is one such. */
static enum verdict check(struct checker *checker, const struct region *region, struct buf *witness)
{
	const struct geometry *geometry = checker->geometry;
	const struct contiguous *order = checker->state;
	int end = -1;

	for (int i = 0; i < region->n; i++) {
		int at = order->position_of[region->nodes[i]], next = at + 1;

		if (at < 0)
			continue;
		if (next == order->n)
			next = order->is_closed ? 0 : -1;
		if (next >= 0 && geometry_has(geometry, order->node_at[next]))
			continue;
		if (end >= 0) {
			buf_str(witness, "it ends at ");
			geometry_say_node(geometry, order->node_at[end], witness);
			buf_str(witness, " and again at ");
			geometry_say_node(geometry, order->node_at[at], witness);
			return VERDICT_BROKEN;
		}
		end = at;
	}
	return VERDICT_HOLDS;
}

const struct param geometry_params_contiguous[] = {{.key = "order",
						    .type = PARAM_PICK,
						    .registry = &orders,
						    .def = "label",
						    .meaning = "the order of the nodes"},
						   CHECKER_PARAMS,
						   {0}};

const struct checker_type checker_contiguous = {
	.entry = {.name = "contiguous",
		  .example = "contiguous",
		  .summary = "nodes that follow each other in an order; separate I/O nodes are "
			     "skipped, only a ring's order is closed",
		  .paper = "Bleuse et al., Def. 5",
		  .params = geometry_params_contiguous},
	.open = contiguous_open,
	.close = close,
	.check = check,
};
