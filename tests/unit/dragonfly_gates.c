/* dragonfly_gates.c - the global link that is chosen, against all links looked at one by one */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine/load.h"
#include "sim/network/dragonfly_gates.h"

static const char *const specs[] = {
	"dragonfly:groups=5,routers=3,nodes=1,links=4",
	"dragonfly:groups=4,routers=4x3,nodes=1,links=5",
	"dragonfly:groups=3,routers=4x4,nodes=1,links=12,arrangement=relative",
	"dragonfly:groups=4,routers=6x4,nodes=1,links=16",
	"dragonfly:groups=5,routers=5x3,nodes=1,links=41,arrangement=circulant",
	"dragonfly:groups=3,routers=6x4,nodes=1,links=64",
	"dragonfly:groups=2,routers=8x4,nodes=1,links=150",
	"dragonfly:groups=9,routers=8,nodes=1",
};

/* The shortest, and of several the one whose place among them is node modulo their number.
 * *least_hops: links within the groups. */
static int choose(const struct dragonfly *df, struct place from, int to, int in_b, int node,
		  int *least_hops)
{
	int least = 99, n = 0, at = 0;
	int hops[200];

	for (int i = 0; i < df->links; i++) {
		hops[i] = dragonfly_local(df, from.in, dragonfly_gate(df, from.group, to, i));
		if (in_b >= 0)
			hops[i] += dragonfly_local(df, dragonfly_gate(df, to, from.group, i), in_b);
		n = hops[i] < least ? 1 : n + (hops[i] == least);
		least = hops[i] < least ? hops[i] : least;
	}
	for (int i = 0, k = node % n; i < df->links; i++)
		if (hops[i] == least && k-- == 0)
			at = i;
	*least_hops = least;
	return at;
}

static void try(const struct gates *gates, const struct dragonfly *df, struct rng *rng)
{
	struct place from = {(int)rng_below(rng, (uint64_t)df->groups),
			     (int)rng_below(rng, (uint64_t)df->routers)};
	int to = (int)rng_below(rng, (uint64_t)df->groups - 1);
	int in_b = (int)rng_below(rng, (uint64_t)df->routers + 1) - 1;
	int node = (int)rng_below(rng, 1000), chosen, hops, least;

	to += to >= from.group;
	chosen = gates_choose(gates, from, to, in_b, node, &hops);
	CHECK(chosen == choose(df, from, to, in_b, node, &least));
	CHECK(hops == least);
	CHECK(gates_between(gates, from.group, to)[chosen].in ==
	      dragonfly_gate(df, from.group, to, chosen));
}

int main(void)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct topo *topo;
		struct err err = {0};
		struct rng rng = rng_make(1, "gates", specs[i], NULL);
		struct gates gates;
		struct gate_row *rows;

		if (topo_load(&topo, specs[i], &err) != 0) {
			printf("%s\n", err.msg);
			return 1;
		}
		topo_graph(topo);
		gates_open(&gates, topo_as_dragonfly(topo), topo);
		CHECK((gates.rows == NULL) == (gates.links == 1));
		for (int k = 0; k < 5000; k++)
			try(&gates, topo_as_dragonfly(topo), &rng);
		/* the same where they are too many to keep */
		rows = gates.rows;
		gates.rows = NULL;
		for (int k = 0; k < 500; k++)
			try(&gates, topo_as_dragonfly(topo), &rng);
		gates.rows = rows;
		gates_close(&gates);
		topo_free(topo);
	}
	return check_done();
}
