/* constraint_world.h - the definitions of constraints on small machines, written down slowly */
#ifndef TESTS_CONSTRAINT_WORLD_H
#define TESTS_CONSTRAINT_WORLD_H

#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "machine/route/routing.h"
#include "check.h"

enum { MOST = 16, NSETS = 1 << MOST, STEPS = 1000000000 };

/* A machine as the definitions see it: distances and routes between all pairs. */
struct world {
	struct topo *topo;
	int n;
	bool computes[MOST];
	bool next[MOST][MOST];        /* routers with a cable between them, or one router */
	uint32_t through[MOST][MOST]; /* nodes at the routers that the route visits */
	bool joins_io[MOST][MOST];    /* a link of the route joins two I/O nodes */
	int distance[MOST][MOST];     /* Def. 1: the fewest links between routers, levels */
	int routed[MOST][MOST];       /* by the routes instead */
	/* over sets of nodes that may be used: of so many nodes */
	int least_max[MOST + 1], least_sum[MOST + 1], least_blocks[2][MOST + 1];
	uint64_t links[MOST][MOST]; /* of both directions; links between routers only */
};

static int bits(uint32_t set)
{
	return __builtin_popcount(set);
}

static bool has(uint32_t set, int node)
{
	return set >> node & 1;
}

/* ---- the definitions, written down slowly ---- */

/* Def. 3: connected together with some of the separate I/O nodes. */
static bool is_connected(const struct world *world, uint32_t set)
{
	uint32_t io = 0, seen, last;

	for (int i = 0; i < world->n; i++)
		if (!world->computes[i])
			io |= 1U << i;
	seen = set & -set;
	do {
		last = seen;
		for (int i = 0; i < world->n; i++)
			for (int k = 0; k < world->n; k++)
				if (has(seen, i) && has(set | io, k) && world->next[i][k])
					seen |= 1U << k;
	} while (seen != last);
	return (set & ~seen) == 0;
}

/* Def. 4, closed: nodes at the routers of each route are members or separate I/O nodes. */
static bool is_closed(const struct world *world, uint32_t set)
{
	uint32_t io = 0, routers = 0;

	for (int i = 0; i < world->n; i++)
		if (!world->computes[i])
			io |= 1U << i;
	for (int i = 0; i < world->n; i++)
		if (has(set, i))
			routers |= 1U << world->topo->router_of[i];
	if (bits(routers) == 1)
		return true;
	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < world->n; k++)
			if (has(set, i) && has(set, k) &&
			    ((world->through[i][k] & ~set & ~io) != 0 || world->joins_io[i][k]))
				return false;
	return true;
}

/* The same in a tree: a switch on the route is theirs if all nodes below it are, so all nodes below
 * the switches between two of them are members. */
static bool is_subtree(const struct world *world, uint32_t set)
{
	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < world->n; k++) {
			if (!has(set, i) || !has(set, k) || world->distance[i][k] < 2)
				continue;
			for (int other = 0; other < world->n; other++)
				if (!has(set, other) && other != i &&
				    world->distance[i][other] <= world->distance[i][k])
					return false;
		}
	return true;
}

/* Def. 4, literally. */
static bool is_literal(const struct world *world, uint32_t set)
{
	uint64_t inside = 0, outside = 0;

	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < world->n; k++) {
			if (!world->computes[i] || !world->computes[k])
				continue;
			if (has(set, i) && has(set, k))
				inside |= world->links[i][k];
			if (!has(set, i) && !has(set, k))
				outside |= world->links[i][k];
		}
	return (inside & outside) == 0;
}

/* Def. 5, label order. */
static bool is_contiguous(const struct world *world, uint32_t set)
{
	bool wraps = world->topo->type->entry.name[0] == 'r';
	int nstarts = 0, last = -1, first = -1;

	for (int i = 0; i < world->n; i++)
		if (world->computes[i]) {
			if (first < 0)
				first = i;
			nstarts += has(set, i) && (last < 0 || !has(set, last));
			last = i;
		}
	return nstarts == 1 || (nstarts == 2 && wraps && has(set, first) && has(set, last));
}

static int max_of(const struct world *world, uint32_t set)
{
	int most = 0;

	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < i; k++)
			if (has(set, i) && has(set, k) && world->distance[i][k] > most)
				most = world->distance[i][k];
	return most;
}

static int sum_of(const struct world *world, uint32_t set)
{
	int sum = 0;

	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < i; k++)
			sum += has(set, i) && has(set, k) ? world->distance[i][k] : 0;
	return sum;
}

/* The routers that it lies in, or the blocks of four nodes that compute. */
static int nblocks_of(const struct world *world, uint32_t set, bool by_four)
{
	uint32_t used = 0;
	int n = 0;

	for (int i = 0; i < world->n; i++) {
		if (has(set, i))
			used |= 1U << (by_four ? n / 4 : world->topo->router_of[i]);
		n += world->computes[i];
	}
	return bits(used);
}

static void lessen(int *least, int value)
{
	if (value < *least)
		*least = value;
}

/* Defs 7 and 8 and clusters, over sets of these nodes. */
static void find_least(struct world *world, uint32_t nodes)
{
	for (int n = 0; n <= MOST; n++)
		world->least_max[n] = world->least_sum[n] = world->least_blocks[0][n] =
			world->least_blocks[1][n] = INT32_MAX;
	for (uint32_t set = 1; set < 1U << world->n; set++) {
		int n = bits(set);

		if ((set & ~nodes) != 0)
			continue;
		lessen(&world->least_max[n], max_of(world, set));
		lessen(&world->least_sum[n], sum_of(world, set));
		lessen(&world->least_blocks[0][n], nblocks_of(world, set, false));
		lessen(&world->least_blocks[1][n], nblocks_of(world, set, true));
	}
}

static bool is_proximate(const struct world *world, uint32_t set)
{
	return max_of(world, set) == world->least_max[bits(set)];
}

static bool is_compact(const struct world *world, uint32_t set)
{
	return sum_of(world, set) == world->least_sum[bits(set)];
}

static bool is_clusters(const struct world *world, uint32_t set)
{
	return nblocks_of(world, set, false) == world->least_blocks[0][bits(set)];
}

static bool is_clusters_of_four(const struct world *world, uint32_t set)
{
	return nblocks_of(world, set, true) == world->least_blocks[1][bits(set)];
}

/* ---- machines ---- */

static void trace(struct world *world, struct routing *routing, int a, int b)
{
	const struct topo_graph *graph = topo_graph(world->topo);
	int_vec path = {0};
	int last = -1;

	CHECK(route_path(routing, a, b, &path) > 0);
	for (size_t i = 0; i + 1 < path.n; i++) {
		const struct topo_link *link = &graph->links[path.at[i] / 2];
		int router = (path.at[i] % 2 == 0 ? link->b : link->a) - world->n;
		bool only_io = true;

		for (int k = 0; k < world->n; k++)
			if (world->topo->router_of[k] == router) {
				world->through[a][b] |= 1U << k;
				only_io = only_io && !world->computes[k];
			}
		if (last == 1 && only_io)
			world->joins_io[a][b] = true;
		last = only_io;
		if (i > 0) {
			CHECK(path.at[i] / 2 - world->n < 64);
			world->links[a][b] |= UINT64_C(1) << (path.at[i] / 2 - world->n);
		}
	}
	free(path.at);
}

/* The fewest links: as many rounds as there are nodes let every short cut through. */
static void find_hops(struct world *world)
{
	for (int round = 0; round < world->n; round++)
		for (int a = 0; a < world->n; a++)
			for (int b = 0; b < world->n; b++)
				for (int c = 0; c < world->n; c++)
					lessen(&world->distance[a][c],
					       world->distance[a][b] + world->distance[b][c]);
}

static void open_world(struct world *world, const char *spec, const char *io, bool is_separate)
{
	struct routing *routing;
	struct err err;

	*world = (struct world){0};
	if (topo_load(&world->topo, spec, &err) != 0) {
		printf("%s: %s\n", spec, err.msg);
		exit(1);
	}
	world->n = world->topo->nnodes;
	CHECK(world->n <= MOST);
	if (io != NULL) {
		int_vec nodes = {0};

		world->topo->io = xcalloc(1, sizeof(*world->topo->io));
		world->topo->nio = 1;
		CHECK(topo_nodelist_read(world->topo, io, &nodes, &err) == 0);
		world->topo->io[0].name = arena_strndup(&world->topo->arena, "io", 2);
		world->topo->io[0].nodes = nodes.at;
		world->topo->io[0].nnodes = (int)nodes.n;
		world->topo->io[0].is_separate = is_separate;
	}
	for (int i = 0; i < world->n; i++)
		world->computes[i] = true;
	for (int i = 0; io != NULL && is_separate && i < world->topo->io[0].nnodes; i++)
		world->computes[world->topo->io[0].nodes[i]] = false;
	CHECK(routing_open(&routing, world->topo, NULL, &err) == 0);
	for (int a = 0; a < world->n; a++)
		for (int b = 0; b < world->n; b++)
			if (a != b) {
				world->next[a][b] = route_hops(routing, a, b) <= 3;
				trace(world, routing, a, b);
				world->routed[a][b] = world->distance[a][b] =
					str_eq(world->topo->type->entry.name, "tree") ||
							str_eq(world->topo->type->entry.name,
							       "fattree")
						? route_hops(routing, a, b) / 2
						: route_hops(routing, a, b) - 2;
			}
	routing_close(routing);
	if (str_eq(world->topo->type->entry.name, "dragonfly"))
		find_hops(world);
}

#endif
