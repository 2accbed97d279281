/* forward_table.c - shortest paths hop by hop: by next-hop tables, or by the machine's closed form
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "machine/route/walk.h"
#include "sim/network/circle.h"
#include "sim/network/hop.h"

/*
 * Machines with a closed form are asked for it at each hop. For the others there is a table: for a
 * router and a destination router: which set of equally good channels leads there, and how
 * many links it is. A router has few different sets, however many destinations there are. Packets
 * take the channels that route_path() takes: of n the one of number rest % n, and rest is divided
 * by n at each router; it begins with the destination's node.
 *
 * packet->detour is the node that the packet goes by, whose number picks the channels on the first
 * leg, or NOBODY; packet->phase counts the routers of the leg, which is the virtual channel where
 * one does not do.
 */
struct channel_set {
	int32_t first, n; /* of channels */
};

struct tables {
	struct detours detours;
	bool is_closed; /* by the closed form: there are no tables */
	bool is_spread; /* else the first of a set */
	bool is_by_hop; /* a virtual channel for each hop of a leg */
	int nlegs_vcs, nrouters;
	uint16_t *set_of;   /* [router · nrouters + to] number among the sets of the router */
	uint8_t *hops_of;   /* [the same] NO_WAY: none */
	int32_t *first_set; /* [nrouters] */
	VEC(struct channel_set) sets;
	int_vec channels;
};
enum { NO_WAY = 255, SETS_MOST = UINT16_MAX };
/* Of the tables; on larger machines paths are found one by one (forward_paths.c). */
#define TABLE_BYTES ((int64_t)1 << 28)

static bool has_closed_form(const struct topo *topo)
{
	return topo->type->distance != NULL && topo->type->next != NULL;
}

/* Rings take virtual channels by datelines, which forward_paths.c knows. */
static bool has_rings(const struct topo *topo)
{
	const int *sizes;
	bool is_ring = false;

	if (topo->type->dims != NULL)
		topo->type->dims(topo, &sizes, &is_ring);
	return is_ring;
}

static bool fits(const struct routing *routing)
{
	const struct routing *minimal = routing_legs(routing);
	struct topo *topo = routing->topo;
	const struct topo_graph *graph = topo_graph(topo);
	int64_t nrouters = topo->nrouters;

	if (minimal->type->minimal != MINIMAL_SHORTEST || minimal->type->is_by_pair ||
	    (has_closed_form(topo) && has_rings(topo)) || routing_ties(routing) == TIES_RANDOM ||
	    routing_ties(routing) == TIES_ADAPTIVE ||
	    (routing->type->detour != DETOUR_NONE && routing->type->detour != DETOUR_ALWAYS &&
	     routing->type->detour != DETOUR_UGAL) ||
	    (!has_closed_form(topo) &&
	     nrouters * nrouters * (int64_t)(sizeof(uint16_t) + 1) > TABLE_BYTES))
		return false;
	for (int node = 0; node < topo->nnodes; node++)
		if (graph->first[node + 1] - graph->first[node] != 1)
			return false; /* cables are chosen by pair */
	return true;
}

/* ---- opening ---- */

/* Links from every router to router `to`: into hops [nrouters], NO_WAY: there is no way. -1: more
 * than a byte holds. queue [nrouters] */
static int find_hops(const struct topo *topo, int to, uint8_t *hops, int *queue)
{
	const struct topo_graph *graph = topo->graph;
	int nqueued = 0;

	memset(hops, NO_WAY, (size_t)topo->nrouters);
	hops[to] = 0;
	queue[nqueued++] = to;
	for (int done = 0; done < nqueued; done++) {
		int vertex = topo->nnodes + queue[done];

		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || hops[peer] != NO_WAY)
				continue;
			if (hops[queue[done]] + 1 == NO_WAY)
				return -1;
			hops[peer] = (uint8_t)(hops[queue[done]] + 1);
			queue[nqueued++] = peer;
		}
	}
	return 0;
}

/* The channels of a router that lead nearer: into found. */
static void find_channels(const struct topo *topo, int router, const uint8_t *hops, int_vec *found)
{
	const struct topo_graph *graph = topo->graph;
	int vertex = topo->nnodes + router;

	found->n = 0;
	for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
		int peer = graph->peer[i] - topo->nnodes;

		if (peer >= 0 && hops[peer] == hops[router] - 1)
			vec_push(found, graph->channel[i]);
	}
}

/* The number of a set of the router, which is kept if it is new; -1: there are too many. */
static int keep_set(struct tables *tables, int_vec *of_router, const int_vec *found)
{
	struct channel_set set = {(int32_t)tables->channels.n, (int32_t)found->n};

	for (size_t k = 0; k < of_router->n; k++) {
		const struct channel_set *kept = &tables->sets.at[of_router->at[k]];

		if (kept->n == set.n && memcmp(tables->channels.at + kept->first, found->at,
					       found->n * sizeof(*found->at)) == 0)
			return (int)k;
	}
	if (of_router->n == SETS_MOST)
		return -1;
	for (size_t i = 0; i < found->n; i++)
		vec_push(&tables->channels, found->at[i]);
	vec_push(of_router, (int)tables->sets.n);
	vec_push(&tables->sets, set);
	return (int)of_router->n - 1;
}

/* Sets router by router, so that those of one stand together. to_hops [to · nrouters + router] */
static int fill_sets(struct tables *tables, const struct topo *topo, const uint8_t *to_hops)
{
	size_t n = (size_t)tables->nrouters;
	int_vec of_router = {0}, found = {0};
	int status = 0;

	for (size_t router = 0; router < n && status == 0; router++) {
		of_router.n = 0;
		tables->first_set[router] = (int32_t)tables->sets.n;
		for (size_t to = 0; to < n && status == 0; to++) {
			uint8_t hops = to_hops[to * n + router];
			int set;

			tables->hops_of[router * n + to] = hops;
			if (hops == 0 || hops == NO_WAY)
				continue;
			find_channels(topo, (int)router, to_hops + to * n, &found);
			set = keep_set(tables, &of_router, &found);
			tables->set_of[router * n + to] = (uint16_t)set;
			status = set < 0 ? -1 : 0;
		}
	}
	vec_free(&of_router);
	vec_free(&found);
	return status;
}

static int fill(struct tables *tables, const struct topo *topo, int *longest, struct err *err)
{
	size_t n = (size_t)tables->nrouters;
	uint8_t *to_hops = xmalloc(n * n + 1);
	int *queue = xmalloc((n + 1) * sizeof(*queue));
	int status = 0;

	for (size_t to = 0; to < n && status == 0; to++)
		status = find_hops(topo, (int)to, to_hops + to * n, queue);
	if (status == 0)
		status = fill_sets(tables, topo, to_hops);
	*longest = 0;
	for (size_t i = 0; i < n * n && status == 0; i++)
		if (to_hops[i] != NO_WAY && to_hops[i] > *longest)
			*longest = to_hops[i];
	free(to_hops);
	free(queue);
	return status == 0 ? 0
			   : err_set(err,
				     "a path of more than %d links, or a router with more "
				     "than %d sets of equal ports, is more than netsim holds",
				     NO_WAY - 1, SETS_MOST);
}

/* Of the closed form, by trying every pair of routers, or of some where there are many. */
static int longest_way(const struct topo *topo)
{
	int64_t n = topo->nrouters, npairs = n * n, stride = npairs / 1000000 + 1;
	int longest = 0;

	for (int64_t pair = 0; pair < npairs; pair += stride) {
		int hops = topo->type->distance(topo, (int)(pair / n), (int)(pair % n));

		longest = hops > longest ? hops : longest;
	}
	return longest;
}

static int open_filled(struct net *net, struct tables *tables, int *longest, struct err *err)
{
	size_t n = (size_t)net->plan.topo->nrouters;

	tables->set_of = xcalloc(n * n + 1, sizeof(*tables->set_of));
	tables->hops_of = xcalloc(n * n + 1, sizeof(*tables->hops_of));
	tables->first_set = xcalloc(n + 1, sizeof(*tables->first_set));
	net->forward.table_bytes =
		(int64_t)(n * n * (sizeof(*tables->set_of) + sizeof(*tables->hops_of)));
	return fill(tables, net->plan.topo, longest, err);
}

static int open_tables(struct net *net, struct err *err)
{
	struct routing *routing = net->forward.routing;
	struct routing *minimal = routing->type->detour != DETOUR_NONE ? routing->minimal : routing;
	struct tables *tables = xcalloc(1, sizeof(*tables));
	const struct topo *topo = net->plan.topo;
	int longest = 0;

	net->forward.state = tables;
	detours_read(&tables->detours, routing);
	tables->is_spread = routing_ties(minimal) != TIES_LOWEST;
	tables->nrouters = topo->nrouters;
	tables->is_closed = has_closed_form(topo);
	if (!tables->is_closed && open_filled(net, tables, &longest, err) != 0)
		return -1;
	tables->is_by_hop = !topo->type->is_tree_like &&
			    (topo->type->dims == NULL || !tables->is_closed) &&
			    circle_is_possible(minimal);
	if (tables->is_closed && tables->is_by_hop)
		longest = longest_way(topo);
	tables->nlegs_vcs = tables->is_by_hop && longest > 1 ? longest : 1;
	if (tables->nlegs_vcs > VCS_MOST)
		return err_set(err,
			       "routing %s can deadlock on this machine with less than %d virtual "
			       "channels; %d is the most there can be: updown needs one",
			       minimal->type->entry.name, tables->nlegs_vcs, VCS_MOST);
	net->forward.nvcs = tables->nlegs_vcs * (tables->detours.kind == DETOUR_NONE ? 1 : 2);
	return 0;
}

static void close_tables(struct forward *forward)
{
	struct tables *tables = forward->state;

	if (tables == NULL)
		return;
	free(tables->set_of);
	free(tables->hops_of);
	free(tables->first_set);
	vec_free(&tables->sets);
	vec_free(&tables->channels);
	free(tables);
}

/* ---- packets ---- */

static inline size_t pair(const struct tables *tables, int router, int to)
{
	return (size_t)router * (size_t)tables->nrouters + (size_t)to;
}

/* Links between two routers; NO_WAY or more: there is no way, or none that counts. */
static inline int hops_between(const struct net *net, const struct tables *tables, int a, int b)
{
	int hops;

	if (!tables->is_closed)
		return tables->hops_of[pair(tables, a, b)];
	hops = net->plan.topo->type->distance(net->plan.topo, a, b);
	return hops < 0 ? NO_WAY : hops;
}

static inline const struct channel_set *set_towards(const struct tables *tables, int router, int to)
{
	return &tables->sets
			.at[tables->first_set[router] + tables->set_of[pair(tables, router, to)]];
}

/* The channel of a set for what is left of a node's number. */
static inline int32_t channel_of(const struct tables *tables, const struct channel_set *set,
				 int32_t rest)
{
	int32_t at = set->n == 1 || !tables->is_spread ? 0 : rest % set->n;

	return tables->channels.at[set->first + at];
}

static int ends(struct net *net, int a, int b, int32_t *up, int32_t *out)
{
	const struct tables *tables = net->forward.state;
	const struct topo_graph *graph = net->plan.graph;
	const int *router_of = net->plan.topo->router_of;

	*up = graph->channel[graph->first[a]];
	*out = graph->channel[graph->first[b]] ^ 1;
	if (tables->is_closed)
		return net->plan.topo->type->distance(net->plan.topo, router_of[a], router_of[b]) <
				       0
			       ? -1
			       : 0;
	return tables->hops_of[pair(tables, router_of[a], router_of[b])] == NO_WAY ? -1 : 0;
}

static void begin(struct net *net, int32_t up, struct packet *packet)
{
	const struct tables *tables = net->forward.state;
	const struct message *message = &net->messages.at[packet->message];

	packet->router = net->plan.topo->router_of[message->dst];
	packet->rest = message->dst;
	packet->detour = NOBODY;
	if (tables->detours.kind == DETOUR_NONE)
		return;
	packet->detour = net_packet_key(net, up, port_of(net, up)->npackets);
	packet->flags |= IS_UNDECIDED;
}

/* The first channel towards a router, for a node's number. */
static inline int32_t towards(const struct net *net, const struct tables *tables, int router,
			      int to, int32_t rest)
{
	const struct topo *topo = net->plan.topo;

	if (tables->is_closed) {
		int cable, n, peer = topo->type->next(topo, router, to, rest, &cable);
		int64_t first = walk_cables(net->plan.graph, topo->nnodes + router,
					    topo->nnodes + peer, &n);

		return net->plan.graph->channel[first + cable];
	}
	return channel_of(tables, set_towards(tables, router, to), rest);
}

/* A random node whose router is another than both ends', and that there is a way by. */
static int32_t draw_detour(struct net *net, const struct tables *tables, int router,
			   const struct packet *packet, int number)
{
	int32_t node =
		(int32_t)net_draw(net, packet->detour, number, (uint32_t)net->plan.topo->nnodes);
	int by = net->plan.topo->router_of[node];

	return by == router || by == packet->router ||
			       hops_between(net, tables, router, by) == NO_WAY ||
			       hops_between(net, tables, by, packet->router) == NO_WAY
		       ? NOBODY
		       : node;
}

/* Whether the packet, at its first router, takes a detour, and which. Returns its first channel. */
static int32_t decide(struct net *net, const struct tables *tables, int router,
		      struct packet *packet, int32_t direct)
{
	const struct detours *detours = &tables->detours;
	bool compares = detours->kind != DETOUR_ALWAYS;
	int64_t direct_load = compares ? detour_load(net, detours, direct) : 0;

	if (compares && direct_load == 0 && detours->bias >= 0)
		return direct;
	for (int i = 0; i < detours->ncandidates; i++) {
		int32_t node = draw_detour(net, tables, router, packet, i), channel;
		int by;

		if (node == NOBODY)
			continue;
		by = net->plan.topo->router_of[node];
		channel = towards(net, tables, router, by, node);
		if (compares &&
		    detour_is_minimal(detours, direct_load,
				      hops_between(net, tables, router, packet->router),
				      detour_load(net, detours, channel),
				      hops_between(net, tables, router, by) +
					      hops_between(net, tables, by, packet->router)))
			continue;
		packet->detour = packet->rest = node;
		packet->flags = (uint8_t)((packet->flags | IS_NONMINIMAL) & ~IS_UNDECIDED);
		return channel;
	}
	return direct;
}

/* Its node, from the last channel. */
static inline int32_t destination(const struct net *net, const struct packet *packet)
{
	return -1 - port_of(net, packet->out)->to;
}

static int32_t onward(struct net *net, int router, const struct packet *packet)
{
	const struct tables *tables = net->forward.state;
	bool has_detour = !(packet->flags & IS_UNDECIDED) && packet->detour != NOBODY;
	int by = has_detour ? net->plan.topo->router_of[packet->detour] : NOBODY;

	if (has_detour && by != router)
		return towards(net, tables, router, by, packet->rest);
	if (router == packet->router)
		return packet->out;
	return towards(net, tables, router, packet->router,
		       has_detour ? destination(net, packet) : packet->rest);
}

static int32_t next(struct net *net, int router, struct packet *packet, int *vc)
{
	const struct tables *tables = net->forward.state;
	int32_t channel = packet->onward;
	const struct channel_set *set;
	int to = packet->router;

	if (packet->flags & IS_UNDECIDED) { /* at the first router */
		if (router != to)
			channel = decide(net, tables, router, packet, channel);
		if (packet->flags & IS_UNDECIDED)
			packet->detour = NOBODY;
		packet->flags &= (uint8_t)~IS_UNDECIDED;
	}
	if (packet->detour != NOBODY) {
		to = net->plan.topo->router_of[packet->detour];
		if (to == router) { /* the second leg begins */
			to = packet->router;
			packet->detour = NOBODY;
			packet->rest = destination(net, packet);
			packet->phase = 0;
			packet->flags |= IS_SECOND_LEG;
		}
	}
	*vc = 0;
	if (to == router)
		return channel;
	if (!tables->is_closed) {
		set = set_towards(tables, router, to);
		if (set->n > 1)
			packet->rest /= set->n;
	}
	if (tables->is_by_hop)
		*vc = packet->phase++;
	if (packet->flags & IS_SECOND_LEG)
		*vc += tables->nlegs_vcs;
	return channel;
}

static void arrive(struct net *net, int32_t channel)
{
	hop_arrive(net, channel, HOP_PLAIN, next, onward);
}

const struct forward_type forward_table = {
	.name = "table",
	.fits = fits,
	.open = open_tables,
	.close = close_tables,
	.ends = ends,
	.begin = begin,
	.onward = onward,
	.next = next,
	.arrive = arrive,
};
