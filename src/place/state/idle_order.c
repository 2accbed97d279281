/* idle_order.c - the idle nodes of a machine in an order of one's own */
#include "place/state/idle_order.h"

#include <stdlib.h>

void idle_order_keep(struct idle_order *order, struct machine *machine, const int *node_at)
{
	int n = machine->nnodes;

	if (order->machine == machine && order->node_at == node_at)
		return;
	idle_order_stop(order);
	order->machine = machine;
	order->node_at = node_at;
	order->position_of = xmalloc((size_t)n * sizeof(*order->position_of));
	bitset_init_counted(&order->idle, n);
	for (int i = 0; i < n; i++) {
		order->position_of[node_at[i]] = i;
		if (machine_is_idle(machine, node_at[i]))
			bitset_add(&order->idle, i);
	}
	vec_push(&machine->orders, order);
}

void idle_order_stop(struct idle_order *order)
{
	struct machine *machine = order->machine;
	size_t i = 0;

	if (machine == NULL)
		return;
	while (machine->orders.at[i] != order)
		i++;
	machine->orders.at[i] = machine->orders.at[--machine->orders.n];
	free(order->position_of);
	bitset_free(&order->idle);
	*order = (struct idle_order){0};
}
