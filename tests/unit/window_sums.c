/* window_sums.c - distances to a set that changes, by counts and node by node */
#include "measure/metric/window_sums.h"

#include "base/rng.h"
#include "check.h"
#include "machine.h"

static void check_machine(const char *spec, uint64_t seed)
{
	struct topo *topo = machine(spec);
	struct rng rng = rng_make(seed, "window_sums", NULL, NULL);
	struct window_sums window;
	struct geometry geometry;
	struct routing *routing;
	bool *has = xcalloc((size_t)topo->nnodes, sizeof(*has));
	struct err err;

	if (routing_open(&routing, topo, NULL, &err) != 0 ||
	    geometry_open(&geometry, topo, routing, NULL, &err) != 0)
		exit(2);
	window_sums_open(&window, &geometry);
	for (int step = 0; step < 600; step++) {
		int node = (int)rng_below(&rng, (uint64_t)topo->nnodes);
		int64_t sum = 0;

		if (step == 300) {
			window_sums_clear(&window);
			memset(has, 0, (size_t)topo->nnodes * sizeof(*has));
		}
		if (has[node])
			window_sums_remove(&window, node);
		has[node] = false;
		for (int other = 0; other < topo->nnodes; other++)
			sum += has[other] ? geometry_distance(&geometry, node, other) : 0;
		CHECK_INT(window_sums_of(&window, node), sum);
		has[node] = rng_below(&rng, 3) > 0;
		if (has[node])
			window_sums_add(&window, node);
	}
	window_sums_close(&window);
	geometry_close(&geometry);
	routing_close(routing);
	free(has);
	topo_free(topo);
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
		"fattree:down=4x3x5,up=2x2x2",
		"tree:arity=3x4x5",
		"complete:nodes=34,per-router=2",
		"hyperx:dims=4x3x3,nodes=2",
		"slimfly:q=3,nodes=2",
		"gpc",
		"dragonfly:groups=9,routers=4,nodes=2",
		"dragonfly:groups=5,routers=3x2,nodes=2",
		"dragonfly-plus:groups=4,leaves=3,spines=2,nodes=2",
	};

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		check_machine(machines[i], i);
	return check_done();
}
