/* dragonfly_distance.c - how many pairs of nodes of a dragonfly are how far apart */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/dragonfly.h"

enum { LONGEST = 5 }; /* row, column, global, row, column */

/* Pairs of routers of two groups of one row: at most three links apart. Ports ascend with i, so
 * equal gates are next to each other. */
static void count_flat(const struct dragonfly *df, int a, int b, uint64_t pairs[LONGEST + 1])
{
	uint64_t routers = (uint64_t)df->routers, ends_a = 0, ends_b = 0, joined = 0, near;
	int last_a = -1, last_b = -1;

	for (int i = 0; i < df->links; i++) {
		int gate_a = dragonfly_gate(df, a, b, i), gate_b = dragonfly_gate(df, b, a, i);

		joined += gate_a != last_a || gate_b != last_b;
		ends_a += gate_a != last_a;
		ends_b += gate_b != last_b;
		last_a = gate_a;
		last_b = gate_b;
	}
	near = routers * (ends_a + ends_b) - ends_a * ends_b; /* at most two links apart */
	pairs[1] += joined;
	pairs[2] += near - joined;
	pairs[3] += routers * routers - near;
}

/* Which links have their gate in group a at most 0, or at most 1, from each router. */
struct reach {
	size_t nwords;
	uint64_t *at[2]; /* [routers × nwords] */
};

static void fill_reach(const struct dragonfly *df, struct reach *reach, int a, int b)
{
	for (int d = 0; d < 2; d++)
		memset(reach->at[d], 0, (size_t)df->routers * reach->nwords * sizeof(uint64_t));
	for (int i = 0; i < df->links; i++) {
		int gate = dragonfly_gate(df, a, b, i);

		for (int r = 0; r < df->routers; r++)
			for (int d = dragonfly_local(df, r, gate); d < 2; d++)
				reach->at[d][(size_t)r * reach->nwords + (size_t)i / 64] |=
					UINT64_C(1) << i % 64;
	}
}

/* Local links at both ends of the best global link between routers x and y: 0 to 4. */
static int local_hops(const struct reach *from, int x, const struct reach *to, int y)
{
	const uint64_t *x0 = from->at[0] + (size_t)x * from->nwords;
	const uint64_t *x1 = from->at[1] + (size_t)x * from->nwords;
	const uint64_t *y0 = to->at[0] + (size_t)y * to->nwords;
	const uint64_t *y1 = to->at[1] + (size_t)y * to->nwords;
	uint64_t zero = 0, one = 0, two = 0, three = 0;

	for (size_t w = 0; w < from->nwords; w++) {
		zero |= x0[w] & y0[w];
		one |= (x0[w] & y1[w]) | (x1[w] & y0[w]);
		two |= x0[w] | y0[w] | (x1[w] & y1[w]);
		three |= x1[w] | y1[w];
	}
	return zero ? 0 : one ? 1 : two ? 2 : three ? 3 : 4;
}

static void count_rows(const struct dragonfly *df, int a, int b, struct reach reach[2],
		       uint64_t pairs[LONGEST + 1])
{
	fill_reach(df, &reach[0], a, b);
	fill_reach(df, &reach[1], b, a);
	for (int x = 0; x < df->routers; x++)
		for (int y = 0; y < df->routers; y++)
			pairs[1 + local_hops(&reach[0], x, &reach[1], y)]++;
}

static void count_inside(const struct dragonfly *df, uint64_t pairs[LONGEST + 1])
{
	uint64_t routers = (uint64_t)df->routers * (uint64_t)df->groups;
	uint64_t straight = (uint64_t)(df->columns - 1 + df->rows - 1);

	pairs[0] += routers;
	pairs[1] += routers * straight;
	pairs[2] += routers * ((uint64_t)df->routers - 1 - straight);
}

void dragonfly_distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct dragonfly *df = topo->shape;
	/* Only the absolute arrangement looks different from another group. */
	int nfrom = df->arrangement == ABSOLUTE ? df->groups : 1;
	uint64_t pairs[LONGEST + 1] = {0}, nodes = (uint64_t)df->nodes;
	struct reach reach[2];

	for (int end = 0; end < 2; end++) {
		reach[end].nwords = ((size_t)df->links + 63) / 64;
		for (int d = 0; d < 2; d++)
			reach[end].at[d] =
				xcalloc((size_t)df->routers * reach[end].nwords, sizeof(uint64_t));
	}
	for (int a = 0; a < nfrom; a++)
		for (int b = a + 1; b < df->groups; b++)
			if (df->rows == 1)
				count_flat(df, a, b, pairs);
			else
				count_rows(df, a, b, reach, pairs);
	for (int hops = 0; hops <= LONGEST; hops++)
		pairs[hops] *= (uint64_t)(nfrom == 1 ? df->groups : 2);
	count_inside(df, pairs);
	topo_counts_start(counts, LONGEST);
	for (int hops = 0; hops <= LONGEST; hops++)
		counts->pairs[hops] = pairs[hops] * nodes * nodes;
	counts->pairs[0] -= (uint64_t)topo->nnodes;
	while (counts->longest > 0 && counts->pairs[counts->longest] == 0)
		counts->longest--;
	for (int i = 0; i < 4; i++)
		free(reach[i / 2].at[i % 2]);
}
