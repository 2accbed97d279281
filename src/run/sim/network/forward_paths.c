/* forward_paths.c - paths of any routing on any machine: found once, kept, and followed */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "machine/vc/vc_classes.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"
#include "sim/network/port_use.h"

/*
 * A path is what route_path() returns, from node to node, and the virtual channel of each step.
 * Recent ones are kept in a table (one place for each hash). A path in use stays until the last
 * packet on it has arrived. packet->rest is the path that a packet is on, packet->phase its place
 * there, packet->detour the path of the second leg, or NOBODY.
 */
struct way {
	int32_t a, b;
	int32_t n;     /* channels */
	int32_t first; /* steps[first] … */
	int32_t nusers;
	int32_t bits; /* room for 2^bits steps */
	int32_t next; /* among the free ones */
	bool is_kept;
};

struct paths {
	struct routing *minimal; /* of the routing, or the routing itself */
	struct detours detours;
	struct vc_classes classes;
	int nlegs_vcs; /* of one leg */
	int32_t *kept; /* [2^bits] ways */
	int bits;
	struct way *ways;
	int32_t nways, ways_cap, free_way;
	int32_t *steps; /* channels */
	uint8_t *vcs;   /* of the steps */
	int32_t nsteps, steps_cap;
	int32_t free_steps[16];
	int_vec path; /* being found */
};
enum { KEPT_BITS = 18, KEPT_BITS_MOST = 22 };

static bool fits(const struct routing *routing)
{
	(void)routing;
	return true;
}

/* The VC of each step between routers; the first and the last are nodes' and take 0. */
static void set_vcs(const struct paths *paths, const int32_t *steps, int n, uint8_t *vcs)
{
	int state = 0;

	for (int i = 0; i < n; i++)
		vcs[i] = i == 0 || i == n - 1
				 ? 0
				 : (uint8_t)vc_classes_next(&paths->classes, steps[i], &state);
}

/* ---- paths ---- */

static int32_t steps_new(struct paths *paths, int bits)
{
	int32_t at = paths->free_steps[bits];

	if (at != NOBODY) {
		paths->free_steps[bits] = paths->steps[at];
		return at;
	}
	if (paths->nsteps + (1 << bits) > paths->steps_cap) {
		paths->steps_cap = paths->steps_cap * 2 + (1 << bits) + 1024;
		paths->steps =
			xrealloc(paths->steps, (size_t)paths->steps_cap, sizeof(*paths->steps));
		paths->vcs = xrealloc(paths->vcs, (size_t)paths->steps_cap, 1);
	}
	at = paths->nsteps;
	paths->nsteps += 1 << bits;
	return at;
}

static int32_t way_new(struct paths *paths)
{
	int32_t i = paths->free_way;

	if (i != NOBODY) {
		paths->free_way = paths->ways[i].next;
		return i;
	}
	if (paths->nways == paths->ways_cap) {
		paths->ways_cap = paths->ways_cap * 2 + 1024;
		paths->ways = xrealloc(paths->ways, (size_t)paths->ways_cap, sizeof(*paths->ways));
	}
	return paths->nways++;
}

static void way_free(struct paths *paths, int32_t i)
{
	struct way *way = &paths->ways[i];

	paths->steps[way->first] = paths->free_steps[way->bits];
	paths->free_steps[way->bits] = way->first;
	way->next = paths->free_way;
	paths->free_way = i;
}

static void drop_user(struct paths *paths, int32_t i)
{
	if (--paths->ways[i].nusers == 0 && !paths->ways[i].is_kept)
		way_free(paths, i);
}

/* The path from node a to node b; NOBODY: there is none. */
static int32_t find_way(struct net *net, int32_t a, int32_t b)
{
	struct paths *paths = net->forward.state;
	uint64_t hash = u64_mix((uint64_t)a << 32 | (uint32_t)b) >> (64 - paths->bits);
	int32_t i = paths->kept[hash];
	struct way *way;
	int n, bits = 2;

	if (i != NOBODY && paths->ways[i].a == a && paths->ways[i].b == b)
		return i;
	paths->path.n = 0;
	n = route_path(paths->minimal, a, b, &paths->path);
	if (n < 0)
		return NOBODY;
	if (i != NOBODY) {
		paths->ways[i].is_kept = false;
		if (paths->ways[i].nusers == 0)
			way_free(paths, i);
	}
	while (1 << bits < n)
		bits++;
	i = way_new(paths);
	way = &paths->ways[i];
	*way = (struct way){.a = a,
			    .b = b,
			    .n = n,
			    .first = steps_new(paths, bits),
			    .bits = bits,
			    .is_kept = true};
	memcpy(paths->steps + way->first, paths->path.at, (size_t)n * sizeof(*paths->steps));
	set_vcs(paths, paths->steps + way->first, n, paths->vcs + way->first);
	paths->kept[hash] = i;
	return i;
}

/* ---- opening ---- */

/* The longest path, found by trying each pair of the routers' first nodes, or of some of them on
 * large machines. */
static int longest_way(struct net *net, struct paths *paths)
{
	const struct topo *topo = net->plan.topo;
	int longest = 0, nnodes = topo->nnodes;
	int64_t npairs = (int64_t)nnodes * nnodes, stride = npairs / 1000000 + 1;

	for (int64_t pair = 0; pair < npairs; pair += stride) {
		int hops = route_hops(paths->minimal, (int)(pair / nnodes), (int)(pair % nnodes));

		longest = hops > longest ? hops : longest;
	}
	return longest;
}

/* How circles of waiting are kept out, and the VCs that this takes for one leg. */
static int choose_classes(struct net *net, struct paths *paths, struct err *err)
{
	struct routing *minimal = paths->minimal;

	vc_classes_open(&paths->classes, minimal);
	paths->nlegs_vcs = 1 + (paths->classes.kind == VC_BY_DATELINE);
	if (paths->classes.kind == VC_BY_GROUP || paths->classes.kind == VC_BY_HOP)
		paths->nlegs_vcs = longest_way(net, paths) - 2;
	if (paths->nlegs_vcs > VCS_MOST)
		return err_set(err,
			       "routing %s can deadlock on this machine with less than %d virtual "
			       "channels; %d is the most there can be: updown needs one",
			       minimal->type->entry.name, paths->nlegs_vcs, VCS_MOST);
	if (paths->nlegs_vcs < 1)
		paths->nlegs_vcs = 1;
	return 0;
}

static int open_paths(struct net *net, struct err *err)
{
	struct paths *paths = xcalloc(1, sizeof(*paths));
	struct routing *routing = net->forward.routing;

	net->forward.state = paths;
	detours_read(&paths->detours, routing);
	net->forward.far = paths->detours.kind == DETOUR_UGAL_G ? &paths->detours : NULL;
	paths->minimal = routing->type->detour != DETOUR_NONE ? routing->minimal : routing;
	if (paths->detours.kind == DETOUR_PAR || paths->detours.kind == DETOUR_LOCAL)
		return err_set(err,
			       "routing %s is defined by groups of routers, which %s has not; "
			       "there are ugal and valiant, and minimal:ties=adaptive in fat trees",
			       routing->type->entry.name, routing->topo->type->entry.name);
	if (routing_ties_are_drawn(routing))
		return err_set(err, "routing %s: ties=%s is not for this network",
			       routing->type->entry.name, pick_word(&routing->pick, "ties"));
	paths->free_way = NOBODY;
	for (size_t i = 0; i < sizeof(paths->free_steps) / sizeof(*paths->free_steps); i++)
		paths->free_steps[i] = NOBODY;
	if (choose_classes(net, paths, err) != 0)
		return -1;
	net->forward.nvcs = paths->nlegs_vcs * (paths->detours.kind == DETOUR_NONE ? 1 : 2);
	paths->bits = KEPT_BITS;
	while (paths->bits < KEPT_BITS_MOST &&
	       (int64_t)1 << paths->bits <
		       (int64_t)net->plan.topo->nnodes * net->plan.topo->nnodes * 2)
		paths->bits++;
	paths->kept = xmalloc(((size_t)1 << paths->bits) * sizeof(*paths->kept));
	memset(paths->kept, 0xff, ((size_t)1 << paths->bits) * sizeof(*paths->kept));
	return 0;
}

static void close_paths(struct forward *forward)
{
	struct paths *paths = forward->state;

	if (paths == NULL)
		return;
	vc_classes_close(&paths->classes);
	free(paths->kept);
	free(paths->ways);
	free(paths->steps);
	free(paths->vcs);
	vec_free(&paths->path);
	free(paths);
}

/* ---- packets ---- */

static int ends(struct net *net, int a, int b, int32_t *up, int32_t *out)
{
	const struct paths *paths;
	int32_t i = find_way(net, a, b);

	if (i == NOBODY)
		return -1;
	paths = net->forward.state;
	*up = paths->steps[paths->ways[i].first];
	*out = paths->steps[paths->ways[i].first + paths->ways[i].n - 1];
	if (net->counts.use != NULL)
		port_use_mark(net->counts.use, port_of(net, *up)->to, b);
	return 0;
}

static void begin(struct net *net, int32_t up, struct packet *packet)
{
	struct paths *paths = net->forward.state;
	const struct message *message = &net->messages.at[packet->message];

	packet->rest = find_way(net, message->src, message->dst);
	packet->detour = NOBODY;
	if (paths->detours.kind != DETOUR_NONE) {
		packet->detour = net_packet_key(net, up, port_of(net, up)->npackets);
		packet->flags |= IS_UNDECIDED;
	}
	paths->ways[packet->rest].nusers++;
}

static int32_t step(const struct paths *paths, int32_t way, int at)
{
	return paths->steps[paths->ways[way].first + at];
}

/* The path to a random node whose router differs from both ends', and the path from there; both get
 * one more user. false: none was found. */
static bool draw_detour(struct net *net, const struct packet *packet, int number, int32_t legs[2])
{
	const struct message *message = &net->messages.at[packet->message];
	struct paths *paths = net->forward.state;
	int node = (int)net_draw(net, packet->detour, number, (uint32_t)net->plan.topo->nnodes);
	const int *router_of = net->plan.topo->router_of;
	int32_t in, on;

	if (router_of[node] == router_of[message->src] ||
	    router_of[node] == router_of[message->dst])
		return false;
	legs[0] = find_way(net, message->src, node);
	if (legs[0] == NOBODY)
		return false;
	paths->ways[legs[0]].nusers++;
	legs[1] = find_way(net, node, message->dst);
	in = legs[1] == NOBODY ? 0 : step(paths, legs[0], paths->ways[legs[0]].n - 1);
	on = legs[1] == NOBODY ? 0 : step(paths, legs[1], 0);
	/* both by the same router and cable, and by the source's own cable */
	if (legs[1] == NOBODY || in != (on ^ 1) ||
	    step(paths, legs[0], 0) != step(paths, packet->rest, 0)) {
		drop_user(paths, legs[0]);
		return false;
	}
	paths->ways[legs[1]].nusers++;
	return true;
}

/* Load that decides: of the first link, or (UGAL-G) of all. */
static int64_t way_load(struct net *net, int router, int32_t way, int from)
{
	const struct paths *paths = net->forward.state;
	int n = paths->detours.kind == DETOUR_UGAL_G ? paths->ways[way].n - 1 : from + 1;
	int64_t load = 0;

	for (int i = from; i < n; i++)
		load += detour_far_load(net, &paths->detours, router, step(paths, way, i));
	return load;
}

static void decide(struct net *net, int router, struct packet *packet)
{
	struct paths *paths = net->forward.state;
	int32_t legs[2];

	for (int i = 0; i < paths->detours.ncandidates; i++) {
		int hops_min, hops_non;
		int64_t load_non;

		if (!draw_detour(net, packet, i, legs))
			continue;
		hops_min = paths->ways[packet->rest].n - 2;
		hops_non = paths->ways[legs[0]].n + paths->ways[legs[1]].n - 4;
		load_non = way_load(net, router, legs[0], 1);
		if (paths->detours.kind == DETOUR_UGAL_G)
			load_non += way_load(net, router, legs[1], 1);
		if (paths->detours.kind == DETOUR_ALWAYS ||
		    !detour_is_minimal(&paths->detours, way_load(net, router, packet->rest, 1),
				       hops_min, load_non, hops_non)) {
			drop_user(paths, packet->rest);
			packet->rest = legs[0];
			packet->detour = legs[1];
			packet->flags |= IS_NONMINIMAL;
			return;
		}
		drop_user(paths, legs[0]);
		drop_user(paths, legs[1]);
	}
}

static int32_t onward(struct net *net, int router, const struct packet *packet)
{
	const struct paths *paths = net->forward.state;
	const struct way *way = &paths->ways[packet->rest];

	(void)router;
	return packet->phase + 1 < way->n ? paths->steps[way->first + packet->phase + 1] : NOBODY;
}

static int32_t next(struct net *net, int router, struct packet *packet, int *vc)
{
	struct paths *paths = net->forward.state;
	const struct way *way;

	if (packet->flags & IS_UNDECIDED) { /* at the first router */
		if (paths->ways[packet->rest].n > 2)
			decide(net, router, packet);
		if (!(packet->flags & IS_NONMINIMAL))
			packet->detour = NOBODY;
		packet->flags &= (uint8_t)~IS_UNDECIDED;
	}
	way = &paths->ways[packet->rest];
	packet->phase++;
	if (packet->phase == way->n - 1 && packet->detour != NOBODY) { /* at the intermediate one */
		drop_user(paths, packet->rest);
		packet->rest = packet->detour;
		packet->detour = NOBODY;
		packet->flags |= IS_SECOND_LEG;
		packet->phase = 1;
		way = &paths->ways[packet->rest];
	}
	*vc = paths->vcs[way->first + packet->phase];
	if (packet->flags & IS_SECOND_LEG && packet->phase < way->n - 1)
		*vc += paths->nlegs_vcs;
	return paths->steps[way->first + packet->phase];
}

static void end(struct net *net, struct packet *packet)
{
	drop_user(net->forward.state, packet->rest);
}

/* Paths are known by their ends; legs: of the path that it is on, of the second leg's or NOBODY. */
static void leave(struct net *net, struct packet *packet, int32_t legs[4])
{
	struct paths *paths = net->forward.state;
	const struct way *way = &paths->ways[packet->rest];

	legs[0] = way->a;
	legs[1] = way->b;
	legs[2] = legs[3] = NOBODY;
	drop_user(paths, packet->rest);
	if (packet->detour == NOBODY)
		return;
	way = &paths->ways[packet->detour];
	legs[2] = way->a;
	legs[3] = way->b;
	drop_user(paths, packet->detour);
}

static void enter(struct net *net, struct packet *packet, const int32_t legs[4])
{
	struct paths *paths = net->forward.state;

	packet->rest = find_way(net, legs[0], legs[1]);
	paths->ways[packet->rest].nusers++;
	packet->detour = NOBODY;
	if (legs[2] == NOBODY)
		return;
	packet->detour = find_way(net, legs[2], legs[3]);
	paths->ways[packet->detour].nusers++;
}

static void drop(struct net *net)
{
	struct paths *paths = net->forward.state;

	paths->nways = 0;
	paths->nsteps = 0;
	paths->free_way = NOBODY;
	for (size_t i = 0; i < sizeof(paths->free_steps) / sizeof(*paths->free_steps); i++)
		paths->free_steps[i] = NOBODY;
	memset(paths->kept, 0xff, ((size_t)1 << paths->bits) * sizeof(*paths->kept));
}

HOP_RUNS(run, HOP_PLAIN, next, begin, onward, NULL, NULL)

HOP_RUNS(run_mixed, HOP_MIXED, next, begin, onward, NULL, NULL)

static int64_t send(struct net *net, const struct net_message *message)
{
	return hop_inject(net, message, HOP_PLAIN, ends, begin, onward);
}

const struct forward_type forward_paths = {
	.name = "paths",
	.fits = fits,
	.open = open_paths,
	.close = close_paths,
	.ends = ends,
	.begin = begin,
	.onward = onward,
	.next = next,
	.hops = {{run_small, run_large, run_far}, send},
	.mixed_hops = {{run_mixed_small, run_mixed_large, run_mixed_far}, net_send_any},
	.end = end,
	.leave = leave,
	.enter = enter,
	.drop = drop,
};
