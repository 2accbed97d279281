/* adaptive.c - what the routings that take detours have in common: the minimal path */
#include "machine/route/adaptive.h"

int adaptive_open(struct routing *routing, struct err *err)
{
	return routing_open_minimal(&routing->minimal, routing->topo, err);
}

int adaptive_hops(struct routing *routing, int node_a, int node_b)
{
	return route_hops(routing->minimal, node_a, node_b);
}

int adaptive_path(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	return route_path(routing->minimal, node_a, node_b, path);
}
