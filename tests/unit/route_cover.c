/* route_cover.c - the routes that stand for all of a job's take the same links as they */
#include "measure/checker/geometry.h"

#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"

struct slow {
	struct geometry *geometry;
	bool *is_used; /* [nlinks] */
};

/* The links of all pairs' routes, in order. */
static void all_links(struct slow *slow, const struct region *region, int_vec *links)
{
	struct geometry *geometry = slow->geometry;
	int64_t nlinks = geometry->topo->graph->nlinks;
	int_vec path = {0};

	for (int i = 0; i < region->n; i++)
		for (int k = 0; k < region->n; k++) {
			path.n = 0;
			route_path(geometry->routing, region->nodes[i], region->nodes[k], &path);
			for (size_t p = 0; p < path.n; p++)
				slow->is_used[path.at[p] / 2] = true;
		}
	links->n = 0;
	for (int link = 0; link < nlinks; link++) {
		if (slow->is_used[link])
			vec_push(links, link);
		slow->is_used[link] = false;
	}
	free(path.at);
}

static int count(void *context, int a, int b)
{
	(void)a;
	(void)b;
	++*(int64_t *)context;
	return 0;
}

/* Nodes from first on, each taken with a probability. */
static int draw(struct rng *rng, int nnodes, int *nodes)
{
	int first = (int)rng_below(rng, (uint64_t)nnodes), n = 0;
	uint64_t one_of = 1 + rng_below(rng, 4), most = 1 + rng_below(rng, 24);

	for (int i = 0; i < nnodes && (uint64_t)n < most; i++)
		if (rng_below(rng, one_of) == 0)
			nodes[n++] = (first + i) % nnodes;
	return n;
}

static void check_machine(const char *spec, const char *routing_name, bool is_covered)
{
	struct topo *topo = machine(spec);
	struct routing *routing;
	struct geometry geometry;
	struct slow slow = {&geometry, NULL};
	struct rng rng = rng_make(7, "route_cover", NULL, NULL);
	int_vec links = {0}, expected = {0};
	int *nodes = xmalloc((size_t)topo->nnodes * sizeof(*nodes));
	int64_t nvisited = 0, npairs = 0;
	struct err err;

	CHECK_INT(routing_open(&routing, topo, routing_name, &err), 0);
	CHECK_INT(geometry_open(&geometry, topo, routing, NULL, &err), 0);
	slow.is_used = xcalloc((size_t)topo->graph->nlinks + 1, sizeof(bool));
	for (int round = 0; round < 300; round++) {
		struct region region = {.nodes = nodes, .n = draw(&rng, topo->nnodes, nodes)};

		geometry_links(&geometry, &region, &links);
		all_links(&slow, &region, &expected);
		CHECK_INT(links.n, expected.n);
		for (size_t i = 0; i < links.n && i < expected.n; i++)
			CHECK_INT(links.at[i], expected.at[i]);
		geometry_cover(&geometry, &region, count, &nvisited);
		npairs += (int64_t)region.n * (region.n - 1);
	}
	if (is_covered)
		CHECK(nvisited < npairs);
	else
		CHECK_INT(nvisited, npairs);
	free(links.at);
	free(expected.at);
	free(nodes);
	free(slow.is_used);
	geometry_close(&geometry);
	routing_close(routing);
	topo_free(topo);
}

int main(void)
{
	static const struct {
		const char *spec, *routing;
		bool is_covered;
	} machines[] = {
		{"torus:dims=4x3x5,per-router=2", NULL, true},
		{"torus:dims=6x4", "dor", true},
		{"torus:dims=6x5,cables=2x3,per-router=3", NULL, true},
		{"mesh:dims=3x4x3,per-router=3", "dor", true},
		{"ring:nodes=12,per-router=3", NULL, true},
		{"hypercube:dims=5,per-router=2", NULL, true},
		{"torus:dims=5x4,per-router=2", "valiant", false},
		{"torus:dims=5x4,per-router=2", "ugal", true},
		{"tree:arity=3x3x4", NULL, true},
		{"fattree:down=4x3x3,up=1x2x3", NULL, true},
		{"fattree:down=4x3,up=1x2,cables=1x2", "updown", true},
		{"@avakas", NULL, true},
		{"dragonfly:groups=5,routers=4,nodes=3", NULL, true},
		{"dragonfly:groups=4,routers=3x2,nodes=3", NULL, true},
		{"slimfly:q=5,nodes=3", NULL, true},
		{"hyperx:dims=4x3,nodes=3", NULL, true},
		{"complete:nodes=12,per-router=3", NULL, true},
	};

	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++)
		check_machine(machines[m].spec, machines[m].routing, machines[m].is_covered);
	return check_done();
}
