/* dragonfly.c - groups of routers that are joined within, and to each other by global links */
#include <stdlib.h>

#include "machine/kind/dragonfly.h"

/* ---- shape ---- */

static int wire(struct dragonfly *df, const struct pick *pick, struct err *err)
{
	bool has_h = pick_has(pick, "links-per-router");
	int64_t others = df->groups - 1, most = INT64_MAX, each = 1;

	if (has_h)
		most = pick_int(pick, "links-per-router") * df->routers;
	if (pick_has(pick, "links"))
		each = pick_int(pick, "links");
	else if (has_h && others > 0)
		each = most / others;
	if (others > 0 && (each < 1 || each * others > most))
		return err_set(
			err,
			"a group has %lld global links (routers times links-per-router), too "
			"few for %lld to each of %lld other groups",
			(long long)most, each < 1 ? 1LL : (long long)each, (long long)others);
	if (each * others > 1 << 26)
		return err_set(err, "a group would have %lld global links",
			       (long long)(each * others));
	df->links = (int)each;
	df->gate = xmalloc(((size_t)(df->links * others) + 1) * sizeof(*df->gate));
	for (int64_t i = 0; i < df->links * others; i++)
		df->gate[i] = (int)(i * df->routers / (df->links * others));
	return 0;
}

/* What is not given follows from links-per-router h: a = 2h, p = h, g = ah + 1 (Kim et al.). */
static int read_sizes(struct dragonfly *df, const struct pick *pick, struct err *err)
{
	bool has_h = pick_has(pick, "links-per-router");
	int64_t h = has_h ? pick_int(pick, "links-per-router") : 0, routers = 2 * h, groups;
	const struct value *sizes = pick_value(pick, "routers");

	if (!has_h && (!sizes->is_set || !pick_has(pick, "nodes") || !pick_has(pick, "groups")))
		return err_set(err, "it needs groups=, routers= and nodes=, or "
				    "links-per-router= for a balanced one");
	df->rows = 1;
	if (sizes->is_set && sizes->nsizes > 2)
		return err_set(err, "routers: '%s' has more than two dimensions", sizes->text);
	if (sizes->is_set) {
		routers = sizes->sizes[0];
		df->rows = sizes->nsizes == 2 ? (int)sizes->sizes[1] : 1;
	}
	df->columns = (int)routers;
	routers *= df->rows;
	groups = pick_has(pick, "groups") ? pick_int(pick, "groups") : routers * h + 1;
	if (routers > 1 << 26 || groups > 1 << 26)
		return err_set(err, "there are too many routers to be numbered");
	df->routers = (int)routers;
	df->groups = (int)groups;
	df->nodes = (int)(pick_has(pick, "nodes") ? pick_int(pick, "nodes") : h);
	df->row_links = (int)pick_int(pick, "row-links");
	df->column_links = (int)pick_int(pick, "column-links");
	df->arrangement = pick_is(pick, "arrangement", "absolute")   ? ABSOLUTE
			  : pick_is(pick, "arrangement", "relative") ? RELATIVE
								     : CIRCULANT;
	return 0;
}

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	struct dragonfly *df = xcalloc(1, sizeof(*df));
	int64_t nrouters, nlinks;
	int *group_of;

	topo->shape = df;
	if (read_sizes(df, pick, err) != 0 || wire(df, pick, err) != 0)
		return -1;
	nrouters = (int64_t)df->groups * df->routers;
	nlinks = nrouters *
		 ((int64_t)(df->columns - 1) * df->row_links +
		  (int64_t)(df->rows - 1) * df->column_links) /
		 2;
	if (nrouters > 1 << 26) /* before the products below grow too large */
		return topo_set_size(topo, 1, nrouters, 1, err);
	nlinks += (int64_t)df->groups * (df->groups - 1) / 2 * df->links;
	if (topo_set_size(topo, nrouters * df->nodes, nrouters, nlinks + nrouters * df->nodes,
			  err) != 0)
		return -1;
	topo_set_routers(topo, df->nodes);
	group_of = xmalloc((size_t)nrouters * sizeof(*group_of));
	for (int group = 0, r = 0; group < df->groups; group++)
		for (int i = 0; i < df->routers; i++)
			group_of[r++] = group;
	topo_tier_add(topo, "group", df->groups, group_of);
	topo_level_add(topo, "local");
	topo_level_add(topo, "global");
	return 0;
}

/* ---- links ---- */

static void local_links(const struct topo *topo, int group, topo_link_fn *add, void *context)
{
	const struct dragonfly *df = topo->shape;
	int first = topo->nnodes + group * df->routers;

	for (int r = 0; r < df->routers; r++) {
		int row_end = r / df->columns * df->columns + df->columns;

		for (int mate = r + 1; mate < row_end; mate++)
			for (int cable = 0; cable < df->row_links; cable++)
				add(context, first + r, first + mate, LEVEL_LOCAL);
		for (int mate = r + df->columns; mate < df->routers; mate += df->columns)
			for (int cable = 0; cable < df->column_links; cable++)
				add(context, first + r, first + mate, LEVEL_LOCAL);
	}
}

static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct dragonfly *df = topo->shape;

	topo_add_terminals(topo, add, context);
	for (int group = 0; group < df->groups; group++)
		local_links(topo, group, add, context);
	for (int a = 0; a < df->groups; a++)
		for (int b = a + 1; b < df->groups; b++)
			for (int i = 0; i < df->links; i++)
				add(context,
				    topo->nnodes + a * df->routers + dragonfly_gate(df, a, b, i),
				    topo->nnodes + b * df->routers + dragonfly_gate(df, b, a, i),
				    LEVEL_GLOBAL);
}

/* ---- routes ---- */

static int distance(const struct topo *topo, int a, int b)
{
	const struct dragonfly *df = topo->shape;
	int group_a = a / df->routers, group_b = b / df->routers, best = INT32_MAX;

	a %= df->routers;
	b %= df->routers;
	if (group_a == group_b)
		return dragonfly_local(df, a, b);
	for (int i = 0; i < df->links && best > 1; i++) {
		int hops = dragonfly_local(df, a, dragonfly_gate(df, group_a, group_b, i)) + 1 +
			   dragonfly_local(df, dragonfly_gate(df, group_b, group_a, i), b);

		best = hops < best ? hops : best;
	}
	return best;
}

/* Along the row first, then the column; a and b are numbers within the group. */
static int local_next(const struct dragonfly *df, int a, int b, int node_b, int *cable)
{
	int column_a = a % df->columns, column_b = b % df->columns;

	if (column_a != column_b) {
		*cable = node_b % df->row_links;
		return a - column_a + column_b;
	}
	*cable = node_b % df->column_links;
	return b;
}

/* How many global links are on a way with the fewest hops; *chosen becomes the one of the number
 * wanted among them. */
static int best_links(const struct dragonfly *df, int group_a, int a, int group_b, int b,
		      int wanted, int *chosen)
{
	int best = INT32_MAX, n = 0;

	for (int i = 0; i < df->links; i++) {
		int hops = dragonfly_local(df, a, dragonfly_gate(df, group_a, group_b, i)) +
			   dragonfly_local(df, dragonfly_gate(df, group_b, group_a, i), b);

		if (hops > best)
			continue;
		if (hops < best)
			n = 0;
		best = hops;
		if (n++ == wanted)
			*chosen = i;
	}
	return n;
}

/* Of the best links the one that the destination's number picks. */
static int pick_link(const struct dragonfly *df, int group_a, int a, int group_b, int b, int node_b)
{
	int chosen = 0, n;

	if (df->links == 1)
		return 0;
	n = best_links(df, group_a, a, group_b, b, 0, &chosen);
	if (n > 1)
		best_links(df, group_a, a, group_b, b, node_b % n, &chosen);
	return chosen;
}

static int next(const struct topo *topo, int a, int b, int node_b, int *cable)
{
	const struct dragonfly *df = topo->shape;
	int group_a = a / df->routers, group_b = b / df->routers, link, gate_a, gate_b;
	int in_a = a % df->routers, in_b = b % df->routers;

	if (group_a == group_b)
		return group_a * df->routers + local_next(df, in_a, in_b, node_b, cable);
	link = pick_link(df, group_a, in_a, group_b, in_b, node_b);
	gate_a = dragonfly_gate(df, group_a, group_b, link);
	gate_b = dragonfly_gate(df, group_b, group_a, link);
	if (in_a != gate_a)
		return group_a * df->routers + local_next(df, in_a, gate_a, node_b, cable);
	*cable = 0;
	for (int i = 0; i < link; i++)
		*cable += dragonfly_gate(df, group_a, group_b, i) == gate_a &&
			  dragonfly_gate(df, group_b, group_a, i) == gate_b;
	return group_b * df->routers + gate_b;
}

static int choices(const struct topo *topo, int router_a, int router_b)
{
	const struct dragonfly *df = topo->shape;

	(void)router_a;
	(void)router_b;
	return df->links == 1 && df->row_links == 1 && df->column_links == 1 ? 1 : INT32_MAX;
}

/* ---- drawing ---- */

/* Groups as blocks, in rows of about the root of their number. */
static void place(const struct topo *topo, int router, double *x, double *y)
{
	const struct dragonfly *df = topo->shape;
	int group = router / df->routers, in = router % df->routers, across = 1, wide = 1;

	while (across * across < df->groups)
		across++;
	while (wide * wide < df->routers)
		wide++;
	if (df->rows > 1)
		wide = df->columns;
	*x = group % across * (wide + 1.) + in % wide;
	*y = group / across * ((df->routers + wide - 1) / wide + 1.) + in / wide;
}

static const struct dragonfly *as_dragonfly(const struct topo *topo)
{
	return topo->shape;
}

static void free_shape(struct topo *topo)
{
	struct dragonfly *df = topo->shape;

	if (df != NULL)
		free(df->gate);
	free(df);
}

static const struct param params[] = {
	{.key = "groups",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .optional = true,
	 .meaning = "groups (g); routers times links-per-router + 1 where it is absent"},
	{.key = "routers",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1 << 26,
	 .optional = true,
	 .meaning = "routers of a group (a), all joined; 16x6: 6 rows of 16, joined along rows and "
		    "columns; 2 links-per-router where it is absent"},
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .optional = true,
	 .meaning = "nodes of a router (p); links-per-router where it is absent"},
	TOPO_GROUP_LINKS("links-per-router"),
	{.key = "links-per-router",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .optional = true,
	 .meaning = "global links a router can have (h): groups <= a h + 1"},
	{.key = "arrangement",
	 .type = PARAM_WORD,
	 .def = "absolute",
	 .choices = "absolute|relative|circulant",
	 .meaning = "which router of a group has the link to which other group"},
	TOPO_CABLES("row-links", "routers of a row (or of a group without rows)"),
	TOPO_CABLES("column-links", "routers of a column"),
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	TOPO_LEVEL_PARAMS("global"),
	{.key = NULL},
};

const struct topo_type topo_type_dragonfly = {
	.entry =
		{
			.name = "dragonfly",
			.summary = "groups of routers, every pair of groups joined by global links",
			.paper = "Kim, Dally, Scott, Abts: Technology-driven, "
				 "highly-scalable dragonfly topology, ISCA 2008; "
				 "arrangements: Hastings et al., CLUSTER 2015; rows and "
				 "columns: Faanes et al., Cray Cascade, SC 2012",
			.example = "dragonfly:groups=5,routers=4,nodes=2",
			.params = params,
		},
	.family = "dragonfly",
	.shape = shape,
	.links = links,
	.distance = distance,
	.is_distance_routed = true,
	.next = next,
	.choices = choices,
	.distances = dragonfly_distances,
	.pairs = dragonfly_pairs,
	.within = dragonfly_within,
	.as_dragonfly = as_dragonfly,
	.place = place,
	.free_shape = free_shape,
};
