/* forward_tree.c - fat trees where a packet may climb by any link: at random, or the emptiest */
#include <stdlib.h>

#include "machine/route/walk.h"
#include "machine/kind/pgft.h"
#include "base/mem.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"

/*
 * Every parent of a switch has the same nodes below it, so any link upwards is as good until the
 * destination is below; from there D-mod-k leads down. Up first, then down: one virtual channel.
 */
struct tree_ways {
	bool is_adaptive;  /* else at random */
	uint8_t *level;    /* [nrouters] */
	int32_t *subtree;  /* [nrouters] among those of its level */
	int64_t *first_up; /* [nrouters] among graph->channel; the last ones lead up */
	int leaves_below[PGFT_LEVELS + 1]; /* of a subtree of each level */
};

static bool fits(const struct routing *routing)
{
	const struct pgft *tree = topo_as_tree(routing->topo);
	enum route_ties ties = routing_ties(routing);

	return tree != NULL && routing->type->detour == DETOUR_NONE &&
	       (routing->type->minimal == MINIMAL_SHORTEST ||
		routing->type->minimal == MINIMAL_UP_DOWN) &&
	       (ties == TIES_RANDOM || ties == TIES_ADAPTIVE) && tree->w[1] * tree->p[1] == 1;
}

static int open_tree(struct net *net, struct err *err)
{
	const struct topo *topo = net->plan.topo;
	const struct topo_graph *graph = net->plan.graph;
	const struct pgft *tree = topo_as_tree(topo);
	struct tree_ways *ways = xcalloc(1, sizeof(*ways));
	size_t n = (size_t)topo->nrouters;

	(void)err;
	net->forward.state = ways;
	ways->is_adaptive = routing_ties(net->forward.routing) == TIES_ADAPTIVE;
	ways->level = xmalloc(n);
	ways->subtree = xmalloc(n * sizeof(*ways->subtree));
	ways->first_up = xmalloc(n * sizeof(*ways->first_up));
	for (int l = 1; l <= tree->nlevels; l++) {
		ways->leaves_below[l] = tree->nodes_below[l] / tree->nodes_below[1];
		for (int r = tree->first[l]; r < tree->first[l + 1]; r++) {
			int64_t i = graph->first[topo->nnodes + r];

			while (i < graph->first[topo->nnodes + r + 1] &&
			       graph->peer[i] < topo->nnodes + r)
				i++;
			ways->level[r] = (uint8_t)l;
			ways->subtree[r] = (r - tree->first[l]) / tree->tops[l];
			ways->first_up[r] = i;
		}
	}
	net->forward.nvcs = 1;
	return 0;
}

static void close_tree(struct forward *forward)
{
	struct tree_ways *ways = forward->state;

	if (ways == NULL)
		return;
	free(ways->level);
	free(ways->subtree);
	free(ways->first_up);
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

	packet->router = net->plan.topo->router_of[message->dst];
	packet->detour = net_packet_key(net, up, port_of(net, up)->npackets);
	packet->rest = message->dst;
}

/* One of the links upwards: any, or of those with the least waiting the first from a random
 * one on. */
static int32_t climb(struct net *net, const struct tree_ways *ways, int router,
		     const struct packet *packet)
{
	const struct topo_graph *graph = net->plan.graph;
	int64_t first = ways->first_up[router];
	int n = (int)(graph->first[net->plan.topo->nnodes + router + 1] - first);
	int at = (int)net_draw(net, packet->detour, packet->nhops, (uint32_t)n);
	int32_t best = graph->channel[first + at];
	int64_t least = ways->is_adaptive ? net_waiting(net, best) : 0;

	for (int k = 1; k < n && least > 0; k++) {
		int32_t channel;
		int64_t load;

		at = at + 1 < n ? at + 1 : 0;
		channel = graph->channel[first + at];
		load = net_waiting(net, channel);
		if (load < least) {
			least = load;
			best = channel;
		}
	}
	return best;
}

static int32_t onward(struct net *net, int router, const struct packet *packet)
{
	const struct tree_ways *ways = net->forward.state;
	const struct topo *topo = net->plan.topo;
	int cable, ncables, below;
	int64_t first;

	if (router == packet->router)
		return packet->out;
	if (ways->subtree[packet->router] / ways->leaves_below[ways->level[router]] !=
	    ways->subtree[router])
		return NOBODY; /* any of those upwards */
	below = topo->type->next(topo, router, packet->router, packet->rest, &cable);
	first = walk_cables(net->plan.graph, topo->nnodes + router, topo->nnodes + below, &ncables);
	return net->plan.graph->channel[first + cable];
}

static int32_t next(struct net *net, int router, struct packet *packet, int *vc)
{
	*vc = 0;
	return packet->onward != NOBODY ? packet->onward
					: climb(net, net->forward.state, router, packet);
}

static void run(struct net *net)
{
	hop_run(net, HOP_PLAIN, next, begin, onward);
}

static void run_mixed(struct net *net)
{
	hop_run(net, HOP_MIXED, next, begin, onward);
}

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
	.hops = {run, send},
	.mixed_hops = {run_mixed, net_send_any},
};
