/* order.h - the order in which nodes are, for policies that take what comes first */
#ifndef MACHINE_ORDER_ORDER_H
#define MACHINE_ORDER_ORDER_H

#include "base/registry.h"
#include "model/topo.h"

struct order {
	struct entry entry;
	/* Appends every node once. NULL: label order, which needs no list. */
	int (*make)(int_vec *nodes, const struct topo *topo, const struct pick *pick,
		    struct err *err);
};

extern const struct registry orders; /* "orders" */

/* The nodes [nnodes] in the order that was picked, to be freed; *nodes NULL: in label order.
 * Returns -1 when it does not have every node once. */
int order_make(int **nodes, const struct topo *topo, const struct pick *pick, struct err *err);

#endif
