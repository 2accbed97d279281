/* dragonfly_gates.c - which of several global links between two groups of a dragonfly a packet
 * takes */
#include "sim/network/dragonfly_gates.h"

#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"

enum { WORDS_MOST = 1 << 25 }; /* of the rows of all routers */

/* Word w of the gates between a router's group and another. */
static struct gate_row make_row(const struct gates *gates, struct place from, int to, int w)
{
	const struct gate *between = gates_between(gates, from.group, to);
	struct gate_row row = {{0}};

	for (int i = 64 * w; i < gates->links && i < 64 * w + 64; i++)
		row.near[gates_local_hops(gates, from.in, between[i].in)] |= UINT64_C(1) << i % 64;
	return row;
}

static struct gate_row row_of(const struct gates *gates, struct place from, int to, int w)
{
	return gates->rows != NULL ? gates_row(gates, from, to)[w] : make_row(gates, from, to, w);
}

/* Of word w the gates that are fewest links away; 0: there is none. */
static uint64_t nearest_of(const struct gates *gates, struct place from, int to, int in_b, int w,
			   int *hops)
{
	const struct gate_row there = row_of(gates, from, to, w);
	struct gate_row back;

	if (in_b < 0)
		return gates_near(&there, hops);
	back = row_of(gates, (struct place){to, in_b}, from.group, w);
	return gates_nearest(&there, &back, hops);
}

int gates_choose_among(const struct gates *gates, struct place from, int to, int in_b, int node,
		       int *hops)
{
	int n = 0, least = INT_MAX, nbefore, w;
	uint64_t nearest;

	for (w = 0; w < gates->nwords; w++) {
		nearest = nearest_of(gates, from, to, in_b, w, hops);
		if (nearest == 0 || *hops > least)
			continue;
		n = (*hops < least ? 0 : n) + __builtin_popcountll(nearest);
		least = *hops;
	}
	nbefore = n > 1 ? node % n : 0;
	for (w = 0;; w++) {
		nearest = nearest_of(gates, from, to, in_b, w, hops);
		n = *hops == least ? __builtin_popcountll(nearest) : 0;
		if (nbefore < n)
			return 64 * w + gates_kth(nearest, nbefore);
		nbefore -= n;
	}
}

/* ---- opening ---- */

/* Global links are the last ones, pair by pair of groups. */
static void open_links(struct gates *gates, const struct topo *topo)
{
	size_t g = (size_t)gates->groups, links = (size_t)gates->links;
	int64_t link = topo->graph->nlinks - (int64_t)(g * (g - 1) / 2 * links);

	gates->at = xcalloc(g * g * links + 1, sizeof(*gates->at));
	for (size_t from = 0; from < g; from++)
		for (size_t to = from + 1; to < g; to++)
			for (size_t i = 0; i < links; i++, link++) {
				const struct topo_link *l = &topo->graph->links[link];

				gates->at[(from * g + to) * links + i] =
					(struct gate){(int32_t)(2 * link),
						      (l->a - topo->nnodes) % gates->routers};
				gates->at[(to * g + from) * links + i] =
					(struct gate){(int32_t)(2 * link + 1),
						      (l->b - topo->nnodes) % gates->routers};
			}
}

static void open_rows(struct gates *gates)
{
	int nrouters = gates->groups * gates->routers;
	size_t n = 0, nrows = (size_t)nrouters * (size_t)gates->groups * (size_t)gates->nwords;

	if (gates->links == 1 || nrows > WORDS_MOST / 4)
		return;
	gates->rows = xmalloc(nrows * sizeof(*gates->rows));
	for (int r = 0; r < nrouters; r++) {
		struct place from = {r / gates->routers, r % gates->routers};

		for (int to = 0; to < gates->groups; to++)
			for (int w = 0; w < gates->nwords; w++)
				gates->rows[n++] = to == from.group ? (struct gate_row){{0}}
								    : make_row(gates, from, to, w);
	}
}

void gates_open(struct gates *gates, const struct dragonfly *df, const struct topo *topo)
{
	int a = df->routers;

	*gates = (struct gates){.groups = df->groups,
				.routers = a,
				.links = df->links,
				.nwords = (df->links + 63) / 64};
	gates->local_hops = xmalloc((size_t)a * (size_t)a);
	for (int i = 0; i < a; i++)
		for (int j = 0; j < a; j++)
			gates->local_hops[i * a + j] = (uint8_t)dragonfly_local(df, i, j);
	open_links(gates, topo);
	open_rows(gates);
}

void gates_close(struct gates *gates)
{
	free(gates->local_hops);
	free(gates->at);
	free(gates->rows);
}
