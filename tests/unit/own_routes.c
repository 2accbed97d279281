/* own_routes.c - routes that stay with a job, by domains and dimensions and route by route */
#include "measure/metric/own_routes.h"

#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"

struct world {
	struct topo *topo;
	struct routing *routing;
	struct geometry geometry;
	struct own_routes own;
	struct rng rng;
};

static struct route_counts count_slowly(struct geometry *geometry, const int *nodes, int n)
{
	struct route_counts found = {0};

	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			int_vec path = {0};
			bool escapes = false;

			if (i == k)
				continue;
			if (route_path(geometry->routing, nodes[i], nodes[k], &path) >= 0) {
				for (size_t p = 0; p + 1 < path.n && path.n > 2; p++)
					escapes |= geometry_router(geometry,
								   geometry_router_at(
									   geometry, path.at[p])) ==
						   ROUTER_FOREIGN;
				found.nroutes++;
				found.nescaping += escapes;
			}
			free(path.at);
		}
	return found;
}

/* Whole routers mostly, so that some routes stay; at times a hole, or an I/O node. */
static void check_random(struct world *world)
{
	const struct topo *topo = world->topo;
	struct node_ranges ranges = {0};
	struct route_counts found, slow;
	int *nodes = xmalloc((size_t)topo->nnodes * sizeof(*nodes)), n = 0, last = -1;
	uint64_t part = 1 + rng_below(&world->rng, 16), holes = 1 + rng_below(&world->rng, 40);
	bool takes = true;

	for (int node = 0; node < topo->nnodes; node++) {
		if (topo->router_of[node] != last)
			takes = rng_below(&world->rng, 16) < part;
		last = topo->router_of[node];
		if (!takes || rng_below(&world->rng, holes) == 1 ||
		    (!geometry_computes(&world->geometry, node) && rng_below(&world->rng, 8) != 0))
			continue;
		nodes[n++] = node;
		node_ranges_add(&ranges, node, node);
	}
	geometry_mark(&world->geometry, &(struct region){.nodes = nodes, .n = n});
	slow = count_slowly(&world->geometry, nodes, n);
	geometry_mark(&world->geometry, &(struct region){.nodes = nodes, .n = n});
	found = own_routes_count(&world->own, &ranges);
	CHECK_INT(found.nroutes, slow.nroutes);
	CHECK_INT(found.nescaping, slow.nescaping);
	node_ranges_free(&ranges);
	free(nodes);
}

static void check_machine(const char *spec, const char *io, uint64_t seed)
{
	struct world world = {.topo = machine_with_io(spec, io, true),
			      .rng = rng_make(seed, "own_routes", NULL, NULL)};
	struct err err;

	if (routing_open(&world.routing, world.topo, NULL, &err) != 0 ||
	    geometry_open(&world.geometry, world.topo, world.routing, NULL, &err) != 0)
		exit(2);
	own_routes_open(&world.own, &world.geometry);
	for (int trial = 0; trial < 40; trial++)
		check_random(&world);
	own_routes_close(&world.own);
	geometry_close(&world.geometry);
	routing_close(world.routing);
	topo_free(world.topo);
}

int main(void)
{
	static const char *const machines[] = {
		"torus:dims=5x4x3",
		"torus:dims=7x2x1",
		"mesh:dims=7x6",
		"ring:nodes=21",
		"ring:nodes=40,per-router=2",
		"line:nodes=23",
		"hypercube:dims=5,per-router=2",
		"fattree:down=4x3x5,up=1x2x2",
		"tree:arity=3x4x5",
		"complete:nodes=34,per-router=2",
		"hyperx:dims=4x3x3,nodes=2",
		"slimfly:q=3,nodes=2",
		"dragonfly:groups=9,routers=4,nodes=2",
		"dragonfly:groups=5,routers=3x2,nodes=2",
		"dragonfly:groups=6,routers=4,nodes=1,links=3",
		"dragonfly-plus:groups=4,leaves=3,spines=2,nodes=2",
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		check_machine(machines[i], NULL, i);
		check_machine(machines[i], "n[4-5,9]", i);
	}
	return check_done();
}
