/* runs.h - runs of idle nodes that follow each other in an order, for policies */
#ifndef PLACE_POLICY_RUNS_H
#define PLACE_POLICY_RUNS_H

#include "place/policy/policy.h"
#include "machine/order/order.h"
#include "place/state/idle_order.h"

/* Compute nodes in their order: separate I/O nodes follow them. */
struct runs {
	int *node_at;   /* [nnodes] */
	int n;          /* compute nodes */
	bool is_closed; /* on a ring the first follows the last */
	struct idle_order idle;
};

/* order: a pick of orders. */
int runs_open(struct runs *runs, struct topo *topo, const struct pick *order, struct err *err);
void runs_close(struct runs *runs);

/* length places from first on, modulo n. */
struct run {
	int first, length;
};

/* Keeps up with the machine from here on. */
void runs_start(struct runs *runs, struct machine *machine);
/* The runs as long as they can be, in the order of their first places; on a closed order the one
 * over the end is the last. *at is 0 before the first one; false: there are no more. */
bool runs_next(const struct runs *runs, int *at, struct run *run);
/* Takes n nodes of a run from its place `from` on. */
void runs_take(const struct runs *runs, const struct alloc_request *request, const struct run *run,
	       int from, int_vec *nodes);

#define RUNS_ORDER                                                                                 \
	{                                                                                          \
		.key = "order", .type = PARAM_PICK, .registry = &orders, .def = "label",           \
		.meaning = "the order of the nodes"                                                \
	}

#endif
