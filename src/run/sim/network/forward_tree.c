/* forward_tree.c - fat trees: a packet climbs by D-mod-k, at random, or by the least-loaded link */
#include <stdlib.h>

#include "base/mem.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"
#include "sim/network/tree_links.h"

/*
 * Every parent of a switch has the same nodes below it, so any link upwards is as good until the
 * destination is below; from there D-mod-k leads down. Up first, then down: one virtual channel.
 */
struct tree_ways {
	enum { CLIMB_DMODK, CLIMB_RANDOM, CLIMB_LEAST } climb;
	struct tree_links *links;
};

static bool fits(const struct routing *routing)
{
	enum route_ties ties = routing_ties(routing);
	enum route_minimal minimal = routing->type->minimal;

	if (!tree_links_fit(routing->topo) || routing->type->detour != DETOUR_NONE)
		return false;
	if (ties == TIES_RANDOM || ties == TIES_ADAPTIVE)
		return minimal == MINIMAL_SHORTEST || minimal == MINIMAL_UP_DOWN;
	return minimal == MINIMAL_SHORTEST && !routing->type->is_by_pair;
}

static int open_tree(struct net *net, struct err *err)
{
	enum route_ties ties = routing_ties(net->forward.routing);
	struct tree_ways *ways = xcalloc(1, sizeof(*ways));

	(void)err;
	net->forward.state = ways;
	ways->climb = ties == TIES_ADAPTIVE ? CLIMB_LEAST
		      : ties == TIES_RANDOM ? CLIMB_RANDOM
					    : CLIMB_DMODK;
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
	if (ways->climb != CLIMB_DMODK)
		packet->detour = net_packet_key(net, up, port_of(net, up)->npackets);
}

/* Of the links upwards that with the least waiting; of several the first from number at on. */
static int32_t least_loaded(struct net *net, const int32_t *channels, int n, int at)
{
	int32_t best = channels[at];
	int64_t least = net_waiting(net, best);

	for (int k = 1; k < n && least > 0; k++) {
		int64_t load;

		at = at + 1 < n ? at + 1 : 0;
		load = net_waiting(net, channels[at]);
		if (load < least) {
			least = load;
			best = channels[at];
		}
	}
	return best;
}

/* The same without output buffers. On a loaded machine nothing can be foreseen here but that most
 * are looked at: so all are, and no branch depends on them. */
static int32_t least_backlog(const struct net *net, const int32_t *channels, int n, int at)
{
	int32_t base = net->copies.base, best = channels[at];
	int64_t least = port_backlog(net, port_of(net, base + best));

	if (least == 0)
		return best;
	for (int k = 1; k < n; k++) {
		int64_t load;
		bool is_less;

		at = at + 1 < n ? at + 1 : 0;
		load = port_backlog(net, port_of(net, base + channels[at]));
		is_less = load < least;
		best = is_less ? channels[at] : best;
		least = is_less ? load : least;
	}
	return best;
}

/* One of the links upwards: any, or of those with the least waiting the first from a random
 * one on. */
static int32_t climb(struct net *net, const struct tree_ways *ways, int router,
		     const struct packet *packet)
{
	const struct tree_switch *from = &ways->links->at[router];
	const int32_t *channels = net->plan.graph->channel + from->first_up;
	int at = (int)net_draw(net, packet->detour, packet->nhops, (uint32_t)from->nup);

	if (ways->climb == CLIMB_RANDOM)
		return channels[at];
	return net->ports.inputs != NULL ? least_loaded(net, channels, from->nup, at)
					 : least_backlog(net, channels, from->nup, at);
}

static int32_t onward(struct net *net, int router, const struct packet *packet)
{
	const struct tree_ways *ways = net->forward.state;

	if (router == packet->router)
		return packet->out;
	if (ways->climb != CLIMB_DMODK &&
	    !tree_is_above(ways->links, &ways->links->at[router], packet->router))
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
