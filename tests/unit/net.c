/* net.c - the simulated network: zero-load latencies, nothing lost, the same again, no circles of
 * waiting; on every kind of network with every routing */
#include "sim/network/net_priv.h"

#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "routing_picks.h"
#include "machine.h"

static const char *const specs[] = {
	"complete:nodes=6,cables=3",
	"complete:nodes=12,per-router=4",
	"dragonfly:groups=1,routers=4,nodes=2",
	"dragonfly:groups=2,routers=1,nodes=2,links=3",
	"dragonfly:groups=9,routers=4,nodes=2",
	"dragonfly:groups=9,routers=4,nodes=2,arrangement=relative",
	"dragonfly:groups=6,routers=4,nodes=2,arrangement=circulant",
	"dragonfly:groups=5,routers=3,nodes=1,links=4",
	"dragonfly:groups=4,routers=4x3,nodes=1,links=5,row-links=2,column-links=3",
	"dragonfly:groups=7,routers=4x3,nodes=1",
	"fattree:k=3,levels=3",
	"fattree:down=4x3x2,up=1x2x3,cables=1x2x1",
	"fattree:down=3x4,up=2x2,cables=2x1",
	"dragonfly-plus:groups=3,leaves=2,spines=2,nodes=2",
	"hypercube:dims=4",
	"hyperx:dims=3x3,nodes=2",
	"line:nodes=7",
	"mesh:dims=4x3",
	"mesh:dims=2x3x2,cables=1x2x3",
	"ring:nodes=2",
	"ring:nodes=9,cables=2",
	"slimfly:q=3",
	"torus:dims=5x4",
	"torus:dims=2x4x3,cables=2x1x3",
	"torus:dims=1x6x2,per-router=2",
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

/* Whether packets of an empty network take the paths of route_path(). */
static bool is_fixed(const char *name)
{
	struct pick pick;
	struct err err;
	bool is_one;

	CHECK(pick_parse(&pick, &routings, name, &err) == 0);
	is_one = ((const struct routing_type *)pick.entry)->detour != DETOUR_ALWAYS &&
		 strstr(name, "ties=") == NULL;
	pick_free(&pick);
	return is_one;
}

/* ---- what comes back ---- */

struct seen {
	struct net *net;
	int64_t ndelivered, ninjected;
	int64_t delivered_ps, injected_ps;
	uint64_t digest; /* of everything and when */
};

static void on_delivered(void *context, uint64_t cookie)
{
	struct seen *seen = context;

	seen->ndelivered++;
	seen->delivered_ps = net_now(seen->net);
	seen->digest = seen->digest * 0x100000001b3 + cookie * 31 + (uint64_t)net_now(seen->net);
}

static void on_injected(void *context, uint64_t cookie)
{
	struct seen *seen = context;

	(void)cookie;
	seen->ninjected++;
	seen->injected_ps = net_now(seen->net);
}

static struct seen *begin(struct net *net, struct seen *seen, uint64_t seed)
{
	const struct net_events events = {
		.injected = on_injected, .delivered = on_delivered, .context = seen};

	*seen = (struct seen){.net = net};
	net_start(net, seed, "", 1);
	net_listen(net, NET_MPI, &events);
	return seen;
}

static int run(struct net *net)
{
	struct err err;

	if (net_run(net, INT64_MAX, &err) == 0)
		return 0;
	CHECK_TEXT(err.msg, "");
	return -1;
}

/* ---- zero load ---- */

/* Head and tail of a packet along a path, link by link: a link begins when the head
 * is there and it will not run out of bytes. */
static int64_t latency(const struct net *net, const struct sim_params *params, const int_vec *path,
		       int64_t bytes)
{
	int64_t head = 0, tail = 0;

	for (size_t i = 0; i < path->n; i++) {
		const struct sim_level *level =
			&params->levels[net->plan.graph->links[path->at[i] / 2].level];
		int64_t send = (int64_t)((double)bytes * 1e12 / level->bandwidth + .5),
			start = head;

		if (params->is_store_and_forward)
			start = tail;
		else if (!params->is_delivered_by_head && tail - send > head)
			start = tail - send;
		head = start + level->latency_ps;
		tail = head + send;
		if (i + 1 < path->n) {
			head += params->router_delay_ps;
			tail += params->router_delay_ps;
		}
	}
	return (params->is_delivered_by_head ? head : tail) + params->nic_send_ps +
	       params->nic_receive_ps;
}

static void check_latency(struct net *net, struct routing *routing, const struct sim_params *params,
			  int a, int b)
{
	int_vec path = {0};
	int n = route_path(routing, a, b, &path);
	int64_t bytes = params->packet_bytes < 1000 ? params->packet_bytes : 1000;
	struct seen seen;

	begin(net, &seen, 1);
	net_send(net, &(struct net_message){.src = a, .dst = b, .bytes = bytes, .cookie = 7});
	run(net);
	CHECK_INT(seen.delivered_ps, latency(net, params, &path, bytes));
	CHECK_INT(seen.ndelivered, 1);
	CHECK_INT(seen.ninjected, 1);
	CHECK_INT(net_totals(net, NET_MPI, 0).packet_hops, n - 1);
	for (int i = 0; i < n; i++)
		CHECK_INT(net_channel(net, path.at[i]).packets, 1);
	vec_free(&path);
}

/* All pairs: the way and the time of a message that has the network for itself. */
static void test_zero_load(const char *spec, const char *name, const char *profile,
			   const char *setting)
{
	struct topo *topo = machine(spec);
	struct sim_params params;
	struct routing *routing;
	struct net *net;
	struct err err;

	if (sim_params_open(&params, topo, profile, &setting, 1, name, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	if (routing_open(&routing, topo, name, &err) == 0) {
		if (net_open(&net, topo, &params, &err) == 0) {
			for (int a = 0; a < topo->nnodes; a++)
				for (int b = 0; b < topo->nnodes; b++)
					if (a != b)
						check_latency(net, routing, &params, a, b);
			net_close(net);
		}
		routing_close(routing);
	}
	sim_params_close(&params);
	topo_free(topo);
}

/* ---- load ---- */

/* Random messages, many small and some large, from a few or all nodes to a few or all. */
static void send_random(struct net *net, struct rng *rng, int nnodes, int n)
{
	int from = 1 + (int)rng_below(rng, (uint64_t)nnodes);
	int to = 1 + (int)rng_below(rng, (uint64_t)nnodes);

	for (int i = 0; i < n; i++)
		net_send(net, &(struct net_message){
				      .src = (int)rng_below(rng, (uint64_t)from),
				      .dst = nnodes - 1 - (int)rng_below(rng, (uint64_t)to),
				      .bytes = (int64_t)rng_below(
					      rng, rng_below(rng, 4) == 0 ? 20000 : 1500),
				      .ready_ps = (int64_t)rng_below(rng, 20000000),
				      .cookie = (uint64_t)i});
}

static uint64_t loaded(struct net *net, int n, uint64_t seed)
{
	struct rng rng = rng_make(seed, "test", NULL, NULL);
	struct seen seen;

	begin(net, &seen, seed);
	send_random(net, &rng, net->plan.topo->nnodes, n);
	run(net);
	CHECK_INT(seen.ndelivered, n);
	CHECK_INT(seen.ninjected, n);
	CHECK_INT(net_totals(net, NET_MPI, 0).messages, n);
	return seen.digest;
}

/* Everything comes, also through buffers that are nearly too small; a second run in one process is
 * as in the first, also after one that was broken off. */
static void test_load(const char *spec, const char *name, const char *const *settings, int n)
{
	struct topo *topo = machine(spec);
	struct sim_params params;
	struct net *net, *other;
	struct err err;

	if (sim_params_open(&params, topo, NULL, settings, n, name, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	if (net_open(&net, topo, &params, &err) == 0) {
		uint64_t first = loaded(net, 1000, 1), second = loaded(net, 500, 2);
		struct rng rng = rng_make(3, "test", NULL, NULL);
		struct seen seen;

		begin(net, &seen, 3);
		send_random(net, &rng, topo->nnodes, 500);
		CHECK_INT(net_run(net, 5000000, &err), 1);
		CHECK_INT(net_now(net), 5000000);
		CHECK(loaded(net, 500, 2) == second);
		CHECK(loaded(net, 1000, 1) == first);
		CHECK_INT(net_open(&other, topo, &params, &err), 0);
		CHECK(loaded(other, 1000, 1) == first);
		for (int i = NET_LARGE; i <= NET_FAR; i++) { /* so do those for large ones */
			other->run.least_reach = i;
			CHECK(loaded(other, 1000, 1) == first);
		}
		other->run.is_general = true; /* the functions for any network do the same */
		CHECK(loaded(other, 1000, 1) == first);
		net_close(other);
		net_close(net);
	}
	sim_params_close(&params);
	topo_free(topo);
}

/* ---- loads of links ---- */

/* One message from every node to every other under minimal routing. */
static struct net *all_to_all(const char *spec, struct topo **topo, struct sim_params *params)
{
	struct net *net;
	struct seen seen;
	struct err err;

	*topo = machine(spec);
	if (sim_params_open(params, *topo, NULL, NULL, 0, "minimal", &err) != 0 ||
	    net_open(&net, *topo, params, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	begin(net, &seen, 1);
	for (int a = 0; a < (*topo)->nnodes; a++)
		for (int b = 0; b < (*topo)->nnodes; b++)
			if (a != b)
				net_send(net,
					 &(struct net_message){.src = a, .dst = b, .bytes = 1024});
	run(net);
	return net;
}

static int64_t count(const struct net *net, int64_t channel)
{
	return net_channel(net, channel).packets;
}

/*
 * A dragonfly of g groups of a routers of p nodes, with h global links of each router, one between
 * two groups: a global link carries what (ap)² pairs of nodes send; a local one between its two
 * routers p², and p nodes' messages to the groups behind the h gates at its end, and from those
 * behind the h at its beginning: 2 h p ap. A terminal link n − 1.
 */
static void test_dragonfly_loads(void)
{
	enum { A = 4, P = 2, H = 2, N = 9 * A * P };
	struct topo *topo;
	struct sim_params params;
	struct net *net = all_to_all("dragonfly:groups=9,routers=4,nodes=2", &topo, &params);
	static const int64_t want[] = {0, N - 1, P * P + 2 * H * P * A * P, A * P * A * P};

	for (int64_t c = 0; c < net->plan.graph->nlinks * 2; c++)
		CHECK_INT(count(net, c), want[net->plan.graph->links[c / 2].level]);
	for (int node = 0; node < topo->nnodes; node++) {
		int64_t out, in;

		net_nic(net, node, &out, &in);
		CHECK_INT(out, (N - 1) * 1024);
		CHECK_INT(in, (N - 1) * 1024);
	}
	CHECK_INT(net_totals(net, NET_MPI, 0).bytes, (int64_t)N * (N - 1) * 1024);
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

/* A k-ary torus of odd size k in each of two dimensions: every direction of a link carries what
 * k · k·(1 + 2 + … + (k−1)/2) pairs make on k of them in a row or column: k (k² − 1)/8. */
static void test_torus_loads(void)
{
	enum { K = 5 };
	struct topo *topo;
	struct sim_params params;
	struct net *net = all_to_all("torus:dims=5x5", &topo, &params);

	for (int64_t c = 0; c < net->plan.graph->nlinks * 2; c++)
		CHECK_INT(count(net, c), net->plan.graph->links[c / 2].level == LINK_TERMINAL
						 ? K * K - 1
						 : K * (K * K - 1) / 8);
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

/* A k-ary n-tree under D-mod-k: every link of level l up or down carries as much as the others
 * there: of k^n nodes those that leave a subtree of k^(l−1), spread over its k^(l−1) links. */
static void test_fattree_loads(void)
{
	enum { K = 3, N = 27 };
	struct topo *topo;
	struct sim_params params;
	struct net *net = all_to_all("fattree:k=3,levels=3", &topo, &params);
	static const int64_t want[] = {0, N - 1, N - K, N - K * K};

	for (int64_t c = 0; c < net->plan.graph->nlinks * 2; c++)
		CHECK_INT(count(net, c), want[net->plan.graph->links[c / 2].level]);
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

/* Copies inside a node: one after the other, on as many servers as there are. */
static void test_copies(void)
{
	static const char *const settings[] = {"copy-servers=2", "copy-overhead=5ns",
					       "node-bandwidth=1GB/s", "node-latency=30ns"};
	struct topo *topo = machine("ring:nodes=3");
	struct sim_params params;
	struct net *net;
	struct seen seen;
	struct err err;

	CHECK_INT(sim_params_open(&params, topo, NULL, settings, 4, NULL, &err), 0);
	CHECK_INT(net_open(&net, topo, &params, &err), 0);
	for (int again = 0; again < 2; again++) {
		begin(net, &seen, 1);
		for (int i = 0; i < 5; i++)
			net_send(net, &(struct net_message){.src = 1, .dst = 1, .bytes = 100});
		run(net);
		CHECK_INT(seen.ndelivered, 5);
		CHECK_INT(seen.injected_ps, 3 * 105000); /* the fifth is the third of its server */
		CHECK_INT(seen.delivered_ps, 3 * 105000 + 30000);
		CHECK_INT(net_totals(net, NET_MPI, 0).packets, 0);
		CHECK_INT(net_totals(net, NET_MPI, 0).bytes, 500);
	}
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

/*
 * Input buffers hold packets that wait: of three nodes at one router two send 1000 bytes each to
 * the third at one time, at 1 GB/s: 1 us. Node 0's packets leave at once, node 1's first has to
 * wait for 1 us, its second, which is there 1 us after the first, until 3 us after that: one waits
 * there all the time.
 */
static void test_stalls(void)
{
	struct topo *topo = machine("complete:nodes=3,per-router=3");
	struct sim_params params;
	struct net *net;
	struct seen seen;
	struct err err;

	CHECK_INT(sim_params_open(&params, topo, NULL, NULL, 0, NULL, &err), 0);
	CHECK_INT(net_open(&net, topo, &params, &err), 0);
	net_count_stalls(net);
	for (int again = 0; again < 2; again++) {
		begin(net, &seen, 1);
		for (int from = 0; from < 2; from++)
			for (int i = 0; i < 2 - from; i++)
				net_send(net, &(struct net_message){
						      .src = from, .dst = 2, .bytes = 1000});
		net_send(net, &(struct net_message){
				      .src = 1, .dst = 2, .bytes = 1000, .ready_ps = 100000});
		run(net);
		/* by turns: 0, 1, 0, 1 */
		CHECK_INT(net_channel(net, 0).stall_ps, 1000000);
		CHECK_INT(net_channel(net, 2).stall_ps, 3000000);
		for (int c = 1; c < 6; c += 2)
			CHECK_INT(net_channel(net, c).stall_ps, 0);
	}
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

/* Of random intervals, the union that stall.h adds up is that of marking each picosecond. */
static void test_stall_union(void)
{
	enum { N = 12, END = 200 };
	struct rng rng = rng_make(1, "stalls", NULL, NULL);

	for (int round = 0; round < 2000; round++) {
		int64_t from[N], decided[N], to[N];
		bool is_marked[END] = {0};
		struct stall stall = {0};

		for (int i = 0; i < N; i++) {
			from[i] = (int64_t)rng_below(&rng, 100);
			decided[i] = from[i] +
				     (int64_t)rng_below(&rng, 2) * (int64_t)rng_below(&rng, 40);
			to[i] = decided[i] + (int64_t)rng_below(&rng, 30);
			for (int64_t t = from[i]; t < to[i]; t++)
				is_marked[t] = true;
		}
		for (int64_t t = 0; t < END; t++) {
			int64_t n = 0;

			for (int i = 0; i < N; i++)
				if (from[i] == t)
					stall_begin(&stall, t);
			for (int i = 0; i < N; i++)
				if (decided[i] == t)
					stall_end(&stall, t, to[i]);
			for (int64_t k = 0; k < t; k++)
				n += is_marked[k];
			CHECK_INT(stall_total(&stall, t), n);
		}
	}
}

/* Packets that cannot move are named, and the next run is as if they had not been. */
static void test_stuck(void)
{
	struct topo *topo = machine("line:nodes=3");
	struct sim_params params;
	struct routing *routing;
	struct net *net;
	struct seen seen;
	struct err err;
	int_vec path = {0};
	uint64_t digest;

	CHECK_INT(sim_params_open(&params, topo, NULL, NULL, 0, NULL, &err), 0);
	CHECK_INT(net_open(&net, topo, &params, &err), 0);
	CHECK_INT(routing_open(&routing, topo, NULL, &err), 0);
	CHECK_INT(route_path(routing, 0, 2, &path), 4);
	digest = loaded(net, 100, 1);
	net_count_stalls(net);
	begin(net, &seen, 1);
	port_of(net, path.at[1])->credit[0] =
		0; /* somebody took the buffer and gives nothing back */
	for (int i = 0; i < 3; i++)
		net_send(net, &(struct net_message){
				      .src = 0, .dst = 2, .bytes = 10, .ready_ps = i * 1000000});
	CHECK_INT(net_run(net, INT64_MAX, &err), -1);
	CHECK_TEXT(err.msg, "deadlock: 3 packets cannot move; the oldest, from n0 to n2 since 0 s, "
			    "waits at router r0 for buffer space on virtual channel 0 of the link "
			    "to r1");
	/* the first one came after 100 ns and its bytes, and 50 ns in the router */
	CHECK_INT(net_channel(net, path.at[0]).stall_ps, net_now(net) - 150000);
	CHECK_INT(net_channel(net, path.at[1]).stall_ps, 0);
	CHECK(loaded(net, 100, 1) == digest);
	vec_free(&path);
	routing_close(routing);
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

int main(void)
{
	static const char *const tight[] = {"input-buffer=1024", "global-bandwidth=3GB/s"};
	static const char *const buffered[] = {"output-buffer=3000", "crossbar=1.5",
					       "input-buffer=2000", "global-bandwidth=300MB/s"};
	static const char *const roomy[] = {"input-buffer=16KiB", "credit-delay=7ns",
					    "router-delay=11ns"};

	for (int i = 0; i < NSPECS; i++)
		for (int k = 0; k < NVARIANTS + routings.n; k++) {
			const char *name = routing_at(k);
			bool is_dragonfly = strncmp(specs[i], "dragonfly", 9) == 0;

			/* of these the way is not the static one */
			if (is_fixed(name)) {
				test_zero_load(specs[i], name, "default", "router-delay=50ns");
				if (is_dragonfly)
					test_zero_load(specs[i], name, "default",
						       "global-bandwidth=250MB/s");
				test_zero_load(specs[i], name, "codes", "vcs=0");
				test_zero_load(specs[i], name, "booksim", "vcs=0");
			}
			test_load(specs[i], name, tight, is_dragonfly ? 2 : 1);
			test_load(specs[i], name, roomy, 3);
			test_load(specs[i], name, buffered, is_dragonfly ? 4 : 3);
		}
	test_dragonfly_loads();
	test_torus_loads();
	test_fattree_loads();
	test_copies();
	test_stalls();
	test_stall_union();
	test_stuck();
	return check_done();
}
