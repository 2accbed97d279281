/* shortest.c - shortest routes found by searching the graph, for networks without a structure */
#include "machine/route/shortest.h"

#include <stdlib.h>

enum { CACHE_BYTES = 1 << 28 };

int64_t *search_first_channels(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);
	int64_t *first = xmalloc(((size_t)topo->nrouters + 1) * sizeof(*first));

	for (int router = 0; router < topo->nrouters; router++) {
		int vertex = topo->nnodes + router;

		first[router] = graph->first[vertex];
		while (first[router] < graph->first[vertex + 1] &&
		       graph->peer[first[router]] < topo->nnodes)
			first[router]++;
	}
	return first;
}

void search_cache_open(struct search_cache *cache, const struct topo *topo, int width)
{
	size_t bytes;

	cache->size = (size_t)topo->nrouters * (size_t)width;
	bytes = cache->size * sizeof(int32_t);
	cache->nslots = bytes * 2 > CACHE_BYTES ? 2 : (int)(CACHE_BYTES / bytes);
	if (cache->nslots > topo->nrouters)
		cache->nslots = topo->nrouters;
	cache->router_of = xmalloc((size_t)cache->nslots * sizeof(*cache->router_of));
	cache->slot = xcalloc((size_t)cache->nslots, sizeof(*cache->slot));
	for (int i = 0; i < cache->nslots; i++)
		cache->router_of[i] = -1;
}

void search_cache_close(struct search_cache *cache)
{
	for (int i = 0; i < cache->nslots; i++)
		free(cache->slot[i]);
	free(cache->slot);
	free(cache->router_of);
}

int32_t *search_cache_get(struct search_cache *cache, int router, bool *is_new)
{
	int i = router % cache->nslots;

	*is_new = cache->router_of[i] != router;
	cache->router_of[i] = router;
	if (cache->slot[i] == NULL)
		cache->slot[i] = xmalloc(cache->size * sizeof(int32_t));
	return cache->slot[i];
}

int search_choose(bool is_spread, int n, int *rest)
{
	int chosen = is_spread ? *rest % n : 0;

	*rest /= n;
	return chosen;
}

enum route_ties search_ties(const struct pick *pick)
{
	return pick_is(pick, "ties", "lowest")     ? TIES_LOWEST
	       : pick_is(pick, "ties", "hash")     ? TIES_HASH
	       : pick_is(pick, "ties", "random")   ? TIES_RANDOM
	       : pick_is(pick, "ties", "adaptive") ? TIES_ADAPTIVE
						   : TIES_SPREAD;
}
