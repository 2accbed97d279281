/* map_routes.c - routes between the nodes of an allocation, looked up once each */
#include <stdlib.h>
#include <string.h>

#include "map/routes/map_routes_priv.h"
#include "machine/route/routing.h"
#include "base/str.h"

enum {
	DENSE_MOST = 1 << 21,  /* entries of a table: 8 MiB */
	SLOTS_LEAST = 1 << 18, /* routes that are kept at least */
	SLOTS_A_NODE = 64      /* and for each node */
};

struct route_slot {
	uint64_t key; /* source, destination, + 1; 0: free */
	uint32_t offset;
};

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

/* Nodes that hang on one router by one link each share a source. */
static void find_sources(struct routes *routes)
{
	const struct topo_graph *graph = topo_graph(routes->topo);
	int *source_at = xmalloc((size_t)routes->topo->nrouters * sizeof(*source_at));

	for (int r = 0; r < routes->topo->nrouters; r++)
		source_at[r] = -1;
	for (int v = 0; v < routes->nnodes; v++) {
		int64_t first = graph->first[routes->nodes[v]];
		bool is_single = !routes->routing->type->is_by_pair &&
				 graph->first[routes->nodes[v] + 1] - first == 1 &&
				 graph->peer[first] >= routes->topo->nnodes;
		int *at = is_single ? &source_at[graph->peer[first] - routes->topo->nnodes] : NULL;

		routes->up[v] = -1;
		if (is_single)
			routes->up[v] = dense_number(routes, graph->channel[first]);
		if (at == NULL || *at < 0)
			routes->source_of[v] = routes->nsources++;
		else
			routes->source_of[v] = *at;
		if (at != NULL)
			*at = routes->source_of[v];
	}
	free(source_at);
}

/* Empties what is kept, but for the table. */
static void forget(struct routes *routes)
{
	if (routes->nslots > 0)
		memset(routes->slots, 0, routes->nslots * sizeof(*routes->slots));
	routes->nfilled = 0;
	routes->nforgotten++;
	routes->pool.n = routes->share.n = 0;
	vec_push(&routes->pool, 0); /* the empty route, at offset 0 */
	if (routes->split != NULL)
		vec_push(&routes->share, 0);
}

void routes_reset(struct routes *routes)
{
	int64_t npairs = (int64_t)routes->nsources * routes->nnodes;

	free(routes->dense);
	routes->dense =
		npairs <= DENSE_MOST ? xcalloc((size_t)npairs + 1, sizeof(*routes->dense)) : NULL;
	forget(routes);
	routes->is_broken = false;
}

void routes_open(struct routes *routes, struct topo *topo, struct routing *routing,
		 const int *nodes, int nnodes)
{
	const struct topo_graph *graph = topo_graph(topo);

	*routes = (struct routes){
		.routing = routing,
		.topo = topo,
		.nodes = nodes,
		.nnodes = nnodes,
	};
	routes->number_of = xcalloc((size_t)graph->nlinks * 2, sizeof(*routes->number_of));
	routes->source_of = xmalloc((size_t)nnodes * sizeof(*routes->source_of));
	routes->up = xmalloc((size_t)nnodes * sizeof(*routes->up));
	routes->most = SLOTS_LEAST;
	if (nnodes > SLOTS_LEAST / SLOTS_A_NODE)
		routes->most = (uint32_t)nnodes * SLOTS_A_NODE;
}

void routes_init(struct routes *routes, struct topo *topo, struct routing *routing,
		 const int *nodes, int nnodes)
{
	routes_open(routes, topo, routing, nodes, nnodes);
	find_sources(routes);
	routes_reset(routes);
}

void routes_load_inside(struct routes *routes, double per_byte)
{
	int64_t nchannels = 2 * topo_graph(routes->topo)->nlinks;

	routes->inside = xmalloc((size_t)routes->nnodes * sizeof(*routes->inside));
	for (int v = 0; v < routes->nnodes; v++) {
		routes->inside[v] = (int32_t)routes->channels.n;
		vec_push(&routes->channels, (int32_t)nchannels + v);
		vec_push(&routes->per_byte, per_byte);
	}
}

void routes_free(struct routes *routes)
{
	free(routes->inside);
	free(routes->source_of);
	free(routes->up);
	free(routes->dense);
	free(routes->slots);
	free(routes->pool.at);
	free(routes->number_of);
	free(routes->channels.at);
	free(routes->per_byte.at);
	free(routes->now.at);
	free(routes->path.at);
	free(routes->share.at);
	if (routes->drop != NULL)
		routes->drop(routes);
	*routes = (struct routes){0};
}

void routes_add(struct routes *routes, int channel, double share)
{
	vec_push(&routes->pool, dense_number(routes, channel));
	if (routes->split != NULL)
		vec_push(&routes->share, share);
}

void routes_share_nothing(struct routes *routes)
{
	for (int v = 0; v < routes->nnodes; v++) {
		routes->source_of[v] = v;
		routes->up[v] = -1;
	}
	routes->nsources = routes->nnodes;
	routes_reset(routes);
}

/* Without its first channel if begins_later. */
static int add_path(struct routes *routes, int from, int to, bool begins_later)
{
	int n;

	routes->path.n = 0;
	n = route_path(routes->routing, from, to, &routes->path);
	for (int i = begins_later; i < n; i++)
		routes_add(routes, routes->path.at[i], 1);
	return n - (n > 0 && begins_later);
}

/* Puts the route into the pool; returns its offset. */
static uint32_t look_up(struct routes *routes, int a, int b)
{
	uint32_t offset = (uint32_t)routes->pool.n;
	int n;

	vec_push(&routes->pool, 0);
	if (routes->split != NULL)
		vec_push(&routes->share, 0);
	n = routes->add != NULL
		    ? routes->add(routes, a, b)
		    : add_path(routes, routes->nodes[a], routes->nodes[b], routes->up[a] >= 0);
	if (n >= 0) {
		routes->pool.at[offset] = n;
		return offset;
	}
	routes->pool.n = offset;
	routes->is_broken = true;
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

/* When there are as many as may be, all are forgotten. */
static void make_room(struct routes *routes)
{
	if (routes->nfilled >= routes->most)
		forget(routes);
	else if (routes->nfilled * 2 >= routes->nslots)
		grow_slots(routes);
}

const int32_t *routes_find(struct routes *routes, int a, int b)
{
	uint64_t pair = (uint64_t)routes->source_of[a] * (uint64_t)routes->nnodes + (uint64_t)b;
	struct route_slot *slot;

	if (routes->dense != NULL) {
		if (routes->dense[pair] == 0)
			routes->dense[pair] = look_up(routes, a, b) + 1;
		return &routes->pool.at[routes->dense[pair] - 1];
	}
	if (routes->nslots == 0)
		make_room(routes);
	slot = find_slot(routes, pair + 1);
	if (slot->key == 0) {
		make_room(routes);
		slot = find_slot(routes, pair + 1);
		slot->key = pair + 1;
		slot->offset = look_up(routes, a, b);
		routes->nfilled++;
	}
	return &routes->pool.at[slot->offset];
}

const int32_t *routes_get(struct routes *routes, int a, int b)
{
	const int32_t *rest;
	size_t n;

	if (a == b || routes->nodes[a] == routes->nodes[b])
		return &routes->pool.at[0];
	rest = routes_rest(routes, a, b);
	if (routes->up[a] < 0 || rest == &routes->pool.at[0])
		return rest;
	n = (size_t)rest[0];
	vec_reserve(&routes->now, n + 2);
	routes->now.at[0] = rest[0] + 1;
	routes->now.at[1] = routes->up[a];
	memcpy(&routes->now.at[2], &rest[1], n * sizeof(*rest));
	return routes->now.at;
}

size_t routes_bytes(const struct routes *routes)
{
	size_t nnodes = (size_t)routes->nnodes;

	return routes->pool.n * sizeof(*routes->pool.at) +
	       routes->share.n * sizeof(*routes->share.at) +
	       routes->nslots * sizeof(*routes->slots) +
	       (routes->dense != NULL ? (size_t)routes->nsources * nnodes * sizeof(*routes->dense)
				      : 0);
}
