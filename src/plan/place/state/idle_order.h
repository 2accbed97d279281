/* idle_order.h - the idle nodes of a machine in an order of one's own */
#ifndef PLACE_STATE_IDLE_ORDER_H
#define PLACE_STATE_IDLE_ORDER_H

#include "place/state/idle.h"

/*
 * Kept with every change of the machine, so that the next idle node of the order is found at once.
 * Zeroed is none. It lives where its owner has it; the machine only knows of it, and forgets it
 * when either ends.
 */
struct idle_order {
	struct machine *machine; /* NULL: it is kept with none */
	const int *node_at;      /* [nnodes], the owner's */
	int *position_of;        /* [nnodes] */
	int *along_to;           /* [nnodes] to this node positions go up by one with the nodes */
	struct bitset idle;      /* positions of idle nodes, counted */
};

/* From here on the order is node_at [nnodes], every node once. Does nothing if that is what it is
 * on this machine; whoever changes the contents of node_at calls idle_order_stop before. */
void idle_order_keep(struct idle_order *order, struct machine *machine, const int *node_at);
void idle_order_stop(struct idle_order *order);

/* The least position ≥ from that has an idle node, or -1. */
static inline int idle_order_next(const struct idle_order *order, int from)
{
	return bitset_next(&order->idle, from);
}

/* ---- for the machine ---- */

void idle_order_take_range(struct idle_order *order, int first, int last);
void idle_order_release_range(struct idle_order *order, int first, int last);

#endif
