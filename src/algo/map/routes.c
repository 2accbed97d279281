/* routes.c - routes between the nodes of an allocation, looked up once each */
#include <stdlib.h>
#include <string.h>

#include "algo/map/routes_priv.h"
#include "base/str.h"

enum { DENSE_MOST = 1024 }; /* nodes: a table of 4 MiB */

struct route_slot {
	uint64_t key; /* pair + 1; 0: free */
	uint32_t offset;
};

void routes_init(struct routes *routes, struct topo *topo, struct routing *routing,
		 const int *nodes, int nnodes)
{
	const struct topo_graph *graph = topo_graph(topo);

	*routes = (struct routes){
		.routing = routing,
		.topo = topo,
		.nodes = nodes,
		.nnodes = nnodes,
		.broken_from = -1,
		.broken_to = -1,
	};
	routes->number_of = xcalloc((size_t)graph->nlinks * 2, sizeof(*routes->number_of));
	if (nnodes <= DENSE_MOST)
		routes->dense = xcalloc((size_t)nnodes * (size_t)nnodes, sizeof(*routes->dense));
	vec_push(&routes->pool, 0); /* the empty route, at offset 0 */
}

void routes_free(struct routes *routes)
{
	free(routes->dense);
	free(routes->slots);
	free(routes->pool.at);
	free(routes->number_of);
	free(routes->channels.at);
	free(routes->per_byte.at);
	free(routes->path.at);
	free(routes->share.at);
	routes_split_free(routes->split);
	*routes = (struct routes){0};
}

static int32_t dense_number(struct routes *routes, int channel)
{
	if (routes->number_of[channel] == 0) {
		const struct topo_graph *graph = topo_graph(routes->topo);
		const struct link_level *levels = routes->topo->levels;
		double capacity = levels[graph->links[channel / 2].level].bandwidth /
				  levels[LINK_TERMINAL].bandwidth;

		routes->number_of[channel] = (int32_t)routes->channels.n + 1;
		vec_push(&routes->channels, channel);
		vec_push(&routes->per_byte, 1 / capacity);
	}
	return routes->number_of[channel] - 1;
}

void routes_add(struct routes *routes, int channel, double share)
{
	vec_push(&routes->pool, dense_number(routes, channel));
	if (routes->split != NULL)
		vec_push(&routes->share, share);
}

void routes_spread(struct routes *routes)
{
	routes->split = routes_split_new(routes->topo);
	vec_push(&routes->share, 0);
}

static int add_path(struct routes *routes, int from, int to)
{
	int n;

	if (routes->split != NULL)
		return routes_split_add(routes->split, routes, from, to);
	routes->path.n = 0;
	n = route_path(routes->routing, from, to, &routes->path);
	for (int i = 0; i < n; i++)
		routes_add(routes, routes->path.at[i], 1);
	return n;
}

/* Puts the route into the pool; returns its offset. */
static uint32_t look_up(struct routes *routes, int a, int b)
{
	uint32_t offset = (uint32_t)routes->pool.n;
	int from = routes->nodes[a], to = routes->nodes[b], n;

	if (from == to) /* two slots of a node */
		return 0;
	vec_push(&routes->pool, 0);
	if (routes->split != NULL)
		vec_push(&routes->share, 0);
	n = add_path(routes, from, to);
	if (n >= 0) {
		routes->pool.at[offset] = n;
		return offset;
	}
	routes->pool.n = offset;
	if (routes->broken_from < 0) {
		routes->broken_from = from;
		routes->broken_to = to;
	}
	return 0;
}

static struct route_slot *find_slot(struct routes *routes, uint64_t key)
{
	uint32_t mask = routes->nslots - 1;
	uint32_t i = (uint32_t)u64_mix(key) & mask;

	while (routes->slots[i].key != 0 && routes->slots[i].key != key)
		i = (i + 1) & mask;
	return &routes->slots[i];
}

static void grow_slots(struct routes *routes)
{
	struct route_slot *old = routes->slots;
	uint32_t n = routes->nslots;

	routes->nslots = n ? n * 2 : 1024;
	routes->slots = xcalloc(routes->nslots, sizeof(*routes->slots));
	for (uint32_t i = 0; i < n; i++)
		if (old[i].key != 0)
			*find_slot(routes, old[i].key) = old[i];
	free(old);
}

const int32_t *routes_get(struct routes *routes, int a, int b)
{
	uint64_t pair = (uint64_t)a * (uint64_t)routes->nnodes + (uint64_t)b;
	struct route_slot *slot;

	if (a == b)
		return &routes->pool.at[0];
	if (routes->dense != NULL) {
		if (routes->dense[pair] == 0)
			routes->dense[pair] = look_up(routes, a, b) + 1;
		return &routes->pool.at[routes->dense[pair] - 1];
	}
	if (routes->nfilled * 2 >= routes->nslots)
		grow_slots(routes);
	slot = find_slot(routes, pair + 1);
	if (slot->key == 0) {
		slot->key = pair + 1;
		slot->offset = look_up(routes, a, b);
		routes->nfilled++;
	}
	return &routes->pool.at[slot->offset];
}

size_t routes_bytes(const struct routes *routes)
{
	size_t nnodes = (size_t)routes->nnodes;

	return routes->pool.n * sizeof(*routes->pool.at) +
	       routes->share.n * sizeof(*routes->share.at) +
	       routes->nslots * sizeof(*routes->slots) +
	       (routes->dense != NULL ? nnodes * nnodes * sizeof(*routes->dense) : 0);
}
