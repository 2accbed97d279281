/* forward_tree.c - fat trees: a packet climbs by D-mod-k, by its flow, at random, or by the
 * least-loaded link */
#include <stdlib.h>

#include "base/mem.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"
#include "sim/network/least_loaded.h"
#include "sim/network/tree_links.h"

/*
 * Every parent of a switch has the same nodes below it, so any link upwards is as good until the
 * destination is below; from there D-mod-k leads down. Up first, then down: one virtual channel.
 */
struct tree_ways {
	struct tie_draws draws;
	bool is_drawn; /* else D-mod-k */
	struct tree_links *links;
};

static bool fits(const struct routing *routing)
{
	enum route_minimal minimal = routing->type->minimal;

	if (!tree_links_fit(routing->topo) || routing->type->detour != DETOUR_NONE)
		return false;
	if (routing_ties_are_drawn(routing))
		return minimal == MINIMAL_SHORTEST || minimal == MINIMAL_UP_DOWN;
	return minimal == MINIMAL_SHORTEST && !routing->type->is_by_pair;
}

static int open_tree(struct net *net, struct err *err)
{
	struct tree_ways *ways = xcalloc(1, sizeof(*ways));

	(void)err;
	net->forward.state = ways;
	ways->draws = tie_draws_of(net->forward.routing);
	ways->is_drawn = routing_ties_are_drawn(net->forward.routing);
	ways->links = tree_links_new(net->plan.topo);
	net->forward.nvcs = 1;
	return 0;
}

static void close_tree(struct forward *forward)
{
	struct tree_ways *ways = forward->state;

	if (ways == NULL)
		return;
	tree_links_free(ways->links);
	free(ways);
}

static int ends(struct net *net, int a, int b, int32_t *up, int32_t *out)
{
	(void)net;
	*up = 2 * a; /* the link of node i is link i */
	*out = 2 * b + 1;
	return 0;
}

static void begin(struct net *net, int32_t up, struct packet *packet)
{
	const struct message *message = &net->messages.at[packet->message];

	const struct tree_ways *ways = net->forward.state;

	packet->router = net_router_of(net, message->dst);
	packet->rest = message->dst;
	if (ways->is_drawn)
		packet->detour = net_tie_key(net, &ways->draws, up, packet);
}

/* One of the links upwards: any, the flow's, or of those with the least waiting the first from a
 * random one on. */
static int32_t climb(struct net *net, const struct tree_ways *ways, int router,
		     const struct packet *packet)
{
	const struct tree_switch *from = &ways->links->at[router];
	const int32_t *channels = net->plan.graph->channel + from->first_up;
	int at = (int)net_draw(net, packet->detour, packet->nhops, (uint32_t)from->nup);

	return ways->draws.ties == TIES_ADAPTIVE ? least_of(net, channels, from->nup, at)
						 : channels[at];
}

static int32_t onward(struct net *net, int router, const struct packet *packet)
{
	const struct tree_ways *ways = net->forward.state;

	if (router == packet->router)
		return packet->out;
	if (ways->is_drawn && !tree_is_above(ways->links, &ways->links->at[router], packet->router))
		return NOBODY; /* any of those upwards */
	return tree_towards(ways->links, router, packet->router, packet->rest);
}

static int32_t next(struct net *net, int router, struct packet *packet, int *vc)
{
	*vc = 0;
	return packet->onward != NOBODY ? packet->onward
					: climb(net, net->forward.state, router, packet);
}

HOP_RUNS(run, HOP_PLAIN, next, begin, onward, NULL, NULL)

HOP_RUNS(run_mixed, HOP_MIXED, next, begin, onward, NULL, NULL)

static int64_t send(struct net *net, const struct net_message *message)
{
	return hop_inject(net, message, HOP_PLAIN, ends, begin, onward);
}

const struct forward_type forward_tree = {
	.name = "tree",
	.fits = fits,
	.open = open_tree,
	.close = close_tree,
	.ends = ends,
	.begin = begin,
	.onward = onward,
	.next = next,
	.hops = {{run_small, run_large, run_far}, send},
	.mixed_hops = {{run_mixed_small, run_mixed_large, run_mixed_far}, net_send_any},
};
