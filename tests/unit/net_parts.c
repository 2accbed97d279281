/* net_parts.c - one simulation in partitions: the same for any number of them and of threads */
#include "sim/network/net_priv.h"

#include <stdlib.h>

#include "check.h"
#include "routing_picks.h"
#include "machine.h"
#include "sim/network/partition.h"

static const char *const specs[] = {
	"complete:nodes=12,per-router=4",
	"dragonfly:groups=9,routers=4,nodes=2",
	"dragonfly:groups=4,routers=4x3,nodes=1,links=5,row-links=2,column-links=3",
	"dragonfly-plus:groups=3,leaves=2,spines=2,nodes=2",
	"fattree:down=4x3x2,up=1x2x3,cables=1x2x1",
	"hyperx:dims=3x4,nodes=2",
	"hypercube:dims=4",
	"line:nodes=7",
	"ring:nodes=2",
	"slimfly:q=3",
	"torus:dims=2x4x3,cables=2x1x3",
	"tree:arity=2x3x2x2,cables=1x1x2x4",
};
enum { NSPECS = sizeof(specs) / sizeof(*specs) };

/* Every routing by its example, and these variants. */
static const char *const variants[] = {
	"minimal:ties=random", "minimal:ties=adaptive",           "valiant:via=router",
	"ugal:via=node",       "ugal:candidates=3,queue=credits",
};
enum { NVARIANTS = sizeof(variants) / sizeof(*variants) };

static const char *routing_at(int k)
{
	return routing_pick(variants, NVARIANTS, k);
}

/* Parameters of networks that need something special. */
static const char *const settings[][3] = {
	{NULL},
	{"output-buffer=14kB", "crossbar=1", NULL},
	{"nic-requests=2", NULL},
	{"local-bandwidth=3e9", "global-bandwidth=20e9", NULL},
};
enum { NSETTINGS = sizeof(settings) / sizeof(*settings) };

/*
 * Traffic that answers: what comes at a node may make it send on, set a timer, or send a notice, as
 * a hash of what it is says. Cookies: what, generation, number, where from.
 */
enum { GENERATIONS = 4, TIMED = 1, NOTED = 2, SENT = 3 };

struct part {
	struct net *net;
	uint64_t *digests; /* [nnodes] of all that happened there, in its order */
	int32_t nleft, nentered;
};

static uint64_t cookie_of(int what, int generation, uint64_t hash, int node)
{
	return (uint64_t)what << 56 | (uint64_t)generation << 48 | (hash & 0xfffffff) << 16 |
	       (uint64_t)node;
}

static void note(struct part *part, int node, uint64_t what)
{
	part->digests[node] =
		u64_mix(part->digests[node] ^ what) + (uint64_t)net_now(part->net) * 31;
}

/* Something has happened at a node; what follows from it. */
static void follow(struct part *part, int node, uint64_t cookie)
{
	int nnodes = part->net->plan.topo->nnodes, generation = (int)(cookie >> 48 & 0xff);
	uint64_t hash = u64_mix(cookie ^ (uint64_t)node << 32);
	int other = (int)(hash >> 20) % nnodes;

	note(part, node, cookie);
	if (generation >= GENERATIONS)
		return;
	other = other < 0 ? 0 : other;
	for (int i = 0; i < 1 + (int)(hash & 1); i++) {
		uint64_t sent =
			cookie_of(SENT, generation + 1, hash + (uint64_t)i, (other + i) % nnodes);
		int64_t left_ps = net_send(
			part->net, &(struct net_message){
					   .src = node,
					   .dst = (other + i) % nnodes,
					   .bytes = hash >> 8 & 3 ? (int64_t)(hash >> 10 & 1023)
								  : (int64_t)(hash >> 10 & 16383),
					   .cookie = sent,
					   .skips_injected = hash >> 3 & 1,
					   .asks_left = hash >> 6 & 1,
				   });

		if (left_ps >= 0) /* as if it had been told then */
			part->digests[nnodes] += u64_mix(sent + (uint64_t)left_ps);
	}
	if (hash >> 4 & 1)
		net_timer(part->net, node, net_now(part->net) + (int64_t)(hash >> 30 & 0xfffff),
			  cookie_of(TIMED, generation + 2, hash, node));
	if (hash >> 5 & 1)
		net_notice(part->net, other, cookie_of(NOTED, generation + 2, hash, other));
}

static void on_delivered(void *context, uint64_t cookie)
{
	follow(context, (int)(cookie & 0xffff), cookie);
}

static void on_injected(void *context, uint64_t cookie)
{
	struct part *part = context;

	/* which node it was is not said, but it is one of this partition */
	part->digests[part->net->plan.topo->nnodes] +=
		u64_mix(cookie + (uint64_t)net_now(part->net));
}

static void on_leave(void *context, uint64_t cookie, void *record)
{
	struct part *part = context;

	part->nleft++;
	*(uint64_t *)record = cookie;
}

static uint64_t on_enter(void *context, const void *record)
{
	struct part *part = context;

	part->nentered++;
	return *(const uint64_t *)record;
}

/* A run, and a number of all that came of it. */
static uint64_t digest_of(struct net *net, uint64_t seed, int64_t until_ps)
{
	struct net_events events = {.delivered = on_delivered,
				    .injected = on_injected,
				    .timer = on_delivered,
				    .leave = on_leave,
				    .enter = on_enter};
	int nparts = net_nparts(net), nnodes = net->plan.topo->nnodes, nleft = 0;
	struct part *parts = xcalloc((size_t)nparts, sizeof(*parts));
	uint64_t digest = 0, injected = 0;
	struct net_totals totals;
	struct err err = {0};

	net_start(net, seed, "", 1);
	for (int i = 0; i < nparts; i++) {
		parts[i].net = net_part(net, i);
		parts[i].digests = xcalloc((size_t)nnodes + 1, sizeof(uint64_t));
		events.context = &parts[i];
		net_listen(parts[i].net, NET_MPI, &events);
	}
	for (int node = 0; node < nnodes; node++)
		net_timer(net_part(net, net_part_of(net, node)), node, 1000 * (node % 3),
			  cookie_of(TIMED, 0, seed + (uint64_t)node, node));
	if (net_run(net, until_ps, &err) < 0)
		digest = u64_mix((uint64_t)err.msg[0] + (uint64_t)err.msg[4]);
	for (int node = 0; node < nnodes; node++)
		digest = u64_mix(digest ^
				 parts[net_part_of(net, node)].digests[node]); /* others have 0 */
	for (int i = 0; i < nparts; i++) {
		injected += parts[i].digests[nnodes];
		nleft += parts[i].nleft - parts[i].nentered;
		free(parts[i].digests);
	}
	CHECK_INT(nleft, 0);
	for (int64_t c = 0; c < net_nchannels(net); c++) {
		const struct net_channel channel = net_channel(net, c);

		digest = u64_mix(digest ^ (uint64_t)channel.bytes) + (uint64_t)channel.packets;
		digest = u64_mix(digest ^ (uint64_t)channel.stall_ps);
	}
	totals = net_totals(net, NET_MPI, 0);
	digest = u64_mix(digest ^ injected ^ (uint64_t)net_nevents(net)) +
		 (uint64_t)totals.packet_hops * 7 + (uint64_t)totals.nonminimal;
	free(parts);
	return u64_mix(digest ^ (uint64_t)net_now(net));
}

static int nsplit; /* of the networks tried: has the machine been divided at all? */

static void test_parts(const char *spec, const char *routing, const char *const *how)
{
	static const int nparts[] = {3, 2, 8, 1};
	struct topo *topo = machine(spec);
	struct sim_params params;
	struct net *net;
	struct err err;
	int n = 0;

	while (how[n] != NULL)
		n++;
	if (sim_params_open(&params, topo, NULL, how, n, routing, &err) != 0) {
		topo_free(topo);
		return; /* not for this machine */
	}
	if (net_open(&net, topo, &params, &err) == 0) {
		uint64_t whole, broken;

		net_count_stalls(net);
		whole = digest_of(net, 1, INT64_MAX);
		broken = digest_of(net, 2, 3000000);
		for (size_t i = 0; i < (n > 0 ? 1 : sizeof(nparts) / sizeof(*nparts)); i++) {
			int made;

			net->run.least_reach = (enum net_reach)(nsplit % NET_REACHES);
			made = net_split(net, nparts[i], 2, NULL, &err);
			CHECK(made >= 1 && made <= nparts[i]);
			nsplit += made > 1;
			net_measure(net);
			if (digest_of(net, 2, 3000000) != broken ||
			    digest_of(net, 1, INT64_MAX) != whole) {
				printf("%s, %s, %s: %d partitions\n", spec, routing,
				       n > 0 ? how[0] : "", made);
				CHECK(false);
			}
		}
		net_close(net);
	}
	sim_params_close(&params);
	topo_free(topo);
}

/* Parts are whole, of nearly equal work, which routers without nodes have, too, and nothing without
 * latency is cut. */
static void test_partition(const char *spec, int nparts, int expected)
{
	struct topo *topo = machine(spec);
	const struct topo_graph *graph = topo_graph(topo);
	int64_t latency_ps[TOPO_LEVELS], cut_ps = 0, least = INT64_MAX;
	int16_t *part_of = xcalloc((size_t)topo->nrouters, sizeof(*part_of));
	int *nnodes = xcalloc((size_t)nparts, sizeof(*nnodes));
	int *nrouters = xcalloc((size_t)nparts, sizeof(*nrouters));
	int n;

	for (int i = 0; i < TOPO_LEVELS; i++)
		latency_ps[i] = 1000 * (i + 1);
	n = partition_routers(topo, latency_ps, nparts, part_of, &cut_ps);
	CHECK_INT(n, expected);
	for (int node = 0; node < topo->nnodes; node++)
		nnodes[part_of[topo->router_of[node]]]++;
	for (int router = 0; router < topo->nrouters; router++)
		nrouters[part_of[router]]++;
	for (int i = 0; i < n; i++) {
		CHECK(nnodes[i] * n * 10 >= topo->nnodes * 6);
		CHECK(nrouters[i] * n * 10 >= topo->nrouters * 6);
	}
	for (int64_t i = 0; i < graph->nlinks; i++) {
		int a = graph->links[i].a - topo->nnodes, b = graph->links[i].b - topo->nnodes;

		if (a >= 0 && b >= 0 && part_of[a] != part_of[b] &&
		    latency_ps[graph->links[i].level] < least)
			least = latency_ps[graph->links[i].level];
	}
	CHECK_INT(cut_ps, least);
	for (int i = 0; i < TOPO_LEVELS; i++)
		latency_ps[i] = 0;
	CHECK_INT(partition_routers(topo, latency_ps, nparts, part_of, &cut_ps), 1);
	free(part_of);
	free(nnodes);
	free(nrouters);
	topo_free(topo);
}

int main(void)
{
	int nroutings = NVARIANTS + routings.n;

	test_partition("dragonfly:groups=8,routers=4,nodes=2", 2, 2);
	test_partition("dragonfly:groups=9,routers=4,nodes=2", 4, 4);
	test_partition("fattree:k=4,levels=3", 3, 3);
	test_partition("fattree:k=8,levels=3", 2, 2);
	test_partition("torus:dims=6x6", 5, 5);
	test_partition("complete:nodes=5,per-router=5", 4, 1);
	test_partition("line:nodes=2", 4, 2);
	for (int i = 0; i < NSPECS; i++)
		for (int k = 0; k < nroutings; k++)
			for (int s = 0; s < NSETTINGS; s++)
				if (s == 0 || (i + k) % NSETTINGS == s)
					test_parts(specs[i], routing_at(k), settings[s]);
	CHECK(nsplit > 100);
	return check_done();
}
