/* circle.c - whether packets could wait for each other in a circle */
#include "machine/vc/circle.h"

#include <stdlib.h>

#include "base/mem.h"

enum { CHANNELS_MOST = 1 << 14, PAIRS_MOST = 1 << 22 };

struct waits {
	int64_t nchannels;
	uint64_t *follows; /* [nchannels · nwords] bit c of row b: c comes after b on a path */
	int64_t nwords;
};

static void add_way(struct waits *waits, const int_vec *path)
{
	for (size_t i = 0; i + 1 < path->n; i++)
		waits->follows[path->at[i] * waits->nwords + path->at[i + 1] / 64] |=
			1ULL << (path->at[i + 1] % 64);
}

/* From each router by its first node, to every node. */
static void add_ways(struct waits *waits, struct routing *routing)
{
	const struct topo *topo = routing->topo;
	char *is_done = xcalloc((size_t)topo->nrouters, 1);
	int_vec path = {0};

	for (int a = 0; a < topo->nnodes; a++) {
		if (is_done[topo->router_of[a]])
			continue;
		is_done[topo->router_of[a]] = 1;
		for (int b = 0; b < topo->nnodes; b++) {
			path.n = 0;
			if (route_path(routing, a, b, &path) > 0)
				add_way(waits, &path);
		}
	}
	vec_free(&path);
	free(is_done);
}

/* Takes away what nothing leads to, again and again; what is left lies on circles or
 * behind them. */
static bool has_circle(const struct waits *waits)
{
	int32_t *nbefore = xcalloc((size_t)waits->nchannels + 1, sizeof(*nbefore));
	int32_t *ready = xmalloc(((size_t)waits->nchannels + 1) * sizeof(*ready));
	int64_t nready = 0, done = 0;

	for (int pass = 0; pass < 2; pass++) {
		for (int64_t b = 0; pass == 0 && b < waits->nchannels; b++)
			for (int64_t w = 0; w < waits->nwords; w++)
				for (uint64_t bits = waits->follows[b * waits->nwords + w]; bits;
				     bits &= bits - 1)
					nbefore[w * 64 + __builtin_ctzll(bits)]++;
		for (int64_t c = 0; pass == 1 && c < waits->nchannels; c++)
			if (nbefore[c] == 0)
				ready[nready++] = (int32_t)c;
	}
	for (; done < nready; done++)
		for (int64_t w = 0; w < waits->nwords; w++)
			for (uint64_t bits = waits->follows[ready[done] * waits->nwords + w]; bits;
			     bits &= bits - 1)
				if (--nbefore[w * 64 + __builtin_ctzll(bits)] == 0)
					ready[nready++] = (int32_t)(w * 64 + __builtin_ctzll(bits));
	free(nbefore);
	free(ready);
	return done < waits->nchannels;
}

bool circle_is_possible(struct routing *routing)
{
	const struct topo_graph *graph = topo_graph(routing->topo);
	struct waits waits = {.nchannels = graph->nlinks * 2};
	bool is_possible;

	if (waits.nchannels > CHANNELS_MOST ||
	    (int64_t)routing->topo->nrouters * routing->topo->nnodes > PAIRS_MOST)
		return true;
	waits.nwords = (waits.nchannels + 63) / 64;
	waits.follows =
		xcalloc((size_t)waits.nchannels * (size_t)waits.nwords + 1, sizeof(uint64_t));
	add_ways(&waits, routing);
	is_possible = has_circle(&waits);
	free(waits.follows);
	return is_possible;
}
