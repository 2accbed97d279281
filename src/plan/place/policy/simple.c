/* simple.c - the first idle nodes in label order, or in another one */
#include <stdlib.h>

#include "place/policy/policy.h"
#include "machine/order/order.h"
#include "place/state/idle_order.h"

struct simple {
	int *node_at; /* NULL: label order */
	struct idle_order order;
};

static int simple_open(struct alloc *alloc, struct err *err)
{
	struct simple *simple = xcalloc(1, sizeof(*simple));

	alloc->state = simple;
	return order_make(&simple->node_at, alloc->topo, pick_pick(alloc->pick, "order"), err);
}

static void close(struct alloc *alloc)
{
	struct simple *simple = alloc->state;

	if (simple == NULL)
		return;
	idle_order_stop(&simple->order);
	free(simple->node_at);
	free(simple);
}

/* The first idle nodes of the machine in label order, range by range. */
static void list_idle(const struct machine *machine, size_t n, int_vec *nodes)
{
	int at = 0;

	vec_reserve(nodes, n);
	while (nodes->n < n) {
		int end;

		at = bitset_next(&machine->idle, at);
		end = bitset_next_gap(&machine->idle, at);
		for (; at < end && nodes->n < n; at++)
			nodes->at[nodes->n++] = at;
	}
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	struct simple *simple = alloc->state;
	int at = -1;

	(void)reason, (void)err;
	if (simple->node_at == NULL)
		list_idle(machine, (size_t)request->job->nnodes, nodes);
	else
		idle_order_keep(&simple->order, machine, simple->node_at);
	while (nodes->n < (size_t)request->job->nnodes) {
		at = idle_order_next(&simple->order, at + 1);
		vec_push(nodes, simple->node_at[at]);
	}
	machine_take_all(machine, nodes->at, nodes->n);
	return 1;
}

static void first(struct alloc *alloc, const uint64_t *idle, int n, int_vec *nodes)
{
	const struct simple *simple = alloc->state;

	for (int i = 0; n > 0 && simple->node_at != NULL; i++) {
		int node = simple->node_at[i];

		if ((idle[node / 64] >> (node % 64) & 1) == 0)
			continue;
		vec_push(nodes, node);
		n--;
	}
	for (int w = 0; n > 0; w++)
		for (uint64_t word = idle[w]; n > 0 && word != 0; word &= word - 1, n--)
			vec_push(nodes, w * 64 + __builtin_ctzll(word));
}

const struct alloc_policy alloc_policy_simple = {
	.entry =
		{
			.name = "simple",
			.example = "simple",
			.summary = "the first idle nodes in label order or another order",
			.paper = "Zhang et al., Level-Spread, §IV",
			.params = (const struct param[]){{.key = "order",
							  .type = PARAM_PICK,
							  .registry = &orders,
							  .def = "label",
							  .meaning = "the order of the nodes"},
							 {0}},
		},
	.open = simple_open,
	.close = close,
	.first = first,
	.choose = choose,
};
