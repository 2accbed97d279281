/* net_requests.c - nodes that work on few requests at a time: who waits, for how long, and that
 * nobody waits forever; on every kind of network with every routing */
#include "sim/network/net_priv.h"

#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "routing_picks.h"

/* Cookies: what a message is, who asked, and how many bytes are wanted. */
enum kind { PLAIN, REQUEST, ANSWER };
#define COOKIE(kind, from, to, bytes)                                                              \
	((uint64_t)(kind) << 56 | (uint64_t)(from) << 40 | (uint64_t)(to) << 20 | (uint64_t)(bytes))

struct seen {
	struct net *net;
	int ncome[3];
	int64_t last_ps[3];
	int nopen, most_open; /* requests that have come whose answer has not left, at node 0 */
	uint64_t digest;
};

static int from_of(uint64_t cookie)
{
	return (int)(cookie >> 40 & 0xffff);
}

static int to_of(uint64_t cookie)
{
	return (int)(cookie >> 20 & 0xfffff);
}

/* A request is answered as soon as it has come. */
static void on_delivered(void *context, uint64_t cookie)
{
	struct seen *seen = context;
	enum kind kind = (enum kind)(cookie >> 56);
	int from = from_of(cookie), to = to_of(cookie);

	seen->ncome[kind]++;
	seen->last_ps[kind] = net_now(seen->net);
	seen->digest = seen->digest * 0x100000001b3 + cookie * 31 + (uint64_t)net_now(seen->net);
	if (kind != REQUEST)
		return;
	if (to == 0 && ++seen->nopen > seen->most_open)
		seen->most_open = seen->nopen;
	net_send(seen->net, &(struct net_message){.src = to,
						  .dst = from,
						  .bytes = (int64_t)(cookie & 0xfffff),
						  .cookie = COOKIE(ANSWER, from, to, 0),
						  .traffic_class = 1,
						  .releases = from != to});
}

static void on_injected(void *context, uint64_t cookie)
{
	struct seen *seen = context;

	seen->nopen -= cookie >> 56 == ANSWER && to_of(cookie) == 0;
}

static void begin(struct net *net, struct seen *seen, uint64_t seed)
{
	const struct net_events events = {
		.injected = on_injected, .delivered = on_delivered, .context = seen};

	*seen = (struct seen){.net = net};
	net_start(net, seed, "", 1);
	net_listen(net, NET_MPI, &events);
}

static void ask(struct net *net, int from, int to, int64_t request, int64_t answer, int64_t at_ps)
{
	net_send(net, &(struct net_message){.src = from,
					    .dst = to,
					    .bytes = request,
					    .ready_ps = at_ps,
					    .cookie = COOKIE(REQUEST, from, to, answer),
					    .holds = from != to});
}

static void tell(struct net *net, int from, int to, int64_t bytes, int64_t at_ps)
{
	net_send(net, &(struct net_message){.src = from,
					    .dst = to,
					    .bytes = bytes,
					    .ready_ps = at_ps,
					    .cookie = COOKIE(PLAIN, from, to, 0)});
}

static struct net *machine_net(struct topo *topo, struct sim_params *params, const char *routing,
			       const char *const *settings, int n)
{
	struct net *net;
	struct err err;

	if (sim_params_open(params, topo, NULL, settings, n, routing, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	if (net_open(&net, topo, params, &err) == 0)
		return net;
	sim_params_close(params);
	return NULL;
}

static void run(struct net *net)
{
	struct err err;

	if (net_run(net, INT64_MAX, &err) != 0)
		CHECK_TEXT(err.msg, "");
}

/*
 * A line of three routers: node 2, behind the last one, asks node 0 for 1 000 bytes, n times, with
 * requests of 100 bytes; then node 1 in the middle sends 100 bytes to node 0, and node 2 sends 100
 * bytes to node 1. Links of 1 GB/s, no latencies or delays: an answer takes 1 us to leave.
 */
static void line(const char *places, const char *buffer, int n, struct seen *seen, int64_t *stall)
{
	char nic[40], input[40];
	const char *const settings[] = {nic, input, "bandwidth=1GB/s", "latency=0",
					"router-delay=0"};
	struct topo *topo = machine("line:nodes=3");
	struct sim_params params;
	struct net *net;

	snprintf(nic, sizeof(nic), "nic-requests=%s", places);
	snprintf(input, sizeof(input), "input-buffer=%s", buffer);
	net = machine_net(topo, &params, NULL, settings, 5);
	net_count_stalls(net);
	begin(net, seen, 1);
	for (int i = 0; i < n; i++)
		ask(net, 2, 0, 100, 1000, 0);
	tell(net, 1, 0, 100, 10000000);
	run(net);
	*stall = 0;
	for (int64_t c = 0; c < net->plan.graph->nlinks * 2; c++)
		*stall += net_channel(net, c).stall_ps;
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

static void test_line(void)
{
	struct seen seen;
	int64_t stall;

	/* any number: all 50 are there after 5 us and some, the answers end after 50 us and some;
	 * node 1's message passes */
	line("0", "16KiB", 50, &seen, &stall);
	CHECK_INT(seen.ncome[ANSWER], 50);
	CHECK_INT(seen.last_ps[REQUEST], 50 * 100000);
	CHECK_INT(seen.last_ps[PLAIN], 10000000 + 100000);
	CHECK_INT(stall, 0);
	CHECK(seen.most_open > 40);
	/* two at a time: a further one comes when an answer has left; node 1's message waits behind
	 * all of them, as they all fit into the NIC's buffer */
	line("2", "16KiB", 50, &seen, &stall);
	CHECK_INT(seen.ncome[ANSWER], 50);
	CHECK_INT(seen.most_open, 2);
	CHECK_INT(seen.last_ps[REQUEST], 100000 + 48 * 1000000);
	CHECK_INT(seen.last_ps[PLAIN], 100000 + 48 * 1000000);
	CHECK_INT(seen.last_ps[ANSWER], 100000 + 50 * 1000000);
	CHECK_INT(stall, 0);
	/* buffers of ten requests: they fill the routers before it, back into their own node; node
	 * 1's message takes its turn at the last router */
	line("2", "1024", 50, &seen, &stall);
	CHECK_INT(seen.ncome[ANSWER], 50);
	CHECK_INT(seen.last_ps[REQUEST], 100000 + 48 * 1000000);
	CHECK(seen.last_ps[PLAIN] > 15000000 && seen.last_ps[PLAIN] < 45000000);
	CHECK(stall > 30000000);
	/* requests that never get a place by themselves wait for no answer but their own */
	line("50", "16KiB", 50, &seen, &stall);
	CHECK_INT(seen.last_ps[REQUEST], 50 * 100000);
	CHECK_INT(seen.last_ps[PLAIN], 10000000 + 100000);
}

/* ---- load ---- */

static uint64_t loaded(struct net *net, int n, uint64_t seed, int64_t until_ps)
{
	int nnodes = net->plan.topo->nnodes, nasked = 0, nrequests = 0;
	struct rng rng = rng_make(seed, "test", NULL, NULL);
	int hot = 1 + (int)rng_below(&rng, (uint64_t)nnodes);
	struct seen seen;
	struct err err;

	begin(net, &seen, seed);
	for (int i = 0; i < n; i++) {
		int from = (int)rng_below(&rng, (uint64_t)nnodes);
		int to = (int)rng_below(&rng, (uint64_t)hot);
		int64_t at_ps = (int64_t)rng_below(&rng, 20000000);
		bool is_request = rng_below(&rng, 3) > 0;

		nasked += is_request;
		nrequests += is_request && from != to;
		if (is_request)
			ask(net, from, to, (int64_t)rng_below(&rng, 3000),
			    (int64_t)rng_below(&rng, 5000), at_ps);
		else
			tell(net, from, to, (int64_t)rng_below(&rng, 3000), at_ps);
	}
	if (until_ps >= 0) {
		CHECK_INT(net_run(net, until_ps, &err), 1);
		return 0;
	}
	run(net);
	CHECK_INT(seen.ncome[PLAIN], n - nasked);
	CHECK_INT(seen.ncome[REQUEST], nasked);
	CHECK_INT(seen.ncome[ANSWER], nasked);
	CHECK_INT(net_totals(net, NET_MPI, 0).messages, n + nasked);
	for (int node = 0; node < nnodes; node++)
		CHECK_INT(net->nics.nheld[node], 0);
	return seen.digest;
}

/* Everything comes, through buffers that hold one packet; again the same after a run that was
 * broken off, and by the functions for any network. */
static void test_load(const char *spec, const char *routing, const char *const *settings, int n)
{
	struct topo *topo = machine(spec);
	struct sim_params params;
	struct net *net = machine_net(topo, &params, routing, settings, n);

	if (net != NULL) {
		uint64_t first = loaded(net, 800, 1, -1);

		loaded(net, 500, 3, 8000000);
		CHECK(loaded(net, 800, 1, -1) == first);
		net->run.is_general = true;
		CHECK(loaded(net, 800, 1, -1) == first);
		net_close(net);
		sim_params_close(&params);
	}
	topo_free(topo);
}

static void test_all_loads(void)
{
	static const char *const specs[] = {
		"complete:nodes=12,per-router=4",
		"dragonfly:groups=9,routers=4,nodes=2",
		"dragonfly:groups=4,routers=4x3,nodes=1,links=5,row-links=2,column-links=3",
		"fattree:down=4x3x2,up=1x2x3,cables=1x2x1",
		"fattree:down=3x4,up=2x2,cables=2x1",
		"hypercube:dims=4",
		"mesh:dims=2x3x2,cables=1x2x3",
		"ring:nodes=9,cables=2",
		"torus:dims=5x4",
		"tree:arity=2x3x2x2,cables=1x1x2x4",
	};
	static const char *const variants[] = {"minimal:ties=random"};
	static const char *const tight[] = {"nic-requests=1", "input-buffer=1024", "latency=1ns"};
	static const char *const buffered[] = {"nic-requests=3", "input-buffer=2000",
					       "output-buffer=2000", "nic-receive=20ns",
					       "global-bandwidth=300MB/s"};
	static const char *const uneven[] = {"nic-requests=2", "input-buffer=4000",
					     "terminal-bandwidth=3GB/s"};
	bool is_some = false;

	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++)
		for (int k = 0; k < 1 + routings.n; k++) {
			const char *routing = routing_pick(variants, 1, k);
			struct topo *topo = machine(specs[i]);
			struct sim_params params;
			struct net *net = NULL;
			struct err err;
			bool fits = sim_params_open(&params, topo, NULL, tight, 3, routing, &err) ==
					    0 &&
				    net_open(&net, topo, &params, &err) == 0;

			/* answers have as many virtual channels as the rest */
			if (fits)
				CHECK_INT(net->plan.nvcs, 2 * net->forward.nvcs);
			net_close(net);
			sim_params_close(&params);
			topo_free(topo);
			is_some |= fits;
			if (!fits)
				continue;
			test_load(specs[i], routing, tight, 3);
			test_load(specs[i], routing, uneven, 3);
			test_load(specs[i], routing, buffered,
				  strncmp(specs[i], "dragonfly", 9) == 0 ? 5 : 4);
		}
	CHECK(is_some);
}

/* A request that nobody answers is told, not waited for. */
static void test_unanswered(void)
{
	static const char *const settings[] = {"nic-requests=1", "input-buffer=1024"};
	struct topo *topo = machine("line:nodes=3");
	struct sim_params params;
	struct net *net = machine_net(topo, &params, NULL, settings, 2);
	const struct net_events nobody = {.context = NULL};
	struct err err;

	net_start(net, 1, "", 1);
	net_listen(net, NET_MPI, &nobody);
	ask(net, 2, 0, 100, 1000, 0);
	CHECK_INT(net_run(net, INT64_MAX, &err), -1);
	CHECK_TEXT(err.msg, "requests have come that were never answered");
	loaded(net, 100, 1, -1);
	net_start(net, 1, "", 1);
	net_listen(net, NET_MPI, &nobody);
	for (int i = 0; i < 400; i++)
		ask(net, 2, 0, 100, 1000, i * 1000000);
	CHECK_INT(net_run(net, INT64_MAX, &err), -1);
	CHECK_TEXT(err.msg, "deadlock: 40 packets cannot move; the oldest, from n2 to n0 since "
			    "1.1e-05 s, "
			    "waits at router r0 for buffer space on virtual channel 0 of the link "
			    "to n0");
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

int main(void)
{
	test_line();
	test_all_loads();
	test_unanswered();
	return check_done();
}
