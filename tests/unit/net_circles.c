/* net_circles.c - no packets can wait for each other in a circle: what follows what on the ways of
 * every routing on every kind of network, by brute force; without detours each has the virtual
 * channels that vc_classes.h says */
#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "base/rng.h"
#include "check.h"
#include "machine/vc/vc_classes.h"
#include "routing_picks.h"
#include "sim/network/net_priv.h"

static const char *const specs[] = {
	"complete:nodes=5",
	"dragonfly:groups=1,routers=4,nodes=1",
	"dragonfly:groups=2,routers=3,nodes=1,links=3",
	"dragonfly:groups=5,routers=4,nodes=1",
	"dragonfly:groups=9,routers=4,nodes=1,arrangement=relative",
	"dragonfly:groups=6,routers=4,nodes=1,arrangement=circulant",
	"dragonfly:groups=5,routers=3,nodes=1,links=4",
	"dragonfly:groups=4,routers=4x3,nodes=1,links=5,row-links=2,column-links=3",
	"dragonfly:groups=4,routers=3x3,nodes=1,links=1",
	"dragonfly:groups=3,routers=4x4,nodes=1,links=12,arrangement=relative",
	"dragonfly-plus:groups=3,leaves=2,spines=2,nodes=1",
	"dragonfly-plus:groups=4,leaves=3,spines=2,nodes=1",
	"fattree:k=2,levels=3",
	"fattree:down=3x2x2,up=1x2x2,cables=1x2x1",
	"hypercube:dims=4",
	"hyperx:dims=4x3,nodes=1",
	"hyperx:dims=3x2x3,nodes=1,cables=1x2x1",
	"line:nodes=5",
	"mesh:dims=4x3",
	"rails:domains=4,gpus=2,units=2,spines=2,cables=2",
	"rails:domains=4,gpus=4,units=2,leaf=host,spines=3",
	"ring:nodes=3",
	"ring:nodes=4",
	"ring:nodes=9",
	"slimfly:q=3,nodes=1",
	"torus:dims=5x4",
	"torus:dims=2x4x3",
	"torus:dims=3x3",
	"tree:arity=2x3x2,cables=1x2x1",
};
enum { NSPECS = sizeof(specs) / sizeof(*specs), WALKS = 60 };

/* Every routing by its example, and these variants. */
static const char *const variants[] = {
	"minimal:ties=hash",  "minimal:ties=random",        "minimal:ties=adaptive",
	"valiant:via=router", "ugal:via=node,candidates=2", "par:via=router",
	"par:candidates=3",
};
enum { NVARIANTS = sizeof(variants) / sizeof(*variants) };

/* Which buffer (channel · nvcs + vc) a packet may wait for in which. */
struct waits {
	int n, nvcs;
	char *follows;             /* [n · n] */
	struct vc_classes classes; /* of routings without detours */
	bool has_classes;
};

static void walk(struct net *net, struct waits *waits, int a, int b)
{
	int32_t m = 0, up, out, channel; /* the message that walk_all() sent */
	int i = packets_new(&net->packets), before, vc = 0, state = 0;
	struct packet *packet = &net->packets.at[i];

	CHECK_INT(net->forward.type->ends(net, a, b, &up, &out), 0);
	net->messages.at[m] = (struct message){.src = a, .dst = b, .out = out};
	*packet = (struct packet){.message = m, .bytes = 1, .channel = up, .out = out};
	net->forward.type->begin(net, up, packet);
	port_of(net, up)->npackets++; /* so that the next one draws something else */
	before = up * waits->nvcs;
	channel = up;
	while (port_of(net, channel)->to >= 0) {
		int at;

		packet->onward = net->forward.type->onward(net, port_of(net, channel)->to, packet);
		packet->nhops++;
		channel = net->forward.type->next(net, port_of(net, channel)->to, packet, &vc);
		CHECK(vc < net->plan.nvcs && packet->nhops < 64);
		if (waits->has_classes && port_of(net, channel)->to >= 0)
			CHECK_INT(vc, vc_classes_next(&waits->classes, channel, &state));
		at = channel * waits->nvcs + vc;
		waits->follows[before * waits->n + at] = 1;
		before = at;
		packet->channel = channel;
	}
	CHECK_INT(port_of(net, channel)->to, -1 - b);
	if (net->forward.type->end != NULL)
		net->forward.type->end(net, packet);
	packets_free(&net->packets, i);
}

/* Random loads, so that adaptive routings decide either way. */
static void load_links(struct net *net, struct rng *rng)
{
	for (int64_t c = 0; c < net->plan.graph->nlinks * 2; c++) {
		struct port *port = port_of(net, (int32_t)c);

		port->queued = rng_below(rng, 2) ? (int32_t)rng_below(rng, 100000) : 0;
		if (net->published != NULL)
			net_published_note(net, (int32_t)c);
	}
	if (net->published != NULL)
		net_publish(net, net_published_next(net), NULL);
}

static bool has_circle(const struct waits *waits)
{
	int *nbefore = calloc((size_t)waits->n, sizeof(*nbefore));
	int *ready = malloc((size_t)waits->n * sizeof(*ready)), nready = 0, done = 0;

	for (int a = 0; a < waits->n; a++)
		for (int b = 0; b < waits->n; b++)
			nbefore[b] += waits->follows[a * waits->n + b];
	for (int b = 0; b < waits->n; b++)
		if (nbefore[b] == 0)
			ready[nready++] = b;
	for (; done < nready; done++)
		for (int b = 0; b < waits->n; b++)
			if (waits->follows[ready[done] * waits->n + b] && --nbefore[b] == 0)
				ready[nready++] = b;
	free(nbefore);
	free(ready);
	return done < waits->n;
}

static void walk_all(struct net *net, struct waits *waits)
{
	struct rng rng = rng_make(1, "loads", NULL, NULL);

	net_start(net, 1, "", 1);
	net_send(net, &(struct net_message){.src = 0, .dst = 0}); /* so that there are messages */
	for (int round = 0; round < WALKS; round++) {
		load_links(net, &rng);
		for (int a = 0; a < net->plan.topo->nnodes; a++)
			for (int b = 0; b < net->plan.topo->nnodes; b++)
				if (a != b)
					walk(net, waits, a, b);
	}
}

/* Whether the network can have the routing. */
static bool test(const char *spec, const char *name)
{
	struct topo *topo;
	struct sim_params params;
	struct net *net = NULL;
	bool is_routed;
	struct err err;
	struct waits waits;

	if (topo_load(&topo, spec, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	is_routed = sim_params_open(&params, topo, NULL, NULL, 0, name, &err) == 0 &&
		    net_open(&net, topo, &params, &err) == 0;
	if (is_routed) {
		waits.nvcs = net->plan.nvcs;
		waits.n = (int)net->plan.graph->nlinks * 2 * net->plan.nvcs;
		waits.follows = calloc((size_t)waits.n * (size_t)waits.n, 1);
		/* of drawn ties classes know one path only */
		waits.has_classes = net->forward.routing->type->detour == DETOUR_NONE &&
				    (!routing_ties_are_drawn(net->forward.routing) ||
				     net->forward.type != &forward_table);
		if (waits.has_classes)
			vc_classes_open(&waits.classes, net->forward.routing);
		walk_all(net, &waits);
		if (waits.has_classes)
			vc_classes_close(&waits.classes);
		if (has_circle(&waits)) {
			printf("%s %s: a circle with %d virtual channels\n", spec, name,
			       net->plan.nvcs);
			CHECK(false);
		}
		free(waits.follows);
		net_close(net);
	}
	sim_params_close(&params);
	topo_free(topo);
	return is_routed;
}

/* One virtual channel less than needed is refused. */
static void test_refused(void)
{
	const char *const setting = "vcs=2";
	struct topo *topo;
	struct sim_params params;
	struct net *net;
	struct err err;

	CHECK_INT(topo_load(&topo, "dragonfly:groups=5,routers=4,nodes=1", &err), 0);
	CHECK_INT(sim_params_open(&params, topo, NULL, &setting, 1, "valiant", &err), 0);
	CHECK_INT(net_open(&net, topo, &params, &err), -1);
	CHECK_TEXT(err.msg, "routing valiant needs 3 virtual channels on this machine to be free "
			    "of deadlock; there are 2");
	sim_params_close(&params);
	topo_free(topo);
}

int main(void)
{
	for (int k = 0; k < NVARIANTS + routings.n; k++) {
		const char *name = routing_pick(variants, NVARIANTS, k);
		int n = 0;

		for (int i = 0; i < NSPECS; i++)
			n += test(specs[i], name);
		/* none of these networks has tables */
		CHECK(n > 0 || strcmp(name, "table") == 0);
	}
	test_refused();
	return check_done();
}
