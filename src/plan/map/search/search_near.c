/* search_near.c - where moving an item may help */
#include <stdlib.h>
#include <string.h>

#include "map/search/search_priv.h"

static int pick(struct rng_small *rng, int64_t n)
{
	return (int)rng_small_below(rng, (uint64_t)n);
}

int search_peer(const struct search_state *s, int i, struct rng_small *rng)
{
	int64_t first = s->placing.first[i], n = s->placing.first[i + 1] - first;

	return n > 0 ? s->placing.ends[first + pick(rng, n)].peer : i;
}

/* A node on the same router (maybe the same). */
static int mate(const struct search_state *s, int node, struct rng_small *rng)
{
	int source = s->routes->source_of[node], first = s->first_mate[source];

	return s->mates[first + pick(rng, s->first_mate[source + 1] - first)];
}

int search_candidate(const struct search_state *s, int i, enum proposal kind, struct rng_small *rng)
{
	const int *node_of = s->placing.node_of;

	switch (kind) {
	case PROPOSE_MATE:
		return mate(s, node_of[i], rng);
	case PROPOSE_PEERS_MATE:
		return mate(s, node_of[search_peer(s, i, rng)], rng);
	case PROPOSE_PEERS:
		return node_of[search_peer(s, i, rng)];
	case PROPOSE_PEERS_PEERS:
		return node_of[search_peer(s, search_peer(s, i, rng), rng)];
	default:
		return pick(rng, s->routes->nnodes);
	}
}

bool search_fit(const struct search_state *s, int i, int j)
{
	const int *size = s->search->size, *capacity = s->search->capacity;

	return size == NULL || (size[i] <= capacity[s->placing.node_of[j]] &&
				size[j] <= capacity[s->placing.node_of[i]]);
}

int search_other(const struct search_state *s, int i, int there, struct rng_small *rng)
{
	int n = s->placing.nheld[there], room = s->search->room[there], j;

	if (room == 0)
		return SEARCH_FULL;
	if (n < room && (n == 0 || pick(rng, 2) == 0))
		return SEARCH_FREE;
	j = s->placing.items[s->placing.first_room[there] + pick(rng, n)];
	return search_fit(s, i, j) ? j : SEARCH_FULL;
}

void search_open_near(struct search_state *s)
{
	const struct routes *routes = s->routes;
	int *next;

	s->first_mate = xcalloc((size_t)routes->nsources + 1, sizeof(*s->first_mate));
	s->mates = xmalloc((size_t)routes->nnodes * sizeof(*s->mates));
	for (int v = 0; v < routes->nnodes; v++)
		s->first_mate[routes->source_of[v] + 1]++;
	for (int i = 0; i < routes->nsources; i++)
		s->first_mate[i + 1] += s->first_mate[i];
	next = xmalloc(((size_t)routes->nsources + 1) * sizeof(*next));
	memcpy(next, s->first_mate, ((size_t)routes->nsources + 1) * sizeof(*next));
	for (int v = 0; v < routes->nnodes; v++)
		s->mates[next[routes->source_of[v]]++] = v;
	free(next);
}
