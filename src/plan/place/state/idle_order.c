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
	order->along_to = xmalloc((size_t)n * sizeof(*order->along_to));
	for (int node = n - 1; node >= 0; node--)
		order->along_to[node] =
			node + 1 < n && order->position_of[node + 1] == order->position_of[node] + 1
				? order->along_to[node + 1]
				: node;
	vec_push(&machine->orders, order);
}

/* The positions of nodes first … last, as one range after the other. */
static void change_range(struct idle_order *order, int first, int last,
			 void (*change)(struct bitset *set, int first, int last))
{
	for (int node = first, to; node <= last; node = to + 1) {
		int position = order->position_of[node];

		to = order->along_to[node] < last ? order->along_to[node] : last;
		change(&order->idle, position, position + to - node);
	}
}

void idle_order_take_range(struct idle_order *order, int first, int last)
{
	change_range(order, first, last, bitset_remove_range);
}

void idle_order_release_range(struct idle_order *order, int first, int last)
{
	change_range(order, first, last, bitset_add_range);
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
	free(order->along_to);
	bitset_free(&order->idle);
	*order = (struct idle_order){0};
}
