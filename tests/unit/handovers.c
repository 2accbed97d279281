/* handovers.c - messages that are handed over later, without an event, beside timers that send
 * them: the same messages at the same times in the same order */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "sim/network/net_priv.h"

enum { MOST = 6000, FIRST = 40 };

struct world {
	struct net *net;
	bool hands_over;
	int n, ncome;
	int32_t src[MOST], dst[MOST];
	uint64_t digest; /* of what came when, in its order */
};

static void send(struct world *world, int id)
{
	static const int64_t bytes[] = {16, 16, 16, 4096, 9000};
	uint64_t draw = u64_mix((uint64_t)id * 7 + 1);

	CHECK(world->dst[id] != world->src[id]);
	net_send(world->net, &(struct net_message){.src = world->src[id],
						   .dst = world->dst[id],
						   .bytes = bytes[draw % 5],
						   .queue = draw >> 8 & 1,
						   .skips_injected = draw >> 9 & 1,
						   .cookie = net_cookie(NET_MPI, (uint64_t)id)});
}

/* Delays are few, so that much falls on one time: with the hand-over, its NIC's turn and other
 * timers. */
static void later(struct world *world, int32_t node)
{
	static const int64_t delays[] = {1, 3000, 50000, 100000, 103000, 206000, 400000};
	int nnodes = world->net->plan.topo->nnodes, id = world->n++;
	uint64_t draw = u64_mix((uint64_t)id * 11 + 3), cookie = net_cookie(NET_MPI, (uint64_t)id);
	int64_t at = net_now(world->net) + delays[(draw >> 16) % 7];

	world->src[id] = node;
	world->dst[id] =
		(int32_t)(((uint64_t)node + 1 + draw % (uint64_t)(nnodes - 1)) % (uint64_t)nnodes);
	switch ((draw >> 32) % 4) {
	case 0:
		send(world, id);
		break;
	case 1:
		net_timer(world->net, node, at, cookie);
		break;
	default:
		if (world->hands_over)
			net_handover(world->net, node, at, cookie);
		else
			net_timer(world->net, node, at, cookie);
	}
}

static void timer(void *context, uint64_t cookie)
{
	send(context, (int)cookie);
}

static void come(void *context, uint64_t cookie)
{
	struct world *world = context;

	world->ncome++;
	world->digest = u64_mix(world->digest ^ cookie ^ (uint64_t)net_now(world->net) << 16);
	for (int i = 0; i < 1 + (int)(cookie % 2) && world->n < MOST; i++)
		later(world, world->dst[cookie]);
}

static void injected(void *context, uint64_t cookie)
{
	struct world *world = context;

	world->digest = u64_mix(world->digest ^ ~cookie ^ (uint64_t)net_now(world->net) << 16);
}

/* stops_ps: it is stopped there, and goes on. */
static struct world *simulate(struct net *net, bool hands_over, int64_t stops_ps)
{
	struct world *world = xcalloc(1, sizeof(*world));
	const struct net_events events = {
		.delivered = come, .injected = injected, .timer = timer, .context = world};
	struct err err;

	world->net = net;
	world->hands_over = hands_over;
	net_start(net, 1, "", 1);
	net_listen(net, NET_MPI, &events);
	for (int i = 0; i < FIRST; i++)
		later(world, i % net->plan.topo->nnodes);
	if (stops_ps > 0)
		CHECK_INT(net_run(net, stops_ps, &err), 1);
	CHECK_INT(net_run(net, INT64_MAX, &err), 0);
	CHECK_INT(world->ncome, MOST);
	return world;
}

static void compare(const char *spec, const char *routing, const char *select, bool chooses_late)
{
	static const char *const settings[] = {"nic-send=3ns", "message-gap=100ns",
					       "injection=queues"};
	struct topo *topo = machine(spec);
	struct sim_params params;
	struct world *slow, *fast, *stopped;
	int64_t nslow;
	struct net *net;
	struct err err;

	topo->nics.planes = 2;
	topo->nics.injection_queues = 2;
	topo->nics.select = (char *)select;
	if (sim_params_open(&params, topo, NULL, settings, 3, routing, &err) != 0 ||
	    net_open(&net, topo, &params, &err) != 0) {
		CHECK_TEXT(err.msg, "");
		exit(1);
	}
	slow = simulate(net, false, 0);
	nslow = net_nevents(net);
	fast = simulate(net, true, 0);
	CHECK(fast->digest == slow->digest);
	CHECK(chooses_late ? net_nevents(net) < nslow : net_nevents(net) == nslow);
	stopped = simulate(net, true, net_now(net) / 3);
	CHECK(stopped->digest == slow->digest);
	free(slow);
	free(fast);
	free(stopped);
	topo->nics.select = NULL;
	net_close(net);
	sim_params_close(&params);
	topo_free(topo);
}

int main(void)
{
	compare("fattree:down=4x4,up=1x2", "minimal:ties=adaptive", "adaptive", true);
	compare("dragonfly:groups=3,routers=2,nodes=3", "minimal", "adaptive", true);
	compare("fattree:down=4x4,up=1x2", "minimal", "round-robin", false);
	return check_done();
}
