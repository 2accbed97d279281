/* forward_dragonfly.c - paths through dragonflies: minimal in closed form, and detours */
#include <stdlib.h>

#include "machine/route/walk.h"
#include "machine/kind/dragonfly.h"
#include "base/mem.h"
#include "sim/network/dragonfly_ways.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"

static bool fits(const struct routing *routing)
{
	return topo_as_dragonfly(routing->topo) != NULL &&
	       routing->type->minimal == MINIMAL_SHORTEST && routing_ties(routing) != TIES_ADAPTIVE;
}

/* ---- opening ---- */

/* The first of the cables from router r to another of its group. */
static int32_t first_cable(const struct topo *topo, int r, int peer)
{
	const struct topo_graph *graph = topo->graph;
	int n;
	int64_t i = walk_cables(graph, topo->nnodes + r, topo->nnodes + peer, &n);

	return n > 0 ? graph->channel[i] : -1;
}

/* Behind the links of nodes come those within groups, group by group, and those between them. */
static void open_local(struct dragonfly_ways *ways, const struct topo *topo)
{
	const struct dragonfly *df = ways->df;
	int a = df->routers;
	int64_t nbetween = (int64_t)df->groups * (df->groups - 1) / 2 * df->links;

	ways->local_channels =
		(int32_t)((topo->graph->nlinks - topo->nnodes - nbetween) / df->groups * 2);
	ways->local = xmalloc((size_t)a * (size_t)a * sizeof(*ways->local));
	ways->has_cables = df->row_links > 1 || df->column_links > 1;
	if (df->rows > 1)
		ways->same_column = xmalloc((size_t)a * (size_t)a);
	for (int i = 0; i < a; i++)
		for (int j = 0; j < a; j++) {
			int cable;

			ways->local[i * a + j] =
				i == j ? -1
				       : first_cable(topo, i,
						     topo->type->next(topo, i, j, 0, &cable));
			if (ways->same_column != NULL)
				ways->same_column[i * a + j] = i % df->columns == j % df->columns;
		}
}

/* Whether a router on the path may choose another of several equally good global links, so that a
 * hop along a row can follow one along a column. */
static bool may_turn(const struct dragonfly_ways *ways)
{
	return ways->df->rows > 1 && ways->df->links > 1;
}

/* Phases that a path can have: one more than it has global links, intermediate routers, second
 * decisions and turns. */
static int count_vcs(const struct dragonfly_ways *ways)
{
	bool may_rethink = ways->detours.kind == DETOUR_PAR;
	int turn = may_turn(ways);

	if (ways->detours.kind == DETOUR_NONE)
		return ways->df->groups > 1 ? 2 + turn : 1;
	if (ways->df->groups == 1)
		return 2;
	if (ways->detours.via != VIA_GROUP)
		return 4 + may_rethink + 2 * turn;
	return (ways->df->groups == 2 ? 2 : 3 + may_rethink) + turn;
}

static int open_dragonfly(struct net *net, struct err *err)
{
	struct topo *topo = net->plan.topo;
	struct dragonfly_ways *ways = xcalloc(1, sizeof(*ways));
	const struct dragonfly *df = topo_as_dragonfly(topo);

	net->forward.state = ways;
	ways->df = df;
	if ((double)df->groups * df->groups * df->links > 1 << 28)
		return err_set(err, "netsim holds the links of at most 2^28 pairs of groups");
	detours_read(&ways->detours, net->forward.routing);
	net->forward.far = ways->detours.kind == DETOUR_UGAL_G ? &ways->detours : NULL;
	ways->draws = tie_draws_of(net->forward.routing);
	ways->has_drawn_ties = routing_ties_are_drawn(net->forward.routing);
	ways->at = xmalloc((size_t)topo->nrouters * sizeof(*ways->at));
	for (int r = 0; r < topo->nrouters; r++)
		ways->at[r] = (struct place){r / df->routers, r % df->routers};
	open_local(ways, topo);
	gates_open(&ways->gates, df, topo);
	dragonfly_only_open(ways, topo);
	ways->looks_first = ways->detours.kind == DETOUR_UGAL && !ways->detours.reads_credits &&
			    ways->detours.via == VIA_GROUP && ways->detours.ncandidates == 1;
	net->forward.nvcs = count_vcs(ways);
	return 0;
}

static void close_dragonfly(struct forward *forward)
{
	struct dragonfly_ways *ways = forward->state;

	if (ways == NULL)
		return;
	free(ways->at);
	free(ways->local);
	free(ways->same_column);
	free(ways->only);
	free(ways->gate_hops);
	gates_close(&ways->gates);
	free(ways);
}

/* ---- minimal paths ---- */

static inline int32_t local_channel(const struct dragonfly_ways *ways, struct place from, int in,
				    int node)
{
	int pair = from.in * ways->df->routers + in, n;
	int32_t channel = ways->local[pair] + from.group * ways->local_channels;

	if (!ways->has_cables)
		return channel;
	n = ways->same_column != NULL && ways->same_column[pair] ? ways->df->column_links
								 : ways->df->row_links;
	return n > 1 ? channel + 2 * (node % n) : channel;
}

/* The first channel of a path, and its links between routers. */
struct path_head {
	int32_t channel;
	int hops;
};

/* Towards router in_b of another group, or (−1) any of its routers; *gate: by which of the links
 * between the groups. */
static inline struct path_head global_path(const struct dragonfly_ways *ways, int router, int to,
					   int in_b, int node, int *gate)
{
	struct place from = ways->at[router];
	const struct gate *by;
	int hops;

	*gate = gates_choose(&ways->gates, from, to, in_b, node, &hops);
	by = &gates_between(&ways->gates, from.group, to)[*gate];
	return (struct path_head){by->in == from.in ? by->channel
						    : local_channel(ways, from, by->in, node),
				  hops + 1};
}

/* The minimal path to a router. */
static inline struct path_head minimal_path(const struct dragonfly_ways *ways, int router, int to,
					    int node)
{
	struct place from = ways->at[router], end = ways->at[to];
	int gate;

	if (from.group == end.group)
		return (struct path_head){local_channel(ways, from, end.in, node),
					  gates_local_hops(&ways->gates, from.in, end.in)};
	return global_path(ways, router, end.group, end.in, node, &gate);
}

static inline int32_t towards(const struct dragonfly_ways *ways, int router, int to, int node)
{
	return minimal_path(ways, router, to, node).channel;
}

/* ---- detours ---- */

/* An intermediate place, as in packet->detour; NOBODY: there is none, or it is on the
 * minimal path. */
static int32_t draw_detour(struct net *net, const struct dragonfly_ways *ways, int router,
			   const struct packet *packet, int number)
{
	struct place from = ways->at[router], to = ways->at[packet->router];
	int32_t drawn, key = packet->detour;

	if (ways->detours.via != VIA_GROUP) {
		drawn = ways->detours.via == VIA_NODE
				? net->plan.topo->router_of[net_draw(
					  net, key, number, (uint32_t)net->plan.topo->nnodes)]
				: (int32_t)net_draw(net, key, number,
						    (uint32_t)net->plan.topo->nrouters);
		return drawn == router || drawn == packet->router ||
				       (from.group != to.group && ways->at[drawn].group == to.group)
			       ? NOBODY
			       : drawn;
	}
	if ((from.group == to.group ? ways->df->routers : ways->df->groups) < 3)
		return NOBODY;
	if (from.group == to.group)
		return router - from.in +
		       net_draw_beside(net, key, number, ways->df->routers, from.in, to.in);
	return -2 - net_draw_beside(net, key, number, ways->df->groups, from.group, to.group);
}

static inline int32_t detour_channel(const struct dragonfly_ways *ways, int router, int32_t detour,
				     int node)
{
	int gate;

	if (detour >= 0)
		return towards(ways, router, detour, node);
	return global_path(ways, router, -2 - detour, -1, node, &gate).channel;
}

/* The whole path by a detour. */
static struct path_head detour_path(const struct dragonfly_ways *ways, int router, int32_t detour,
				    int to, int node)
{
	int group = -2 - detour, by = detour, gate;
	struct path_head path;

	if (detour >= 0) {
		path = minimal_path(ways, router, detour, node);
	} else {
		path = global_path(ways, router, group, -1, node, &gate);
		by = group * ways->df->routers +
		     gates_between(&ways->gates, group, ways->at[router].group)[gate].in;
	}
	path.hops += minimal_path(ways, by, to, node).hops;
	return path;
}

/* The first global channel of a path, or its first channel where it has no global one: what UGAL-G
 * compares. */
static int32_t global_of(const struct dragonfly_ways *ways, int router, int32_t detour, int to,
			 int node)
{
	struct place from = ways->at[router];
	int group = detour == NOBODY ? ways->at[to].group
		    : detour >= 0    ? ways->at[detour].group
				     : -2 - detour;
	int in = detour == NOBODY ? ways->at[to].in : detour >= 0 ? ways->at[detour].in : -1;
	int hops;

	if (group == from.group)
		return detour == NOBODY ? towards(ways, router, to, node)
					: detour_channel(ways, router, detour, node);
	return gates_between(&ways->gates, from.group,
			     group)[gates_choose(&ways->gates, from, group, in, node, &hops)]
		.channel;
}

/* What a packet at router knows of the load by a path: of its first channel, which leaves that
 * router, or (UGAL-G) of its first global one. */
static int64_t path_load(struct net *net, const struct dragonfly_ways *ways, int router,
			 int32_t detour, const struct packet *packet, int32_t channel)
{
	const struct detours *detours = &ways->detours;

	if (detours->kind == DETOUR_UGAL_G)
		return detour_far_load(
			net, detours, router,
			global_of(ways, router, detour, packet->router, packet->rest));
	if (detours->reads_credits || net->ports.inputs != NULL)
		return detour_load(net, detours, channel);
	return port_backlog(net, port_of(net, net->copies.base + channel));
}

/* Of the detours that are looked at the best one: by its load times its links. */
struct detour_choice {
	int32_t detour, channel; /* NOBODY: there is none; its first channel */
	int hops;                /* 1 where they do not count */
	int64_t load;
};

static struct detour_choice best_detour(struct net *net, const struct dragonfly_ways *ways,
					int router, const struct packet *packet, int32_t direct)
{
	const struct detours *detours = &ways->detours;
	struct detour_choice best = {.detour = NOBODY};
	int to = packet->router, node = packet->rest;

	for (int i = 0; i < detours->ncandidates; i++) {
		/* PAR decides twice */
		int number = (packet->nhops - 1) * detours->ncandidates + i, hops;
		int32_t detour = draw_detour(net, ways, router, packet, number);
		struct path_head path;
		int64_t load = 0;

		if (detour == NOBODY)
			continue;
		path = detour_path(ways, router, detour, to, node);
		if (detours->kind == DETOUR_LOCAL) {
			if (!detour_has_room(net, detours, direct, path.channel))
				continue;
		} else if (detours->kind != DETOUR_ALWAYS) {
			load = path_load(net, ways, router, detour, packet, path.channel);
		}
		hops = detours->counts_hops ? path.hops : 1;
		if (best.detour == NOBODY || load * hops < best.load * best.hops)
			best = (struct detour_choice){detour, path.channel, hops, load};
	}
	return best;
}

/* Whether the packet at router takes a detour, and which: into packet->detour. direct: the first
 * channel of the minimal path. Returns the first channel of the path that is taken. */
int32_t dragonfly_decide(struct net *net, const struct dragonfly_ways *ways, int router,
			 struct packet *packet, int32_t direct)
{
	const struct detours *detours = &ways->detours;
	bool compares = detours->kind != DETOUR_ALWAYS && detours->kind != DETOUR_LOCAL;
	int to = packet->router, node = packet->rest, hops = 1;
	int64_t direct_load = 0;
	struct detour_choice best;

	if (packet->nhops == 1)
		dragonfly_make_key(net, packet);
	if (compares)
		direct_load = path_load(net, ways, router, NOBODY, packet, direct);
	if (compares ? direct_load == 0
		     : detours->kind == DETOUR_LOCAL &&
			       !detour_could_have_room(net, detours, direct))
		return direct;
	best = best_detour(net, ways, router, packet, direct);
	if (best.detour == NOBODY)
		return direct;
	if (detours->counts_hops)
		hops = minimal_path(ways, router, to, node).hops;
	if (compares && detour_is_minimal(detours, direct_load, hops, best.load, best.hops))
		return direct;
	packet->detour = best.detour;
	packet->flags = (uint8_t)((packet->flags | IS_NONMINIMAL) & ~IS_UNDECIDED);
	return best.channel;
}

/* ---- a hop ---- */

/* Whether PAR decides again here: the packet came by a minimal local hop, and the global one is
 * still ahead. */
static bool may_think_again(const struct dragonfly_ways *ways, const struct packet *packet,
			    struct place from)
{
	return packet->nhops == 2 && packet->flags & IS_UNDECIDED && packet->phase == 0 &&
	       ways->at[packet->router].group != from.group;
}

static int32_t any_onward(struct net *net, int router, const struct packet *packet)
{
	const struct dragonfly_ways *ways = net->forward.state;
	int32_t detour = packet->flags & IS_UNDECIDED ? NOBODY : packet->detour;

	if (detour != NOBODY && detour != router && detour != -2 - ways->at[router].group)
		return detour_channel(ways, router, detour, packet->rest);
	if (router == packet->router)
		return packet->out;
	return towards(ways, router, packet->router, packet->rest);
}

static int32_t next(struct net *net, int router, struct packet *packet, int *vc)
{
	const struct dragonfly_ways *ways = net->forward.state;
	struct place from;
	int32_t channel = packet->onward;
	const struct port *out;
	int phase;

	if (router == packet->router &&
	    (packet->flags & IS_UNDECIDED || packet->detour == NOBODY)) {
		*vc = 0;
		return channel;
	}
	from = ways->at[router];
	phase = packet->phase;
	if (ways->detours.kind != DETOUR_NONE) {
		if (packet->nhops == 1) {
			channel = dragonfly_decide(net, ways, router, packet, channel);
		} else if (ways->detours.kind == DETOUR_PAR &&
			   may_think_again(ways, packet, from)) {
			channel = dragonfly_decide(net, ways, router, packet, channel);
			packet->phase += !(packet->flags & IS_UNDECIDED);
		}
		if (ways->detours.kind != DETOUR_PAR || packet->nhops > 1)
			dragonfly_settle(packet);
		if (packet->flags & IS_UNDECIDED) {
			/* PAR decides again at the next router */
		} else if (packet->detour == router) {
			packet->detour = NOBODY;
			packet->phase++;
		} else if (packet->detour == -2 - from.group) {
			packet->detour = NOBODY;
		}
	}
	out = port_of(net, channel);
	if (may_turn(ways) && out->level == LEVEL_LOCAL) {
		bool is_column =
			ways->same_column[from.in * ways->df->routers + ways->at[out->to].in];

		/* from a column to a row */
		packet->phase += packet->came_by_column && !is_column && packet->phase == phase;
		packet->came_by_column = is_column;
	} else {
		packet->came_by_column = false;
	}
	*vc = packet->phase;
	packet->phase += out->level == LEVEL_GLOBAL;
	return channel;
}

static int32_t onward(struct net *net, int router, const struct packet *packet)
{
	const struct dragonfly_ways *ways = net->forward.state;

	return ways->only != NULL ? dragonfly_only_onward(net, router, packet)
				  : any_onward(net, router, packet);
}

HOP_RUNS(run, HOP_PLAIN, next, dragonfly_begin, any_onward, NULL, NULL)

HOP_RUNS(run_mixed, HOP_MIXED, next, dragonfly_begin, any_onward, NULL, NULL)

static int64_t send(struct net *net, const struct net_message *message)
{
	return hop_inject(net, message, HOP_PLAIN, dragonfly_ends, dragonfly_begin, any_onward);
}

static const struct forward_hops *choose(const struct net *net)
{
	const struct dragonfly_ways *ways = net->forward.state;

	return ways->only != NULL && ways->detours.kind != DETOUR_PAR &&
			       net->ports.shift == PORT_SHIFT
		       ? &dragonfly_only_hops
		       : &forward_dragonfly.hops;
}

const struct forward_type forward_dragonfly = {
	.name = "dragonfly",
	.fits = fits,
	.open = open_dragonfly,
	.close = close_dragonfly,
	.ends = dragonfly_ends,
	.begin = dragonfly_begin,
	.onward = onward,
	.next = next,
	.hops = {{run_small, run_large, run_far}, send},
	.mixed_hops = {{run_mixed_small, run_mixed_large, run_mixed_far}, net_send_any},
	.choose = choose,
};
