/* gpc.c - the QDR part of the GPC cluster at SciNet, as the PTRAM paper describes it */
#include <stdio.h>
#include <stdlib.h>

#include "machine/kind/shape.h"

/*
 * 103 leaf switches of 30 nodes each have 3 cables to either of two core switches. A core is 18
 * line and 9 spine switches, every line joined to every spine by 2 cables; leaf j hangs on line
 * ⌊j/6⌋. The drawing (Fig. 4) does not say which cables go to which line; this choice keeps the
 * three of a leaf together.
 */
enum {
	LEAVES = 103,
	PER_LEAF = 30,
	CORES = 2,
	LINES = 18,
	SPINES = 9,
	PER_LINE = 6,
	LEAF_CABLES = 3,
	SPINE_CABLES = 2,
	CORE_SIZE = LINES + SPINES,
	LEVEL_LINE = LINK_TERMINAL + 1,
	LEVEL_SPINE,
};

enum kind { LEAF, LINE, SPINE };

struct place {
	enum kind kind;
	int core; /* of lines and spines */
	int number;
};

static struct place place_of(int router)
{
	struct place place = {LEAF, 0, router};

	if (router < LEAVES)
		return place;
	router -= LEAVES;
	place.core = router / CORE_SIZE;
	place.number = router % CORE_SIZE;
	place.kind = place.number < LINES ? LINE : SPINE;
	place.number -= place.kind == SPINE ? LINES : 0;
	return place;
}

static int line_at(int core, int line)
{
	return LEAVES + core * CORE_SIZE + line;
}

static int spine_at(int core, int spine)
{
	return LEAVES + core * CORE_SIZE + LINES + spine;
}

static void name_routers(struct topo *topo)
{
	topo->router_names = xcalloc((size_t)topo->nrouters, sizeof(*topo->router_names));
	for (int router = 0; router < topo->nrouters; router++) {
		struct place place = place_of(router);
		char name[32];
		int n = place.kind == LEAF ? snprintf(name, sizeof(name), "leaf%03d", place.number)
			: place.kind == LINE ? snprintf(name, sizeof(name), "core%d-line%02d",
							place.core, place.number)
					     : snprintf(name, sizeof(name), "core%d-spine%d",
							place.core, place.number);

		topo->router_names[router] = arena_strndup(&topo->arena, name, (size_t)n);
		map_set(&topo->router_ids, name, (size_t)n, router);
	}
}

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	int *pod_of;

	(void)pick;
	if (topo_set_size(topo, LEAVES * PER_LEAF, LEAVES + CORES * CORE_SIZE, 1, err) != 0)
		return -1;
	topo->node_pattern = "n%04d";
	topo->cores = 8;
	topo->inside = (struct topo_inside){2, {2, 4}, {"package", "core"}}; /* §V */
	topo_set_routers(topo, PER_LEAF);
	pod_of = xmalloc((size_t)topo->nrouters * sizeof(*pod_of));
	for (int router = 0; router < topo->nrouters; router++) {
		struct place place = place_of(router);

		pod_of[router] = place.kind == LEAF   ? place.number / PER_LINE
				 : place.kind == LINE ? place.number
						      : -1;
	}
	topo_tier_add(topo, "pod", LINES, pod_of);
	topo_level_add(topo, "level2");
	topo_level_add(topo, "level3");
	if (!pick_has(pick, "router-names"))
		name_routers(topo);
	return 0;
}

static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	int first = topo->nnodes;

	for (int node = 0; node < topo->nnodes; node++)
		add(context, node, first + node / PER_LEAF, LINK_TERMINAL);
	for (int leaf = 0; leaf < LEAVES; leaf++)
		for (int core = 0; core < CORES; core++)
			for (int cable = 0; cable < LEAF_CABLES; cable++)
				add(context, first + leaf, first + line_at(core, leaf / PER_LINE),
				    LEVEL_LINE);
	for (int core = 0; core < CORES; core++)
		for (int line = 0; line < LINES; line++)
			for (int spine = 0; spine < SPINES; spine++)
				for (int cable = 0; cable < SPINE_CABLES; cable++)
					add(context, first + line_at(core, line),
					    first + spine_at(core, spine), LEVEL_SPINE);
}

static int distance(const struct topo *topo, int router_a, int router_b)
{
	struct place a = place_of(router_a), b = place_of(router_b);
	bool is_core_same;

	(void)topo;
	if (router_a == router_b)
		return 0;
	if (a.kind > b.kind) {
		struct place swap = a;

		a = b;
		b = swap;
	}
	is_core_same = a.core == b.core;
	if (a.kind == LEAF && b.kind == LEAF)
		return a.number / PER_LINE == b.number / PER_LINE ? 2 : 4;
	if (a.kind == LEAF && b.kind == LINE)
		return a.number / PER_LINE == b.number ? 1 : 3;
	if (a.kind == LEAF)
		return 2;
	if (a.kind == LINE && b.kind == LINE)
		return is_core_same || a.number == b.number ? 2 : 4;
	if (a.kind == LINE)
		return is_core_same ? 1 : 3;
	return is_core_same ? 2 : 4;
}

/* A leaf below the line, to cross from one core to the other. */
static int leaf_below(int line, int node)
{
	int first = line * PER_LINE;
	int n = first + PER_LINE <= LEAVES ? PER_LINE : LEAVES - first;

	return first + node % n;
}

/* D-mod-k by the destination d: from a leaf by d mod 6 to core ⌊·/3⌋ with cable · mod 3; from a
 * line by ⌊d/6⌋ mod 18 to spine · mod 9 with cable ⌊·/9⌋; downwards the mirror image. */
static int next(const struct topo *topo, int router_a, int router_b, int node_b, int *cable)
{
	struct place a = place_of(router_a), b = place_of(router_b);
	int by_leaf = node_b % (CORES * LEAF_CABLES);
	int by_line = node_b / (CORES * LEAF_CABLES) % (SPINES * SPINE_CABLES);
	int pod = b.kind == LEAF ? b.number / PER_LINE : b.number;

	(void)topo;
	*cable = by_leaf % LEAF_CABLES;
	if (a.kind == LEAF)
		return line_at(b.kind == LEAF ? by_leaf / LEAF_CABLES : b.core,
			       a.number / PER_LINE);
	if (a.kind == LINE && b.kind == LEAF && a.number == pod)
		return router_b;
	if (a.kind == LINE && b.kind != LEAF && a.core != b.core &&
	    (b.kind == SPINE || a.number == b.number))
		return leaf_below(a.number, node_b);
	*cable = by_line / SPINES;
	if (a.kind == LINE)
		return spine_at(a.core, b.kind == SPINE ? b.number : by_line % SPINES);
	return line_at(a.core, b.kind == SPINE ? node_b % LINES : pod);
}

static void distances(const struct topo *topo, struct distance_counts *counts)
{
	uint64_t n = (uint64_t)topo->nnodes, same_pod = 0;

	for (int leaf = 0; leaf < LEAVES; leaf += PER_LINE) {
		uint64_t in_pod = LEAVES - leaf < PER_LINE ? LEAVES - leaf : PER_LINE;

		same_pod += in_pod * in_pod * PER_LEAF * PER_LEAF;
	}
	topo_counts_start(counts, 4);
	counts->pairs[0] = n * (PER_LEAF - 1);
	counts->pairs[2] = same_pod - n * PER_LEAF;
	counts->pairs[4] = n * n - same_pod;
}

static void place(const struct topo *topo, int router, double *x, double *y)
{
	struct place at = place_of(router);

	(void)topo;
	*y = at.kind == LEAF ? 6 : at.kind == LINE ? 3 : 0;
	*x = at.kind == LEAF   ? at.number
	     : at.kind == LINE ? (at.core * LINES + at.number + .5) * LEAVES / (CORES * LINES)
			       : (at.core * SPINES + at.number + .5) * LEAVES / (CORES * SPINES);
}

static const struct param params[] = {
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("level2"),
	TOPO_LEVEL_PARAMS("level3"),
	{.key = NULL},
};

const struct topo_type topo_type_gpc = {
	.entry =
		{
			.name = "gpc",
			.summary = "the 3 090 QDR nodes of the GPC cluster: "
				   "103 leaf and 2 core switches",
			.paper = "Mirsadeghi and Afsahi, PTRAM, Fig. 4",
			.example = "gpc",
			.params = params,
		},
	.family = "gpc",
	.shape = shape,
	.links = links,
	.distance = distance,
	.next = next,
	.is_tree_like = true,
	.distances = distances,
	.place = place,
};
