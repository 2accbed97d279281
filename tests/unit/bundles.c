/* bundles.c - routes between routers, beside those between their nodes */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "map/routes/map_routes.h"
#include "machine/route/routing.h"
#include "base/rng.h"
#include "check.h"
#include "machine.h"

/* Machines whose nodes all have one link: how many bundles there are; 0: routers have no others. */
static const struct {
	const char *spec;
	int nbundles;
} machines[] = {
	{"tree:arity=4x4", 8},            /* up and down of each switch */
	{"tree:arity=4x4,cables=1x3", 8}, /* cables are one */
	{"fattree:k=3,levels=3",
	 18 + 18}, /* of leaf switches; of three others, by the leaf's port */
	{"complete:nodes=12,per-router=3", 4 * 3}, /* nothing to choose from */
	{"dragonfly:groups=5,routers=4,nodes=2", 5 * 4 * 3 + 5 * 4},
	{"torus:dims=4x4", 0},
};

struct walk {
	struct topo *topo;
	struct routing *routing;
	struct routes nodes, routers;
	int *some; /* nodes of the allocation */
	bool has_bundles;
};

/* nodes [n]; NULL: all of the machine */
static void walk_open(struct walk *walk, const char *spec, const int *nodes, int n)
{
	struct err err;

	walk->topo = machine(spec);
	CHECK_INT(routing_open(&walk->routing, walk->topo, NULL, &err), 0);
	if (nodes == NULL)
		n = walk->topo->nnodes;
	walk->some = xmalloc((size_t)n * sizeof(*walk->some));
	for (int v = 0; v < n; v++)
		walk->some[v] = nodes != NULL ? nodes[v] : v;
	routes_init(&walk->nodes, walk->topo, walk->routing, walk->some, n);
	walk->has_bundles = routes_bundle(&walk->routers, &walk->nodes);
}

static void walk_close(struct walk *walk)
{
	if (walk->has_bundles)
		routes_free(&walk->routers);
	routes_free(&walk->nodes);
	routing_close(walk->routing);
	topo_free(walk->topo);
	free(walk->some);
}

/* Puts bytes on the way from node a to b: on the channels between their routers, and on bundles. */
static void book(struct walk *walk, double *load, double *of_bundle, int a, int b, double bytes)
{
	int from = walk->nodes.source_of[a], to = walk->nodes.source_of[b];
	const int32_t *at;

	if (from == to)
		return;
	at = routes_rest(&walk->nodes, a, b);
	for (int i = 1; i < at[0]; i++) /* the last one is the node's */
		load[at[i]] += bytes;
	at = routes_rest(&walk->routers, from, to);
	for (int i = 1; i <= at[0]; i++)
		of_bundle[at[i]] += bytes;
}

static double sum_of(const double *load, size_t n)
{
	double sum = 0;

	for (size_t c = 0; c < n; c++)
		sum += load[c];
	return sum;
}

/* The greatest, over capacity. */
static double greatest_of(const double *load, const struct routes *routes)
{
	double greatest = 0;

	for (size_t c = 0; c < routes->channels.n; c++)
		if (load[c] * routes->per_byte.at[c] > greatest)
			greatest = load[c] * routes->per_byte.at[c];
	return greatest;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * a;
}

/* All nodes send the same to all: then a bundle's load is that of its most loaded channel. */
static void check_machine(const char *spec, int nbundles)
{
	struct walk walk;
	double *load, *of_bundle;
	struct rng rng = rng_make(1, "bundles", NULL, NULL);

	walk_open(&walk, spec, NULL, 0);
	CHECK_INT(walk.has_bundles, nbundles > 0);
	if (walk.has_bundles) {
		size_t n = walk.nodes.channels.n, nrouters = walk.routers.channels.n;

		CHECK_INT(nrouters, nbundles);
		load = xcalloc(n, sizeof(*load));
		of_bundle = xcalloc(nrouters, sizeof(*of_bundle));
		for (int a = 0; a < walk.topo->nnodes; a++)
			for (int b = 0; b < walk.topo->nnodes; b++)
				book(&walk, load, of_bundle, a, b, 1);
		CHECK(is_near(greatest_of(of_bundle, &walk.routers),
			      greatest_of(load, &walk.nodes)));
		for (int i = 0; i < 1000; i++)
			book(&walk, load, of_bundle,
			     (int)rng_below(&rng, (uint64_t)walk.topo->nnodes),
			     (int)rng_below(&rng, (uint64_t)walk.topo->nnodes),
			     (double)rng_below(&rng, 100));
		CHECK(sum_of(of_bundle, nrouters) == sum_of(load, n));
		free(load);
		free(of_bundle);
	}
	walk_close(&walk);
}

/* Of four nodes of each leaf switch three share a cable, the fourth has one alone. */
static void check_uneven(void)
{
	static const int share[] = {0, 6, 12, 1}; /* each sixth destination takes the same cable */
	struct walk walk;
	int some[40];

	for (int i = 0; i < 40; i++)
		some[i] = i / 4 * 30 + share[i % 4];
	walk_open(&walk, "gpc", some, 40);
	CHECK_INT(walk.has_bundles, false);
	walk_close(&walk);
}

/* Two pairs of routers without a way between them: no bundles, and what is missing is still told
 * when it is looked for. */
static void check_islands(void)
{
	static const char *const text =
		"placetools: topology/1\nname: islands\ntopology: explicit\n"
		"links:\n  terminal: {bandwidth: 1Gbit/s}\n  uplink: {bandwidth: 1Gbit/s}\n"
		"tables:\n  routers: |\n    router\n    ra\n    rb\n    rc\n    rd\n"
		"  nodes: |\n    node\n    a\n    b\n    c\n    d\n    e\n"
		"  links: |\n    from\tto\tlevel\n    a\tra\tterminal\n    b\tra\tterminal\n"
		"    c\trb\tterminal\n    d\trc\tterminal\n    e\trd\tterminal\n"
		"    ra\trb\tuplink\n    rc\trd\tuplink\n";
	char path[4096];
	struct walk walk;
	FILE *file;

	snprintf(path, sizeof(path), "%s/islands.yaml",
		 getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	file = fopen(path, "w");
	CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
	walk_open(&walk, path, NULL, 0);
	CHECK_INT(walk.has_bundles, false);
	CHECK_INT(walk.nodes.is_broken, false);
	CHECK_INT(routes_rest(&walk.nodes, 0, 2)[0], 2);
	CHECK_INT(walk.nodes.is_broken, false);
	CHECK_INT(routes_rest(&walk.nodes, 0, 3)[0], 0);
	CHECK_INT(walk.nodes.is_broken, true);
	walk_close(&walk);
	unlink(path);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		check_machine(machines[i].spec, machines[i].nbundles);
	check_uneven();
	check_islands();
	return check_done();
}
