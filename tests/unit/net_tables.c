/* net_tables.c - next-hop tables and closed forms do what paths that are found one by one do */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "model/topo_type.h"
#include "check.h"
#include "machine.h"
#include "machine/route/walk.h"
#include "sim/network/net_priv.h"
#include "sim/network/tree_links.h"

static const char *const names[] = {
	"minimal", "minimal:ties=lowest", "ugal", "ugal:candidates=3,hops=no", "ugal:queue=credits",
	"valiant"};
static const char *const specs[] = {
	"slimfly:q=4",
	"slimfly:q=5",
	"slimfly:q=7",
	"hyperx:dims=3x4,nodes=2",
	"hyperx:dims=3x2x2,nodes=2,cables=2x1x3",
	"fattree:down=4x3x2,up=1x2x3,cables=1x2x1",
	"fattree:down=3x2x2x2,up=1x2x1x2,cables=1x1x3x1",
	"tree:arity=2x3x2x2,cables=1x1x2x4",
	"mesh:dims=2x3x2,cables=1x2x3",
	"hypercube:dims=4",
	"complete:nodes=12,per-router=4",
	"line:nodes=7",
	"ring:nodes=9,cables=2",
	"ring:nodes=3",
	"torus:dims=5x4",
	"torus:dims=2x4x3,cables=2x1x3",
	"torus:dims=1x6x2,per-router=2",
};
static const char *const trees[] = {
	"fattree:k=4,levels=3",
	"fattree:down=4x3x2,up=1x2x3",
	"fattree:down=4x3x2,up=1x3x2,cables=1x2x3",
	"fattree:down=3x2x2x2,up=1x2x1x2,cables=1x1x3x1",
	"tree:arity=3x2x2,cables=1x2x1",
};
enum { NNAMES = sizeof(names) / sizeof(*names) };

/* Routers in a ring of two cables, or (islands) a line that is cut in the middle, with random
 * chords; two nodes at each. */
static struct topo *random_machine(uint64_t seed, int nrouters, int nchords, bool has_islands)
{
	struct rng rng = rng_make(seed, "machine", NULL, NULL);
	const char *folder = getenv("TMPDIR");
	char path[512];
	struct topo *topo;
	FILE *file;

	snprintf(path, sizeof(path), "%s/net-tables-unit.yaml", folder != NULL ? folder : "/tmp");
	file = fopen(path, "w");
	if (file == NULL)
		exit(2);
	fprintf(file,
		"placetools: topology/1\ntopology: explicit\ntables:\n  routers: |\n    router\n");
	for (int r = 0; r < nrouters; r++)
		fprintf(file, "    r%d\n", r);
	fprintf(file, "  nodes: |\n    node\n");
	for (int node = 0; node < 2 * nrouters; node++)
		fprintf(file, "    n%d\n", node);
	fprintf(file, "  links: |\n    from\tto\n");
	for (int r = 0; r < nrouters; r++)
		for (int i = 0; i < 2; i++)
			fprintf(file, "    n%d\tr%d\n", 2 * r + i, r);
	for (int r = 0; r + has_islands < nrouters; r++)
		for (int cable = 0; cable < 2; cable++)
			if (!has_islands || r != nrouters / 2)
				fprintf(file, "    r%d\tr%d\n", r, (r + 1) % nrouters);
	for (int i = 0; i < nchords; i++) {
		int half = has_islands ? nrouters / 2 + 1 : nrouters;
		int a = (int)rng_below(&rng, (uint64_t)half);

		fprintf(file, "    r%d\tr%d\n", a, (a + 2) % half);
	}
	fclose(file);
	topo = machine(path);
	remove(path);
	return topo;
}

struct seen {
	struct net *net;
	uint64_t digest;
	int64_t ncome;
};

static void on_delivered(void *context, uint64_t cookie)
{
	struct seen *seen = context;

	seen->ncome++;
	seen->digest = seen->digest * 0x100000001b3 + cookie * 31 + (uint64_t)net_now(seen->net);
}

static uint64_t loaded(struct net *net, int n)
{
	struct seen seen = {.net = net};
	const struct net_events events = {.delivered = on_delivered, .context = &seen};
	struct rng rng = rng_make(7, "test", NULL, NULL);
	uint64_t nnodes = (uint64_t)net->plan.topo->nnodes;
	struct err err;

	net_start(net, 1, "", 1);
	net_listen(net, NET_MPI, &events);
	for (int i = 0; i < n; i++)
		net_send(net, &(struct net_message){.src = (int32_t)rng_below(&rng, nnodes),
						    .dst = (int32_t)rng_below(&rng, nnodes),
						    .bytes = (int64_t)rng_below(&rng, 5000),
						    .ready_ps = (int64_t)rng_below(&rng, 3000000),
						    .cookie = (uint64_t)i});
	CHECK_INT(net_run(net, INT64_MAX, &err), 0);
	CHECK_INT(seen.ncome, n);
	for (int64_t c = 0; c < net->plan.graph->nlinks * 2; c++)
		seen.digest = seen.digest * 0x100000001b3 + (uint64_t)net_channel(net, c).bytes;
	return seen.digest;
}

static void use_paths(struct net *net, const char *name)
{
	struct err err;

	forward_close(&net->forward);
	net->forward = (struct forward){.type = &forward_paths};
	CHECK_INT(routing_open(&net->forward.routing, net->plan.topo, name, &err), 0);
	CHECK_INT(forward_paths.open(net, &err), 0);
}

/* Takes topo over. */
static void test_same(struct topo *topo, const char *name)
{
	static const char *const settings[] = {"input-buffer=4KiB", "packet=1000"};
	struct sim_params params;
	struct net *net;
	struct err err;
	uint64_t digest;
	int nvcs;

	CHECK_INT(sim_params_open(&params, topo, NULL, settings, 2, name, &err), 0);
	if (net_open(&net, topo, &params, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	CHECK(net->forward.type == (strncmp(name, "minimal", 7) == 0 && tree_links_fit(topo)
					    ? &forward_tree
					    : &forward_table));
	digest = loaded(net, 2000);
	nvcs = net->forward.nvcs;
	net->run.least_reach = NET_FAR;
	CHECK(loaded(net, 2000) == digest);
	net->run.is_general = true;
	CHECK(loaded(net, 2000) == digest);
	use_paths(net, name);
	CHECK_INT(net->forward.nvcs, nvcs);
	CHECK(loaded(net, 2000) == digest);
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

/* Where there is no way the run says so; inside an island all is well. */
static void test_islands(const char *name)
{
	struct topo *topo = random_machine(3, 8, 3, true);
	struct sim_params params;
	struct net *net;
	struct err err;

	CHECK_INT(sim_params_open(&params, topo, NULL, NULL, 0, name, &err), 0);
	CHECK_INT(net_open(&net, topo, &params, &err), 0);
	CHECK(net->forward.type == &forward_table);
	net_start(net, 1, "", 1);
	for (int i = 0; i < 50; i++)
		net_send(net, &(struct net_message){.src = 0, .dst = 1 + i % 4, .bytes = 3000});
	CHECK_INT(net_run(net, INT64_MAX, &err), 0);
	CHECK_INT(net_totals(net, NET_MPI, 0).messages, 50);
	net_start(net, 1, "", 1);
	net_send(net, &(struct net_message){.src = 0, .dst = topo->nnodes - 1, .bytes = 1});
	CHECK_INT(net_run(net, INT64_MAX, &err), -1);
	CHECK(strstr(err.msg, "there is no route from n0 to ") == err.msg);
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

/* next() depends on the destination's number modulo choices() only. Returns whether some pairs have
 * several. */
static bool test_choices(const char *spec)
{
	struct topo *topo = machine(spec);
	bool has_several = false;

	for (int a = 0; a < topo->nrouters; a++)
		for (int b = 0; b < topo->nrouters; b++) {
			int n = a != b ? topo->type->choices(topo, a, b) : 0;

			has_several |= n > 1;
			for (int node = 0; n > 0 && node < 30; node++) {
				int cable, first_cable;
				int peer = topo->type->next(topo, a, b, node, &cable);

				CHECK_INT(topo->type->next(topo, a, b, node % n, &first_cable),
					  peer);
				CHECK_INT(cable, first_cable);
			}
		}
	topo_free(topo);
	return has_several;
}

/* The channels of a fat tree are those of its closed form, from every switch towards every node. */
static void test_tree_links(const char *spec)
{
	struct topo *topo = machine(spec);
	const struct topo_graph *graph = topo_graph(topo);
	struct tree_links *links = tree_links_new(topo);

	CHECK(tree_links_fit(topo));
	for (int router = 0; router < topo->nrouters; router++)
		for (int node = 0; node < topo->nnodes; node++) {
			int leaf = topo->router_of[node], cable, n;
			int64_t first;

			if (leaf == router || topo->type->distance(topo, router, leaf) < 0)
				continue;
			first = walk_cables(
				graph, topo->nnodes + router,
				topo->nnodes + topo->type->next(topo, router, leaf, node, &cable),
				&n);
			CHECK_INT(tree_towards(links, router, leaf, node),
				  graph->channel[first + cable]);
		}
	tree_links_free(links);
	topo_free(topo);
}

int main(void)
{
	CHECK(!test_choices("slimfly:q=5")); /* a Moore graph */
	CHECK(test_choices("slimfly:q=4"));
	CHECK(test_choices("slimfly:q=7"));
	CHECK(!test_choices("hyperx:dims=3x4,nodes=2"));
	CHECK(test_choices("hyperx:dims=3x2x2,nodes=2,cables=2x1x3"));
	for (int i = 0; i < NNAMES; i++) {
		test_same(random_machine(1, 2, 0, false), names[i]);
		test_same(random_machine(2, 7, 2, false), names[i]);
		test_same(random_machine(3, 12, 6, false), names[i]);
		test_same(random_machine(4, 12, 12, false), names[i]);
		test_islands(names[i]);
		for (size_t k = 0; k < sizeof(specs) / sizeof(*specs); k++)
			test_same(machine(specs[k]), names[i]);
	}
	for (size_t k = 0; k < sizeof(trees) / sizeof(*trees); k++)
		test_tree_links(trees[k]);
	return check_done();
}
