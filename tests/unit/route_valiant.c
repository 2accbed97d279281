/* route_valiant.c - static ways by an intermediate node hang together, and some are detours */
#include <stdlib.h>

#include "machine/route/route.h"
#include "machine/load.h"
#include "check.h"

static void check_path(struct topo *topo, struct routing *routing, int a, int b, int64_t *nlinks)
{
	const struct topo_graph *graph = topo_graph(topo);
	int_vec path = {0};
	int n = route_path(routing, a, b, &path), at = a;

	CHECK_INT(n, (int64_t)path.n);
	CHECK_INT(route_hops(routing, a, b), n);
	for (size_t i = 0; i < path.n; i++) {
		const struct topo_link *link = &graph->links[path.at[i] / 2];

		CHECK_INT(path.at[i] % 2 ? link->b : link->a, at);
		at = path.at[i] % 2 ? link->a : link->b;
	}
	CHECK_INT(at, b);
	if (topo->router_of[a] == topo->router_of[b]) /* it stays at their router */
		CHECK_INT(n, 2);
	*nlinks += n;
	vec_free(&path);
}

static int64_t links_of_all(const char *spec, const char *name)
{
	struct topo *topo;
	struct routing *routing;
	struct err err;
	int64_t nlinks = 0;

	if (topo_load(&topo, spec, &err) != 0 || routing_open(&routing, topo, name, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	for (int a = 0; a < topo->nnodes; a++)
		for (int b = 0; b < topo->nnodes; b++)
			if (a != b)
				check_path(topo, routing, a, b, &nlinks);
	routing_close(routing);
	topo_free(topo);
	return nlinks;
}

int main(void)
{
	static const char *const specs[] = {"torus:dims=4x4", "complete:nodes=6",
					    "fattree:down=3x4,up=2x2,cables=2x1",
					    "dragonfly:groups=5,routers=4,nodes=2"};

	for (int i = 0; i < 4; i++) {
		int64_t minimal = links_of_all(specs[i], "minimal");

		CHECK(links_of_all(specs[i], "valiant") >= minimal);
		CHECK_INT(links_of_all(specs[i], "ugal"), minimal);
	}
	CHECK(links_of_all(specs[0], "valiant") > links_of_all(specs[0], "minimal"));
	return check_done();
}
