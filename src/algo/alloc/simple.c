/* simple.c - the first idle nodes in label order, or in another one */
#include <stdlib.h>

#include "algo/alloc/alloc.h"
#include "algo/order/order.h"

/* The state is the list of nodes in their order; NULL: label order. */
static int open(struct alloc *alloc, struct err *err)
{
	int *node_at;

	if (order_make(&node_at, alloc->topo, pick_pick(alloc->pick, "order"), err) != 0)
		return -1;
	alloc->state = node_at;
	return 0;
}

static void close(struct alloc *alloc)
{
	free(alloc->state);
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	const int *node_at = alloc->state;
	int at = -1;

	(void)reason, (void)err;
	if (node_at != NULL)
		machine_order(machine, node_at);
	while (nodes->n < (size_t)request->job->nnodes) {
		at = node_at != NULL ? machine_next_position(machine, at + 1)
				     : bitset_next(&machine->idle, at + 1);
		alloc_take(request, node_at != NULL ? node_at[at] : at, nodes);
	}
	return 1;
}

const struct alloc_policy alloc_policy_simple = {
	.entry =
		{
			.name = "simple",
			.example = "simple",
			.summary = "the first idle nodes in label order, or in another one",
			.paper = "Zhang et al., Level-Spread, §IV",
			.params = (const struct param[]){{.key = "order",
							  .type = PARAM_PICK,
							  .registry = &orders,
							  .def = "label",
							  .meaning = "the order of the nodes"},
							 {0}},
		},
	.open = open,
	.close = close,
	.choose = choose,
};
