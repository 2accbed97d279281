/* expected.c - the loads that an adaptive routing is expected to put on links */
#include "machine/route/expected.h"

#include <stdlib.h>

/* Where a detour goes by, and how likely. */
struct via {
	int node; /* any that hangs on the router */
	double chance;
};

struct expected {
	struct routing *routing;
	struct routing *legs;      /* of detours, or itself */
	struct route_split *split; /* NULL: one path */
	struct topo *topo;
	double minimal;
	int *node_at;  /* [nrouters] a node there, -1: none */
	int *nnodes;   /* [nrouters] */
	int *group_of; /* [nrouters] of a dragonfly, else NULL */
	int ngroups;
	VEC(struct via) vias;
	channel_shares leg, all;
	int_vec path;
};

static bool spreads_ties(const struct routing *routing)
{
	return routing_ties_are_drawn(routing);
}

bool expected_is_spread(const struct routing *routing)
{
	return routing->type->detour != DETOUR_NONE || spreads_ties(routing);
}

bool expected_has_choice(const struct routing *routing)
{
	return routing->type->detour != DETOUR_NONE && routing->type->detour != DETOUR_ALWAYS;
}

static void find_groups(struct expected *e)
{
	const struct topo *topo = e->topo;

	e->group_of = xmalloc((size_t)topo->nrouters * sizeof(*e->group_of));
	for (int r = 0; r < topo->nrouters; r++) {
		int domain = r;

		for (int tier = 1; tier < topo->ntiers; tier++)
			domain = topo->tiers[tier].of[domain];
		e->group_of[r] = domain;
		e->ngroups = domain >= e->ngroups ? domain + 1 : e->ngroups;
	}
}

struct expected *expected_open(struct routing *routing, double minimal)
{
	struct expected *e = xcalloc(1, sizeof(*e));
	struct topo *topo = routing->topo;

	e->routing = routing;
	e->topo = topo;
	e->legs = routing->type->detour != DETOUR_NONE ? routing->minimal : routing;
	e->minimal = routing->type->detour == DETOUR_NONE     ? 1
		     : routing->type->detour == DETOUR_ALWAYS ? 0
							      : minimal;
	if (spreads_ties(e->legs))
		e->split = route_split_new(topo);
	e->node_at = xmalloc((size_t)topo->nrouters * sizeof(*e->node_at));
	e->nnodes = xcalloc((size_t)topo->nrouters, sizeof(*e->nnodes));
	for (int r = 0; r < topo->nrouters; r++)
		e->node_at[r] = -1;
	for (int v = topo->nnodes - 1; v >= 0; v--) {
		e->node_at[topo->router_of[v]] = v;
		e->nnodes[topo->router_of[v]]++;
	}
	if (topo_as_dragonfly(topo) != NULL)
		find_groups(e);
	return e;
}

void expected_close(struct expected *e)
{
	if (e == NULL)
		return;
	route_split_free(e->split);
	free(e->node_at);
	free(e->nnodes);
	free(e->group_of);
	vec_free(&e->vias);
	vec_free(&e->leg);
	vec_free(&e->all);
	vec_free(&e->path);
	free(e);
}

/* One leg, into e->leg. */
static int find_leg(struct expected *e, int a, int b)
{
	int n;

	e->leg.n = 0;
	if (e->split != NULL)
		return route_split_add(e->split, a, b, &e->leg);
	e->path.n = 0;
	n = route_path(e->legs, a, b, &e->path);
	for (int i = 0; i < n; i++)
		vec_push(&e->leg, (struct channel_share){e->path.at[i], 1});
	return n < 0 ? -1 : 0;
}

/* That leg but for the links of the node via (-1: none), times weight. */
static void take_leg(struct expected *e, int via, double weight)
{
	const struct topo_graph *graph = topo_graph(e->topo);

	for (size_t i = 0; i < e->leg.n; i++) {
		const struct topo_link *link = &graph->links[e->leg.at[i].channel / 2];

		if (link->a != via && link->b != via)
			vec_push(&e->all, (struct channel_share){e->leg.at[i].channel,
								 e->leg.at[i].share * weight});
	}
}

/* ---- where detours go by ---- */

static void add_via(struct expected *e, int router, double chance)
{
	if (e->node_at[router] >= 0)
		vec_push(&e->vias, (struct via){e->node_at[router], chance});
}

/* Within a group any other router; else the router by which each third group is entered: that which
 * is nearest. */
static void list_groups(struct expected *e, int a, int b)
{
	const int *router_of = e->topo->router_of;
	int from = router_of[a], to = router_of[b], nothers = 0;

	if (e->group_of[from] == e->group_of[to]) {
		for (int r = 0; r < e->topo->nrouters; r++)
			nothers += e->group_of[r] == e->group_of[from] && r != from && r != to;
		for (int r = 0; r < e->topo->nrouters; r++)
			if (e->group_of[r] == e->group_of[from] && r != from && r != to)
				add_via(e, r, 1.0 / nothers);
		return;
	}
	for (int group = 0; group < e->ngroups; group++) {
		int entry = -1, nearest = 0;

		if (group == e->group_of[from] || group == e->group_of[to])
			continue;
		for (int r = 0; r < e->topo->nrouters; r++) {
			int hops = e->group_of[r] == group && e->node_at[r] >= 0
					   ? route_hops(e->legs, a, e->node_at[r])
					   : -1;

			if (hops >= 0 && (entry < 0 || hops < nearest)) {
				entry = r;
				nearest = hops;
			}
		}
		if (entry >= 0)
			add_via(e, entry, 1.0 / (e->ngroups - 2));
	}
}

/* Any router of another node (by_node: as often as it has nodes) but the two at the ends; on
 * dragonflies none of the other end's group, unless it is the own one. */
static void list_routers(struct expected *e, int a, int b, bool by_node)
{
	const struct topo *topo = e->topo;
	int from = topo->router_of[a], to = topo->router_of[b];

	for (int r = 0; r < topo->nrouters; r++) {
		if (r == from || r == to)
			continue;
		if (e->group_of != NULL && e->group_of[from] != e->group_of[to] &&
		    e->group_of[r] == e->group_of[to])
			continue;
		add_via(e, r, by_node ? (double)e->nnodes[r] / topo->nnodes : 1.0 / topo->nrouters);
	}
}

static void list_vias(struct expected *e, int a, int b)
{
	const struct pick *pick = &e->routing->pick;
	bool is_local = e->routing->type->detour == DETOUR_LOCAL;

	e->vias.n = 0;
	if (e->topo->router_of[a] == e->topo->router_of[b])
		return;
	if (e->group_of == NULL)
		list_routers(e, a, b, true);
	else if (is_local || pick_is(pick, "via", "group"))
		list_groups(e, a, b);
	else
		list_routers(e, a, b, pick_is(pick, "via", "node"));
}

/* ---- all of it ---- */

static int by_channel(const void *a, const void *b)
{
	const struct channel_share *x = a, *y = b;

	return (x->channel > y->channel) - (x->channel < y->channel);
}

/* Parts of one channel are added up, from the least on, whatever their order was. */
static int by_channel_and_share(const void *a, const void *b)
{
	const struct channel_share *x = a, *y = b;
	int order = by_channel(a, b);

	return order != 0 ? order : (x->share > y->share) - (x->share < y->share);
}

static void join(const channel_shares *parts, channel_shares *shares)
{
	qsort(parts->at, parts->n, sizeof(*parts->at), by_channel_and_share);
	for (size_t i = 0; i < parts->n; i++) {
		if (shares->n == 0 || shares->at[shares->n - 1].channel != parts->at[i].channel)
			vec_push(shares, parts->at[i]);
		else
			shares->at[shares->n - 1].share += parts->at[i].share;
	}
}

/* By one intermediate place; returns how likely that is. */
static double add_detour(struct expected *e, int a, int b, const struct via *via)
{
	double weight = (1 - e->minimal) * via->chance;
	size_t before = e->all.n;

	if (find_leg(e, a, via->node) != 0)
		return 0;
	take_leg(e, via->node, weight);
	if (find_leg(e, via->node, b) != 0) {
		e->all.n = before;
		return 0;
	}
	take_leg(e, via->node, weight);
	return weight;
}

int expected_shares(struct expected *e, int a, int b, channel_shares *shares)
{
	double minimal = 1;

	shares->n = e->all.n = e->vias.n = 0;
	if (e->minimal < 1)
		list_vias(e, a, b);
	for (size_t i = 0; i < e->vias.n; i++)
		minimal -= add_detour(e, a, b, &e->vias.at[i]);
	if (find_leg(e, a, b) != 0)
		return -1;
	if (minimal > 1e-12)
		take_leg(e, -1, minimal);
	join(&e->all, shares);
	return 0;
}
