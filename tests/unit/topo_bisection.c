/* topo_bisection.c - closed forms of the bisection, and the search for cuts, against all cuts of
 * small machines */
#include <stdlib.h>

#include "machine/load.h"
#include "machine/stats/bisection.h"
#include "machine/stats/cut.h"
#include "check.h"
#include "model/topo_type.h"

static const struct {
	const char *spec;
	bool is_exact; /* has a closed form */
} machines[] = {
	{"complete:nodes=2", true},
	{"complete:nodes=7,cables=2", true},
	{"complete:nodes=12,per-router=3", true},
	{"dragonfly:groups=5,routers=4,nodes=2", false},
	{"dragonfly:groups=5,routers=4,nodes=2,local-bandwidth=1GB/s,global-bandwidth=3GB/s",
	 false},
	{"dragonfly:groups=3,routers=3x2,nodes=1,links=2", false},
	{"dragonfly:groups=4,routers=3,nodes=2,arrangement=relative", false},
	{"dragonfly-plus:groups=3,leaves=2,spines=2,nodes=2", false},
	{"fattree:k=2,levels=3", true},
	{"fattree:k=2,levels=2,level2-bandwidth=16Gbit/s", true},
	{"fattree:k=3,levels=2", false},
	{"fattree:down=3x4,up=1x2,cables=1x3", true},
	{"fattree:down=2x2x3,up=1x3x1", false},
	{"fattree:down=2x3x2,up=1x1x2", true},
	{"fattree:down=4x2x2,up=1x2x1,level2-bandwidth=1GB/s,level3-bandwidth=2GB/s", true},
	{"fattree:down=4x2x2,up=1x4x1,level2-bandwidth=1GB/s,level3-bandwidth=3GB/s", true},
	{"hypercube:dims=3", true},
	{"hypercube:dims=4", true},
	{"hypercube:dims=3,per-router=3", true},
	{"hyperx:dims=4x4", true},
	{"hyperx:dims=3x5", true},
	{"hyperx:dims=5x3,nodes=2,cables=2x2", true},
	{"hyperx:dims=2x3x2", true},
	{"hyperx:dims=3x4,cables=2x1", false},
	{"hyperx:dims=3x4,global-bandwidth=3GB/s", false},
	{"hyperx:dims=7,nodes=3", true},
	{"line:nodes=2", true},
	{"line:nodes=9", true},
	{"mesh:dims=4x4", true},
	{"mesh:dims=5x3", true},
	{"mesh:dims=3x3x2", true},
	{"mesh:dims=3x5x1", true},
	{"mesh:dims=6x3", true},
	{"mesh:dims=2x2x4", true},
	{"mesh:dims=3x4,cables=2x2", true},
	{"mesh:dims=3x4,cables=2x1", false},
	{"ring:nodes=3", true},
	{"ring:nodes=10", true},
	{"ring:nodes=11,cables=4", true},
	{"slimfly:q=3,nodes=1", false},
	{"torus:dims=4x4", true},
	{"torus:dims=3x3", true},
	{"torus:dims=5x3", true},
	{"torus:dims=5x4", true},
	{"torus:dims=3x6", true},
	{"torus:dims=4x2x2", false},
	{"torus:dims=2x2x2", true},
	{"torus:dims=1x5x3", true},
	{"tree:arity=2x2x2x2", true},
	{"tree:arity=3x4,cables=1x2", true},
	{"tree:arity=2x3x2", true},
	{"tree:arity=2x3", false},
	{"tree:arity=3x2x3", false},
};

/* The narrowest balanced cut of all 2^(n-1). */
static double narrowest(const struct cut_graph *graph)
{
	char *side = calloc((size_t)graph->n + 1, 1);
	double best = -1;

	for (long code = 0; code < 1L << (graph->n - 1); code++) {
		double width;

		for (int v = 0; v < graph->n - 1; v++)
			side[v] = (char)(code >> v & 1);
		if (!cut_is_balanced(graph, side))
			continue;
		width = cut_width(graph, side);
		best = best < 0 || width < best ? width : best;
	}
	free(side);
	return best;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		double want, got, found;
		struct cut_graph graph;
		const char *how = "";
		struct topo *topo;
		struct err err;
		int before = check_nfailed;

		if (topo_load(&topo, machines[i].spec, &err) != 0) {
			printf("%s: %s\n", machines[i].spec, err.msg);
			return 1;
		}
		cut_graph_make(&graph, topo);
		want = narrowest(&graph);
		found = topo_best_cut(topo);
		CHECK_INT(topo_bisection(topo, &got, &how), 0);
		CHECK_INT(strncmp(how, "exact", 5) == 0, machines[i].is_exact);
		CHECK(!machines[i].is_exact || got == want);
		CHECK(found == want); /* on machines as small as these it finds the best */
		if (check_nfailed > before)
			printf("… of %s: %g, %s; all cuts: %g, search: %g\n", machines[i].spec, got,
			       how, want, found);
		cut_graph_free(&graph);
		topo_free(topo);
	}
	return check_done();
}
