/* valiant.c - always via a random intermediate place */
#include <stdlib.h>
#include <string.h>

#include "machine/route/adaptive.h"
#include "base/str.h"

/* Chance that nothing but the two nodes decides: one intermediate node for each pair. */
static int intermediate(const struct topo *topo, int node_a, int node_b)
{
	uint64_t x = u64_mix((uint64_t)node_a << 32 | (uint32_t)node_b);

	return (int)((unsigned __int128)x * (uint64_t)topo->nnodes >> 64);
}

/* Minimal to the router of the intermediate node, and minimal from there. */
static int path_valiant(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	struct topo *topo = routing->topo;
	int via = intermediate(topo, node_a, node_b), n, m;
	size_t start = path->n, leg;

	if (topo->router_of[node_a] == topo->router_of[node_b] ||
	    topo->router_of[via] == topo->router_of[node_a] ||
	    topo->router_of[via] == topo->router_of[node_b])
		return adaptive_path(routing, node_a, node_b, path);
	n = adaptive_path(routing, node_a, via, path);
	if (n < 0)
		return -1;
	m = adaptive_path(routing, via, node_b, path);
	leg = start + (size_t)n;
	if (m < 0 || path->at[leg - 1] != (path->at[leg] ^ 1)) { /* by two cables of that node */
		path->n = start;
		return adaptive_path(routing, node_a, node_b, path);
	}
	/* not down to that node and up again */
	memmove(path->at + leg - 1, path->at + leg + 1, (path->n - leg - 1) * sizeof(*path->at));
	path->n -= 2;
	return n + m - 2;
}

static int hops_valiant(struct routing *routing, int node_a, int node_b)
{
	int_vec path = {0};
	int n = path_valiant(routing, node_a, node_b, &path);

	vec_free(&path);
	return n;
}

static const struct param params[] = {
	ADAPTIVE_VIA,
	{.key = NULL},
};

const struct routing_type routing_type_valiant = {
	.entry =
		{
			.name = "valiant",
			.summary = "through a random intermediate group or router; outside "
				   "netsim one router per pair of nodes",
			.paper = "Valiant: A scheme for fast parallel "
				 "communication, SIAM J. Comput. 1982",
			.example = "valiant",
			.params = params,
		},
	.is_by_pair = true,
	.detour = DETOUR_ALWAYS,
	.minimal = MINIMAL_SHORTEST,
	.open = adaptive_open,
	.hops = hops_valiant,
	.path = path_valiant,
};
