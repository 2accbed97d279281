/* adaptive.c - what the routings that take detours have in common: the minimal way */
#include "machine/route/adaptive.h"

int adaptive_open(struct routing *routing, struct err *err)
{
	struct routing *minimal;

	if (routing_open(&minimal, routing->topo, "minimal", err) != 0)
		return -1;
	routing->state = minimal;
	return 0;
}

void adaptive_close(struct routing *routing)
{
	routing_close(routing->state);
}

int adaptive_hops(struct routing *routing, int node_a, int node_b)
{
	return route_hops(routing->state, node_a, node_b);
}

int adaptive_path(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	return route_path(routing->state, node_a, node_b, path);
}
