/* forward_table.c - shortest paths hop by hop: by next-hop tables, or by the machine's
 * closed form */
#include <stdlib.h>

#include "machine/vc/circle.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"
#include "sim/network/least_loaded.h"
#include "sim/network/port_use.h"
#include "sim/network/table_ways.h"

/* Of the tables; on larger machines paths are found one by one (forward_paths.c). */
#define TABLE_BYTES ((int64_t)1 << 28)

static bool has_closed_form(const struct topo *topo)
{
	return topo->type->distance != NULL && topo->type->next != NULL;
}

/* Where ties are drawn the closed form is not asked: it says one path only. */
static bool is_closed(const struct routing *routing)
{
	return has_closed_form(routing->topo) && !routing_ties_are_drawn(routing);
}

static bool needs_domains(enum route_detour detour)
{
	return detour == DETOUR_PAR || detour == DETOUR_LOCAL;
}

static bool fits(const struct routing *routing)
{
	const struct routing *minimal = routing_legs(routing);
	struct topo *topo = routing->topo;
	const struct topo_graph *graph = topo_graph(topo);

	if (!routing_is_closed(minimal) || minimal->type->is_by_pair ||
	    routing->type->detour == DETOUR_UGAL_G ||
	    (needs_domains(routing->type->detour) && !domains_exist(topo)) ||
	    (!is_closed(routing) && tables_bytes(topo->nrouters) > TABLE_BYTES))
		return false;
	if (topo->type->tie != NULL && !routing_ties_are_drawn(routing))
		return false; /* tables do not ask it */
	if (routing_ties_are_drawn(routing))
		return !topo->type->is_distance_routed;
	for (int node = 0; node < topo->nnodes; node++)
		if (graph->first[node + 1] - graph->first[node] != 1)
			return false; /* cables are chosen by pair */
	return true;
}

/* ---- opening ---- */

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

static bool has_bare_routers(const struct topo *topo)
{
	for (int router = 0; router < topo->nrouters; router++)
		if (!router_has_nodes(topo, router))
			return true;
	return false;
}

/* Whether every two nodes are joined, and the link of node i is link i. */
static bool is_whole(const struct topo *topo)
{
	const struct topo_graph *graph = topo->graph;

	for (int node = 0; node < topo->nnodes; node++)
		if (graph->channel[graph->first[node]] != 2 * node ||
		    topo->type->distance(topo, topo->router_of[0], topo->router_of[node]) < 0)
			return false;
	return true;
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
	if (needs_domains(tables->detours.kind))
		domains_open(&tables->domains, topo);
	tables->is_spread = routing_ties(minimal) != TIES_LOWEST;
	tables->nrouters = topo->nrouters;
	tables->is_closed = is_closed(routing);
	tables->is_drawn = routing_ties_are_drawn(routing);
	tables->draws = tie_draws_of(routing);
	tables->has_choice_of_ends = !topo_nodes_have_one_link(net->plan.topo);
	tables->is_whole = tables->is_closed && is_whole(topo);
	if (tables->is_closed) {
		net->forward.table_bytes = tables_fill_closed(tables, topo);
	} else {
		net->forward.table_bytes = tables_bytes(topo->nrouters);
		if (tables_fill(tables, topo, &longest, err) != 0)
			return -1;
	}
	tables->is_by_hop = tables->is_drawn
				    ? !tables_go_up_and_down(tables, net->plan.topo)
				    : !topo->type->is_tree_like &&
					      (topo->type->dims == NULL || !tables->is_closed) &&
					      circle_is_possible(minimal);
	/* nothing is known of paths that begin at a router without nodes */
	if (tables->detours.kind == DETOUR_PAR && !tables->is_closed && has_bare_routers(topo))
		tables->is_by_hop = true;
	if (tables->is_closed && tree_links_fit(topo))
		tables->tree = tree_links_new(topo);
	if (tables->is_closed && datelines_needed(topo))
		tables->marks = datelines_mark(topo);
	if (tables->is_closed && tables->is_by_hop)
		longest = longest_way(topo);
	tables->nlegs_vcs = tables->is_by_hop && longest > 1 ? longest
			    : tables->marks != NULL          ? 2
							     : 1;
	if (tables->nlegs_vcs > VCS_MOST)
		return err_set(err,
			       "routing %s can deadlock on this machine with less than %d virtual "
			       "channels; %d is the most there can be: updown needs one",
			       minimal->type->entry.name, tables->nlegs_vcs, VCS_MOST);
	tables->second_vc = tables->nlegs_vcs + (tables->detours.kind == DETOUR_PAR);
	net->forward.nvcs = tables->detours.kind == DETOUR_NONE
				    ? tables->nlegs_vcs
				    : tables->second_vc + tables->nlegs_vcs;
	return 0;
}

static void close_tables(struct forward *forward)
{
	struct tables *tables = forward->state;

	if (tables == NULL)
		return;
	domains_close(&tables->domains);
	tree_links_free(tables->tree);
	free(tables->only);
	free(tables->marks);
	tables_free(tables);
	free(tables);
}

/* ---- packets ---- */

static int distance(void *context, int a, int b)
{
	const struct net *net = context;
	int hops = tables_hops(net, net->forward.state, a, b);

	return hops == NO_WAY ? -1 : hops;
}

/* By which of the nodes' cables. */
static int choose_ends(struct net *net, int a, int b, int32_t *up, int32_t *out)
{
	struct walk_ends ends;

	if (walk_ends_weighed(net->plan.topo, a, b, distance, net, net->forward.routing->weights,
			      &ends) < 0)
		return -1;
	*up = ends.up;
	*out = ends.down;
	return 0;
}

static int ends(struct net *net, int a, int b, int32_t *up, int32_t *out)
{
	const struct tables *tables = net->forward.state;
	const struct topo_graph *graph = net->plan.graph;
	const int *router_of = net->plan.topo->router_of;

	if (tables->is_whole) {
		*up = 2 * a;
		*out = 2 * b + 1;
		return 0;
	}
	if (tables->has_choice_of_ends)
		return choose_ends(net, a, b, up, out);
	*up = graph->channel[graph->first[a]];
	*out = graph->channel[graph->first[b]] ^ 1;
	if (net->counts.use != NULL)
		port_use_mark(net->counts.use, router_of[a], b);
	if (tables->is_closed) /* paths may be longer than a byte holds */
		return net->plan.topo->type->distance(net->plan.topo, router_of[a], router_of[b]) <
				       0
			       ? -1
			       : 0;
	return tables->hops_of[tables_pair(tables, router_of[a], router_of[b])] == NO_WAY ? -1 : 0;
}

/* The router that a channel to a node leaves. */
static int router_before(const struct net *net, int32_t channel)
{
	const struct topo_link *link = &net->plan.graph->links[channel >> 1];
	int32_t nnodes = net->plan.topo->nnodes;

	return (link->a >= nnodes ? link->a : link->b) - nnodes;
}

static void begin(struct net *net, int32_t up, struct packet *packet)
{
	const struct tables *tables = net->forward.state;
	const struct message *message = &net->messages.at[packet->message];

	packet->router = net_router_of(net, message->dst);
	packet->rest = message->dst;
	packet->detour = NOBODY;
	if (tables->has_choice_of_ends)
		packet->router = router_before(net, packet->out);
	if (tables->is_drawn)
		packet->rest = net_tie_key(net, &tables->draws, up, packet);
	if (tables->detours.kind == DETOUR_NONE)
		return;
	packet->detour = net_packet_key(net, up, port_of(net, up)->npackets);
	packet->flags |= IS_UNDECIDED;
}

/* A node to go by. number: of the draw, among those of this packet. */
static int32_t draw_node(struct net *net, const struct tables *tables, int router,
			 const struct packet *packet, int number)
{
	if (tables->detours.kind == DETOUR_LOCAL)
		return tables_draw_by_domain(net, tables, router, packet);
	if (packet->nhops > 1 && !router_has_nodes(net->plan.topo, router))
		return tables_draw_ahead(net, tables, router, packet, number);
	return (int32_t)net_draw(net, packet->detour, number, (uint32_t)net->plan.topo->nnodes);
}

/* By a node: its router, links to that and from there on. */
struct detour {
	int32_t node; /* NOBODY: there is none */
	int by, hops;
};

/* By a random node whose router differs from both ends', and through which there is a path. */
static struct detour draw_detour(struct net *net, const struct tables *tables, int router,
				 const struct packet *packet, int number)
{
	struct detour detour = {.node = draw_node(net, tables, router, packet, number)};
	int to, from;

	if (detour.node == NOBODY)
		return detour;
	detour.by = net_router_of(net, detour.node);
	if (detour.by == router || detour.by == packet->router)
		return (struct detour){.node = NOBODY};
	to = tables_hops(net, tables, router, detour.by);
	from = tables_hops(net, tables, detour.by, packet->router);
	if (to == NO_WAY || from == NO_WAY)
		return (struct detour){.node = NOBODY};
	detour.hops = to + from;
	return detour;
}

/* Whether the packet takes a detour, and which. Returns its first channel. */
static int32_t decide(struct net *net, const struct tables *tables, int router,
		      struct packet *packet, int32_t direct)
{
	const struct detours *detours = &tables->detours;
	bool compares = detours->kind == DETOUR_UGAL || detours->kind == DETOUR_PAR;
	int64_t direct_load = compares ? detour_load(net, detours, direct) : 0;

	if (compares ? direct_load == 0 && detours->bias >= 0
		     : detours->kind == DETOUR_LOCAL &&
			       !detour_could_have_room(net, detours, direct))
		return direct;
	for (int i = 0; i < detours->ncandidates; i++) {
		int number = (packet->nhops - 1) * detours->ncandidates + i; /* par decides twice */
		struct detour detour = draw_detour(net, tables, router, packet, number);
		int32_t channel;

		if (detour.node == NOBODY)
			continue;
		channel = i == 0 && packet->aside > 0
				  ? packet->aside - 1
				  : tables_towards(net, tables, router, detour.by, detour.node);
		if (compares && detour_is_minimal(detours, direct_load,
						  tables_hops(net, tables, router, packet->router),
						  detour_load(net, detours, channel), detour.hops))
			continue;
		if (detours->kind == DETOUR_LOCAL &&
		    !detour_has_room(net, detours, direct, channel))
			continue;
		packet->detour = packet->rest = detour.node;
		packet->flags = (uint8_t)((packet->flags | IS_NONMINIMAL) & ~IS_UNDECIDED);
		return channel;
	}
	return direct;
}

/* The node that it goes to. Not port_of(out)->to: that port may be another process's. */
static inline int32_t destination(const struct net *net, const struct packet *packet)
{
	const struct tables *tables = net->forward.state;

	return tables->is_whole ? packet->out >> 1 : net->messages.at[packet->message].dst;
}

/* Whether a packet goes on from a router: towards which one, and whose number picks among equal
 * paths. */
static inline bool heads_on(const struct net *net, int router, const struct packet *packet, int *to,
			    int32_t *rest)
{
	bool has_detour = !(packet->flags & IS_UNDECIDED) && packet->detour != NOBODY;
	int by = has_detour ? net_router_of(net, packet->detour) : router;

	*to = by != router ? by : packet->router;
	*rest = has_detour && by == router ? destination(net, packet) : packet->rest;
	return *to != router;
}

/* From a place among graph->channel to a hint for onward, below LATER, and back. */
static inline int64_t turned_hint(int64_t place_or_hint)
{
	return LATER - 1 - place_or_hint;
}

/* Of the equal channels towards a router; NOBODY: the queues decide. */
static inline int32_t drawn_channel(const struct net *net, const struct tables *tables, int router,
				    int to, int32_t key)
{
	const struct channel_set *set = tables_set(tables, router, to);
	const int32_t *channels = tables->channels.at + set->first;

	if (set->n == 1)
		return channels[0];
	if (tables->draws.ties == TIES_ADAPTIVE)
		return NOBODY;
	return channels[net_draw(net, key, router, (uint32_t)set->n)];
}

/* The least loaded of them, looked at from a random one on. */
static int32_t least_channel(struct net *net, const struct tables *tables, int router,
			     const struct packet *packet)
{
	const struct channel_set *set = tables_set(tables, router, packet->router);
	int at = (int)net_draw(net, packet->rest, router, (uint32_t)set->n);

	return least_of(net, tables->channels.at + set->first, set->n, at);
}

static int32_t onward(struct net *net, int router, const struct packet *packet)
{
	const struct tables *tables = net->forward.state;
	int32_t rest;
	int to;

	if (packet->onward < LATER)
		return net->plan.graph->channel[turned_hint(packet->onward)];
	if (!heads_on(net, router, packet, &to, &rest))
		return packet->out;
	if (tables->is_drawn)
		return drawn_channel(net, tables, router, to, rest);
	return tables_towards(net, tables, router, to, rest);
}

HOP void touch(const struct net *net, int router, struct packet *packet)
{
	const struct tables *tables = net->forward.state;
	const struct topo *topo = net->plan.topo;
	int32_t rest;
	int64_t place;
	int to, by;

	if (!heads_on(net, router, packet, &to, &rest))
		return;
	if (!tables->is_closed) {
		__builtin_prefetch(&tables->set_of[tables_pair(tables, router, to)]);
	} else if (tables->only != NULL) {
		__builtin_prefetch(&tables->only[tables_pair(tables, router, to)]);
	} else if (tables->tree == NULL) {
		place = walk_next(topo, router, to, rest, &by);
		packet->onward = (int32_t)turned_hint(place);
		__builtin_prefetch(&topo->graph->channel[place]);
	}
}

/* Of UGAL's first candidate: into packet->aside, too. */
HOP int32_t aside(struct net *net, int router, struct packet *packet)
{
	const struct tables *tables = net->forward.state;
	struct detour detour;
	int32_t channel;

	if (router == packet->router || tables->detours.kind != DETOUR_UGAL)
		return NOBODY;
	detour = draw_detour(net, tables, router, packet, 0);
	if (detour.node == NOBODY)
		return NOBODY;
	channel = tables_towards(net, tables, router, detour.by, detour.node);
	packet->aside = channel + 1;
	return channel;
}

/* Whether the packet, which came by its first link, may still decide: at the next router. */
static bool may_think_again(const struct tables *tables, int router, const struct packet *packet)
{
	const int *of = tables->domains.of;

	return tables->detours.kind == DETOUR_PAR && packet->nhops == 1 &&
	       router != packet->router && of[router] != of[packet->router];
}

/* At the first router, or with par at the second. Returns the channel that the packet takes. */
static int32_t decide_here(struct net *net, const struct tables *tables, int router,
			   struct packet *packet, int32_t direct)
{
	bool is_second = packet->nhops > 1, is_inside = true;
	int32_t channel = direct;

	if (is_second) {
		int source = port_of(net, packet->channel ^ 1)->to;

		is_inside = tables->domains.of[source] == tables->domains.of[router];
	}
	if (router != packet->router && is_inside)
		channel = decide(net, tables, router, packet, direct);
	if (!(packet->flags & IS_UNDECIDED)) {
		packet->phase = is_second;
	} else if (!may_think_again(tables, router, packet)) {
		packet->flags &= (uint8_t)~IS_UNDECIDED;
		packet->detour = NOBODY;
	}
	return channel;
}

static int32_t next(struct net *net, int router, struct packet *packet, int *vc)
{
	const struct tables *tables = net->forward.state;
	int32_t channel = packet->onward;
	const struct channel_set *set;
	int to = packet->router;

	if (packet->flags & IS_UNDECIDED)
		channel = decide_here(net, tables, router, packet, channel);
	if (!(packet->flags & IS_UNDECIDED) && packet->detour != NOBODY) {
		to = net_router_of(net, packet->detour);
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
	if (tables->is_drawn) {
		if (channel == NOBODY)
			channel = least_channel(net, tables, router, packet);
	} else if (!tables->is_closed) {
		set = tables_set(tables, router, to);
		if (set->n > 1)
			packet->rest /= set->n;
	}
	if (tables->marks != NULL) {
		*vc = dateline_vc(tables->marks[channel], &packet->phase);
	} else {
		*vc = packet->phase;
		packet->phase += tables->is_by_hop;
	}
	if (packet->flags & IS_SECOND_LEG)
		*vc += tables->second_vc;
	return channel;
}

HOP_RUNS(run, HOP_PLAIN, next, begin, onward, touch, aside)

HOP_RUNS(run_mixed, HOP_MIXED, next, begin, onward, touch, aside)

static int64_t send(struct net *net, const struct net_message *message)
{
	return hop_inject(net, message, HOP_PLAIN, ends, begin, onward);
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
	.hops = {{run_small, run_large, run_far}, send},
	.mixed_hops = {{run_mixed_small, run_mixed_large, run_mixed_far}, net_send_any},
};
