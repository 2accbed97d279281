/* net_copies.c - several NICs of a node and several planes: throughput, zero load, nothing lost, no
 * circles of waiting, the same again */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "routing_picks.h"
#include "machine/kind/type.h"
#include "machine/load.h"
#include "sim/network/net_priv.h"

struct machine {
	struct topo *topo;
	struct sim_params params;
	struct net *net;
	int64_t ncome;
	int64_t last_ps;
	uint64_t digest;
};

static void come(void *context, uint64_t cookie)
{
	struct machine *m = context;

	m->ncome++;
	m->last_ps = net_now(m->net);
	m->digest = m->digest * 0x100000001b3 + cookie * 31 + (uint64_t)net_now(m->net);
}

/* -1 with a message if the network can't have the routing. */
static int try_start(struct machine *m, const char *spec, int count, int planes, const char *select,
		     const char *routing, const char *const *settings, int n, struct err *err)
{
	*m = (struct machine){0};
	if (topo_load(&m->topo, spec, err) != 0)
		return -1;
	m->topo->nics.count = count;
	m->topo->nics.planes = planes;
	m->topo->nics.select = (char *)select;
	if (sim_params_open(&m->params, m->topo, NULL, settings, n, routing, err) == 0) {
		if (net_open(&m->net, m->topo, &m->params, err) == 0)
			return 0;
		sim_params_close(&m->params);
	}
	m->topo->nics.select = NULL;
	topo_free(m->topo);
	return -1;
}

static void start(struct machine *m, const char *spec, int count, int planes, const char *select,
		  const char *routing)
{
	struct err err;

	if (try_start(m, spec, count, planes, select, routing, NULL, 0, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
}

static void stop(struct machine *m)
{
	m->topo->nics.select = NULL;
	net_close(m->net);
	sim_params_close(&m->params);
	topo_free(m->topo);
}

static void begin(struct machine *m)
{
	const struct net_events events = {.delivered = come, .context = m};

	m->ncome = 0;
	m->digest = 0;
	net_start(m->net, 1, "", 1);
	net_listen(m->net, NET_MPI, &events);
}

static void run(struct machine *m)
{
	struct err err;

	if (net_run(m->net, INT64_MAX, &err) != 0)
		CHECK_TEXT(err.msg, "");
}

/* When n messages of each node of the first half to its partner in the other have come. */
static int64_t stream(const char *spec, int count, int planes, const char *select, int n)
{
	struct machine m;
	int half;
	int64_t last;

	start(&m, spec, count, planes, select, "minimal");
	half = m.topo->nnodes / 2;
	begin(&m);
	for (int i = 0; i < n; i++)
		for (int node = 0; node < half; node++)
			net_send(m.net, &(struct net_message){.src = node,
							      .dst = node + half,
							      .bytes = 5000,
							      .rank = i});
	run(&m);
	CHECK_INT(m.ncome, (int64_t)n * half);
	last = m.last_ps;
	stop(&m);
	return last;
}

/* k NICs take k times as many messages in the same time, exactly: at one router, where only the
 * nodes' own links count, and on planes, which are whole networks. */
static void test_throughput(void)
{
	static const char *const rules[] = {"round-robin", "rank", "adaptive", NULL};
	static const char *const planes[] = {"complete:nodes=4,per-router=2", "torus:dims=4x4",
					     "dragonfly:groups=5,routers=4,nodes=2",
					     "fattree:k=3,levels=3"};

	for (size_t r = 0; r < sizeof(rules) / sizeof(*rules); r++) {
		int64_t one = stream("complete:nodes=4,per-router=4", 0, 0, NULL, 100);

		CHECK_INT(stream("complete:nodes=4,per-router=4", 2, 1, rules[r], 200), one);
		CHECK_INT(stream("complete:nodes=4,per-router=4", 3, 0, rules[r], 300), one);
		CHECK_INT(stream("complete:nodes=4,per-router=4", 2, 2, rules[r], 400), one);
		for (size_t i = 0; i < sizeof(planes) / sizeof(*planes); i++)
			CHECK_INT(stream(planes[i], 1, 2, rules[r], 60),
				  stream(planes[i], 1, 1, rules[r], 30));
	}
	/* one pair of nodes keeps to one NIC */
	CHECK_INT(stream("complete:nodes=4,per-router=4", 2, 1, "destination", 100),
		  stream("complete:nodes=4,per-router=4", 0, 0, NULL, 100));
}

/* A message that has the network for itself takes as long whichever NIC it goes by. */
static void test_zero_load(void)
{
	struct machine one, many;

	start(&one, "dragonfly:groups=5,routers=4,nodes=2", 1, 1, NULL, "ugal");
	start(&many, "dragonfly:groups=5,routers=4,nodes=2", 2, 3, "rank", "ugal");
	CHECK_INT(net_nnics(many.net), 6);
	for (int dst = 1; dst < one.topo->nnodes; dst++) {
		struct net_message message = {.src = 0, .dst = dst, .bytes = 1000};

		begin(&one);
		net_send(one.net, &message);
		run(&one);
		for (int nic = 0; nic < 6; nic++) {
			int64_t nbytes = 0;

			message.rank = nic;
			begin(&many);
			net_send(many.net, &message);
			run(&many);
			CHECK_INT(many.last_ps, one.last_ps);
			for (int64_t c = 0; c < net_nchannels(many.net); c++) {
				struct net_copy copy = net_copy(many.net, c);

				if (net_channel(many.net, c).bytes == 0)
					continue;
				CHECK_INT(copy.plane, nic % 3);
				CHECK(copy.nic < 0 || copy.nic == nic);
				nbytes += net_channel(many.net, c).bytes;
			}
			CHECK_INT(nbytes,
				  1000 * (net_totals(many.net, NET_MPI, 0).packet_hops + 1));
		}
	}
	stop(&one);
	stop(&many);
}

/* Buffers that are nearly too small: all comes, the counters of all copies together are what went,
 * and the second run is as the first, as are one by the functions for any network, and one by
 * those for large ones. Returns whether the network can have the routing. */
static bool test_load(const char *spec, const char *routing, const char *select)
{
	static const char *const tight[] = {"input-buffer=1024"};
	struct machine m;
	struct err err;
	uint64_t first = 0;

	if (try_start(&m, spec, 2, 2, select, routing, tight, 1, &err) != 0) {
		CHECK(err.msg[0] != '\0');
		return false;
	}
	for (int again = 0; again < 4; again++) {
		struct rng rng = rng_make(1, "test", NULL, NULL);
		int64_t out = 0, in = 0, sum = 0;

		m.net->run.is_general = again == 2;
		m.net->run.least_reach = again == 3 ? NET_FAR : NET_SMALL;
		begin(&m);
		CHECK((m.net->run.hops == &net_any_hops) ==
		      (again == 2 || m.net->published != NULL));
		for (int i = 0; i < 2000; i++) {
			int src = (int)rng_below(&rng, (uint64_t)m.topo->nnodes);
			int dst = (int)rng_below(&rng, (uint64_t)m.topo->nnodes);

			net_send(m.net,
				 &(struct net_message){.src = src,
						       .dst = dst,
						       .bytes = 1 + (int64_t)rng_below(&rng, 3000),
						       .rank = i,
						       .cookie = (uint64_t)i});
		}
		run(&m);
		CHECK_INT(m.ncome, 2000);
		for (int node = 0; node < m.topo->nnodes; node++) {
			int64_t node_out, node_in;

			net_nic(m.net, node, &node_out, &node_in);
			out += node_out;
			in += node_in;
		}
		for (int64_t c = 0; c < net_nchannels(m.net); c++) {
			struct net_copy copy = net_copy(m.net, c);

			sum += copy.nic >= 0 ? net_channel(m.net, c).bytes : 0;
			CHECK_INT(net_copy_original(m.net, (int32_t)c), copy.channel);
			CHECK_INT(net_copy_of(m.net, copy.channel,
					      copy.nic >= 0 ? copy.nic : copy.plane),
				  c);
		}
		CHECK_INT(out, in);
		CHECK_INT(sum, out + in);
		CHECK(again == 0 || m.digest == first);
		first = m.digest;
	}
	stop(&m);
	return true;
}

/* Every topology and every routing by its example, and these variants. */
static const char *const specs[] = {
	"complete:nodes=6,per-router=2",
	"dragonfly:groups=3,routers=3x2,nodes=1,links=3",
	"fattree:down=3x4,up=2x2,cables=2x1",
};
enum { NSPECS = sizeof(specs) / sizeof(*specs) };

static const char *const variants[] = {
	"minimal:ties=random",
	"minimal:ties=adaptive",
	"ugal:queue=credits",
};
enum { NVARIANTS = sizeof(variants) / sizeof(*variants) };

/* NULL: a published machine, too large for so many runs. */
static const char *spec_at(int i)
{
	const struct entry *entry;

	if (i < NSPECS)
		return specs[i];
	entry = topo_types.entries[i - NSPECS];
	return strchr(entry->example, ':') != NULL ? entry->example : NULL;
}

static const char *routing_at(int k)
{
	return routing_pick(variants, NVARIANTS, k);
}

/* None of these machines has tables. */
static bool follows_tables(const struct entry *entry)
{
	return ((const struct routing_type *)entry)->minimal == MINIMAL_TABLE;
}

/* Returns the number of routings that the network can have; counts in used [routings]. */
static int test_routings(int i, int *used)
{
	static const char *const rules[] = {"round-robin", "rank", "destination", "adaptive"};
	int n = 0;

	for (int k = 0; k < NVARIANTS + routings.n; k++)
		if (test_load(spec_at(i), routing_at(k), rules[(i + k) % 4])) {
			used[k]++;
			n++;
		}
	return n;
}

int main(void)
{
	int used[100] = {0};

	test_throughput();
	test_zero_load();
	CHECK(NVARIANTS + routings.n <= 100);
	for (int i = 0; i < NSPECS + topo_types.n; i++)
		CHECK(spec_at(i) == NULL || test_routings(i, used) >= 4);
	for (int k = NVARIANTS; k < NVARIANTS + routings.n; k++)
		CHECK(used[k] > 0 || follows_tables(routings.entries[k - NVARIANTS]));
	return check_done();
}
