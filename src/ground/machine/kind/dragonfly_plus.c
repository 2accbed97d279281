/* dragonfly_plus.c - Dragonfly+: groups of leaves and spines, whose spines have the global links */
#include <stdlib.h>

#include "machine/kind/shape.h"

enum { LEVEL_LOCAL = LINK_TERMINAL + 1, LEVEL_GLOBAL };

/*
 * Leaf l of group g is router g·leaves + l; the spines follow all leaves: spine s of group g is
 * groups·leaves + g·spines + s. Each leaf is joined to each spine of its group. The global ports of
 * a group are numbered round by round, in each round one to every other group in ascending order,
 * and are spread evenly over the spines, in order.
 */
struct dragonfly_plus {
	int groups, leaves, spines;
	int nodes;  /* of a leaf */
	int links;  /* global, per pair of groups */
	int cables; /* from a leaf to a spine */
};

/* A router in words: number is of the leaf or the spine in its group. */
struct place {
	int group, number;
	bool is_spine;
};

static struct place place_of(const struct dragonfly_plus *dfp, int router)
{
	int nleaves = dfp->groups * dfp->leaves;

	if (router < nleaves)
		return (struct place){router / dfp->leaves, router % dfp->leaves, false};
	router -= nleaves;
	return (struct place){router / dfp->spines, router % dfp->spines, true};
}

static int spine_at(const struct dragonfly_plus *dfp, int group, int spine)
{
	return dfp->groups * dfp->leaves + group * dfp->spines + spine;
}

/* The spine of group a that has global link i to group b. */
static int gate(const struct dragonfly_plus *dfp, int a, int b, int i)
{
	int64_t others = dfp->groups - 1, port = i * others + (b < a ? b : b - 1);

	return (int)(port * dfp->spines / (dfp->links * others));
}

/* ---- shape ---- */

static int count_links(struct dragonfly_plus *dfp, const struct pick *pick, struct err *err)
{
	int64_t others = dfp->groups - 1, links = 1, most;

	if (pick_has(pick, "links"))
		links = pick_int(pick, "links");
	if (pick_has(pick, "links-per-spine")) {
		most = pick_int(pick, "links-per-spine") * dfp->spines;
		if (!pick_has(pick, "links") && others > 0)
			links = most / others;
		if (others > 0 && (links < 1 || links * others > most))
			return err_set(err,
				       "a group has %lld global links (spines times "
				       "links-per-spine), too few for %lld to each "
				       "of %lld other groups",
				       (long long)most, links < 1 ? 1LL : (long long)links,
				       (long long)others);
	}
	if (links * others > 1 << 26)
		return err_set(err, "a group would have %lld global links",
			       (long long)(links * others));
	dfp->links = (int)links;
	return 0;
}

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	struct dragonfly_plus *dfp = xcalloc(1, sizeof(*dfp));
	int64_t nleaves, nrouters, nlinks;
	int *group_of;

	topo->shape = dfp;
	*dfp = (struct dragonfly_plus){
		.groups = (int)pick_int(pick, "groups"),
		.leaves = (int)pick_int(pick, "leaves"),
		.spines = (int)pick_int(pick, "spines"),
		.nodes = (int)pick_int(pick, "nodes"),
		.cables = (int)pick_int(pick, "cables"),
	};
	nleaves = (int64_t)dfp->groups * dfp->leaves;
	nrouters = nleaves + (int64_t)dfp->groups * dfp->spines;
	if (nrouters > 1 << 26) /* before the products below grow too large */
		return topo_set_size(topo, 1, nrouters, 1, err);
	if (count_links(dfp, pick, err) != 0)
		return -1;
	nlinks = nleaves * dfp->spines * dfp->cables +
		 (int64_t)dfp->groups * (dfp->groups - 1) / 2 * dfp->links;
	if (topo_set_size(topo, nleaves * dfp->nodes, nrouters, nlinks + nleaves * dfp->nodes,
			  err) != 0)
		return -1;
	topo_set_routers(topo, dfp->nodes);
	group_of = xmalloc((size_t)nrouters * sizeof(*group_of));
	for (int router = 0; router < nrouters; router++)
		group_of[router] = place_of(dfp, router).group;
	topo_tier_add(topo, "group", dfp->groups, group_of);
	topo_level_add(topo, "local");
	topo_level_add(topo, "global");
	return 0;
}

static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct dragonfly_plus *dfp = topo->shape;
	int nleaves = dfp->groups * dfp->leaves;

	topo_add_terminals(topo, add, context);
	for (int leaf = 0; leaf < nleaves; leaf++)
		for (int spine = 0; spine < dfp->spines; spine++)
			for (int cable = 0; cable < dfp->cables; cable++)
				add(context, topo->nnodes + leaf,
				    topo->nnodes + spine_at(dfp, leaf / dfp->leaves, spine),
				    LEVEL_LOCAL);
	for (int a = 0; a < dfp->groups; a++)
		for (int b = a + 1; b < dfp->groups; b++)
			for (int i = 0; i < dfp->links; i++)
				add(context, topo->nnodes + spine_at(dfp, a, gate(dfp, a, b, i)),
				    topo->nnodes + spine_at(dfp, b, gate(dfp, b, a, i)),
				    LEVEL_GLOBAL);
}

/* ---- routes ---- */

/* Links between two routers of one group. */
static int local_hops(struct place a, struct place b)
{
	if (a.is_spine != b.is_spine)
		return 1;
	return a.number == b.number ? 0 : 2;
}

/* Links on the route that takes global link i. */
static int hops_over(const struct dragonfly_plus *dfp, struct place a, struct place b, int i)
{
	struct place from = {a.group, gate(dfp, a.group, b.group, i), true};
	struct place to = {b.group, gate(dfp, b.group, a.group, i), true};

	return local_hops(a, from) + 1 + local_hops(to, b);
}

static int distance(const struct topo *topo, int router_a, int router_b)
{
	const struct dragonfly_plus *dfp = topo->shape;
	struct place a = place_of(dfp, router_a), b = place_of(dfp, router_b);
	int best = INT32_MAX, least = 1 + !a.is_spine + !b.is_spine;

	if (a.group == b.group)
		return local_hops(a, b);
	for (int i = 0; i < dfp->links && best > least; i++) {
		int hops = hops_over(dfp, a, b, i);

		best = hops < best ? hops : best;
	}
	return best;
}

/* Of the global links on the shortest routes the one that node_b picks. */
static int pick_link(const struct dragonfly_plus *dfp, struct place a, struct place b, int node_b)
{
	int best = INT32_MAX, n = 0;

	if (!a.is_spine && !b.is_spine) /* all are alike */
		return node_b % dfp->links;
	for (int i = 0; i < dfp->links; i++) {
		int hops = hops_over(dfp, a, b, i);

		n = hops < best ? 1 : n + (hops == best);
		best = hops < best ? hops : best;
	}
	n = node_b % n;
	for (int i = 0;; i++)
		if (hops_over(dfp, a, b, i) == best && n-- == 0)
			return i;
}

/* The neighbour of a on the way to another router of its group. */
static int local_next(const struct dragonfly_plus *dfp, struct place a, struct place b, int node_b,
		      int *cable)
{
	*cable = node_b % dfp->cables;
	if (b.is_spine && !a.is_spine)
		return spine_at(dfp, b.group, b.number);
	if (!b.is_spine && a.is_spine)
		return b.group * dfp->leaves + b.number;
	if (a.is_spine) /* from spine to spine by a leaf */
		return a.group * dfp->leaves + node_b % dfp->leaves;
	return spine_at(dfp, a.group, node_b % dfp->spines);
}

static int next(const struct topo *topo, int router_a, int router_b, int node_b, int *cable)
{
	const struct dragonfly_plus *dfp = topo->shape;
	struct place a = place_of(dfp, router_a), b = place_of(dfp, router_b);
	int link, from, to;

	if (a.group == b.group)
		return local_next(dfp, a, b, node_b, cable);
	link = pick_link(dfp, a, b, node_b);
	from = gate(dfp, a.group, b.group, link);
	to = gate(dfp, b.group, a.group, link);
	if (!a.is_spine || a.number != from)
		return local_next(dfp, a, (struct place){a.group, from, true}, node_b, cable);
	*cable = 0;
	for (int i = 0; i < link; i++)
		*cable += gate(dfp, a.group, b.group, i) == from &&
			  gate(dfp, b.group, a.group, i) == to;
	return spine_at(dfp, b.group, to);
}

/* Nodes are at leaves: 0 links on one leaf, 2 in a group, 3 between groups. */
static void distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct dragonfly_plus *dfp = topo->shape;
	uint64_t n = (uint64_t)topo->nnodes, per = (uint64_t)dfp->nodes;
	uint64_t group = per * (uint64_t)dfp->leaves;

	topo_counts_start(counts, dfp->groups > 1 ? 3 : dfp->leaves > 1 ? 2 : 0);
	counts->pairs[0] = n * (per - 1);
	if (counts->longest >= 2)
		counts->pairs[2] = n * (group - per);
	if (counts->longest == 3)
		counts->pairs[3] = n * (n - group);
}

/* ---- drawing ---- */

/* Groups as blocks in rows of about the root of their number: spines above leaves. */
static void place(const struct topo *topo, int router, double *x, double *y)
{
	const struct dragonfly_plus *dfp = topo->shape;
	struct place at = place_of(dfp, router);
	int across = 1, wide = dfp->leaves > dfp->spines ? dfp->leaves : dfp->spines;

	while (across * across < dfp->groups)
		across++;
	*x = at.group % across * (wide + 1.) + at.number +
	     (wide - (at.is_spine ? dfp->spines : dfp->leaves)) / 2.;
	*y = at.group / across * 3. + !at.is_spine;
}

static void free_shape(struct topo *topo)
{
	free(topo->shape);
}

static const struct param params[] = {
	{.key = "groups", .type = PARAM_INT, .min = 1, .max = 1 << 20, .meaning = "groups"},
	{.key = "leaves",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 16,
	 .meaning = "leaf routers of a group; they have the nodes"},
	{.key = "spines",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 16,
	 .meaning = "spine routers of a group, each joined to every "
		    "leaf; they have the global links"},
	{.key = "nodes", .type = PARAM_INT, .min = 1, .max = 1 << 20, .meaning = "nodes of a leaf"},
	TOPO_GROUP_LINKS("links-per-spine"),
	{.key = "links-per-spine",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 16,
	 .optional = true,
	 .meaning = "global links a spine can have"},
	TOPO_CABLES("cables", "a leaf and a spine"),
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	TOPO_LEVEL_PARAMS("global"),
	{.key = NULL},
};

const struct topo_type topo_type_dragonfly_plus = {
	.entry =
		{
			.name = "dragonfly-plus",
			.summary = "Dragonfly+: groups of leaf and spine "
				   "routers, joined by their spines",
			.paper = "Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi: Dragonfly+: "
				 "low cost topology for scaling datacenters, HiPINEB 2017",
			.example = "dragonfly-plus:groups=3,leaves=2,spines=2,nodes=2",
			.params = params,
		},
	.family = "dragonfly-plus",
	.shape = shape,
	.links = links,
	.distance = distance,
	.next = next,
	.distances = distances,
	.place = place,
	.free_shape = free_shape,
};
