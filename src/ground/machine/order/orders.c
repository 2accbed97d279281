/* orders.c - the registry of node orders */
#include <stdlib.h>

#include "machine/order/order.h"

#define REGISTRY "machine/order/orders.def"
#define REGISTRY_TYPE struct order
#define REGISTRY_PREFIX order_
#include "base/registry_entries.h"

const struct registry orders = REGISTRY_OF("orders", "node order");

/* The first node that is not among the nodes; -1: all are. Sets *twice to one that is
 * there twice. */
static int missing(const int_vec *nodes, int nnodes, int *twice)
{
	char *is_there = xcalloc((size_t)nnodes, 1);
	int node = 0;

	*twice = -1;
	for (size_t i = 0; i < nodes->n; i++) {
		if (is_there[nodes->at[i]])
			*twice = nodes->at[i];
		is_there[nodes->at[i]] = 1;
	}
	while (node < nnodes && is_there[node])
		node++;
	free(is_there);
	return node < nnodes ? node : -1;
}

int order_make(int **nodes, const struct topo *topo, const struct pick *pick, struct err *err)
{
	const struct order *order = (const struct order *)pick->entry;
	int_vec list = {0};
	char name[TOPO_NAME];
	int lacks, twice;

	*nodes = NULL;
	if (order->make == NULL)
		return 0;
	if (order->make(&list, topo, pick, err) != 0) {
		free(list.at);
		return err_prefix(err, "order %s: ", order->entry.name);
	}
	lacks = missing(&list, topo->nnodes, &twice);
	if (lacks < 0 && twice < 0) {
		*nodes = list.at;
		return 0;
	}
	free(list.at);
	return err_set(err, "order %s: the node %s is %s", order->entry.name,
		       topo_node_name(topo, twice >= 0 ? twice : lacks, name),
		       twice >= 0 ? "there twice" : "missing");
}
