/* hyperx.c - HyperX: routers on a grid, each joined to all others of every row it is in */
#include <stdlib.h>

#include "machine/kind/grid.h"
#include "machine/stats/farthest.h"
#include "machine/stats/within.h"

enum { LEVEL_LOCAL = LINK_TERMINAL + 1, LEVEL_GLOBAL };
enum { HYPERX_DIMS = 16 };

/* Routers are numbered with the first dimension varying fastest. */
struct hyperx {
	int ndims;
	int sizes[HYPERX_DIMS], strides[HYPERX_DIMS], cables[HYPERX_DIMS];
	int nodes; /* of a router */
};

static int read_sizes(struct hyperx *hx, const struct pick *pick, int64_t *nrouters,
		      struct err *err)
{
	const struct value *dims = pick_value(pick, "dims"), *cables = pick_value(pick, "cables");

	if (dims->nsizes > HYPERX_DIMS)
		return err_set(err, "dims: '%s' has more than %d dimensions", dims->text,
			       HYPERX_DIMS);
	if (cables->is_set && cables->nsizes != dims->nsizes)
		return err_set(err, "cables: '%s' needs %d numbers, one per dimension",
			       cables->text, dims->nsizes);
	hx->ndims = dims->nsizes;
	hx->nodes = (int)pick_int(pick, "nodes");
	*nrouters = 1;
	for (int d = 0; d < hx->ndims; d++) {
		hx->sizes[d] = (int)dims->sizes[d];
		hx->strides[d] = (int)*nrouters;
		hx->cables[d] = cables->is_set ? (int)cables->sizes[d] : 1;
		*nrouters *= dims->sizes[d];
		if (*nrouters > 1 << 26)
			return err_set(err, "there are too many routers to be numbered");
	}
	return 0;
}

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	struct hyperx *hx = xcalloc(1, sizeof(*hx));
	int64_t nrouters = 1, nlinks = 0;
	int *row_of;

	topo->shape = hx;
	if (read_sizes(hx, pick, &nrouters, err) != 0)
		return -1;
	for (int d = 0; d < hx->ndims; d++)
		nlinks += nrouters * (hx->sizes[d] - 1) / 2 * hx->cables[d];
	if (topo_set_size(topo, nrouters * hx->nodes, nrouters, nlinks + nrouters * hx->nodes,
			  err) != 0)
		return -1;
	topo_set_routers(topo, hx->nodes);
	if (hx->ndims > 1) {
		row_of = xmalloc((size_t)nrouters * sizeof(*row_of));
		for (int router = 0; router < nrouters; router++)
			row_of[router] = router / hx->sizes[0];
		topo_tier_add(topo, "group", (int)(nrouters / hx->sizes[0]), row_of);
	}
	topo_level_add(topo, "local");
	if (hx->ndims > 1)
		topo_level_add(topo, "global");
	return 0;
}

static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct hyperx *hx = topo->shape;

	topo_add_terminals(topo, add, context);
	for (int router = 0; router < topo->nrouters; router++)
		for (int d = 0; d < hx->ndims; d++) {
			int at = router / hx->strides[d] % hx->sizes[d];

			for (int mate = 1; at + mate < hx->sizes[d]; mate++)
				for (int cable = 0; cable < hx->cables[d]; cable++)
					add(context, topo->nnodes + router,
					    topo->nnodes + router + mate * hx->strides[d],
					    d == 0 ? LEVEL_LOCAL : LEVEL_GLOBAL);
		}
}

static int distance(const struct topo *topo, int a, int b)
{
	const struct hyperx *hx = topo->shape;
	int hops = 0;

	for (int d = 0; d < hx->ndims; d++)
		hops += a / hx->strides[d] % hx->sizes[d] != b / hx->strides[d] % hx->sizes[d];
	return hops;
}

/* Dimension order, the first dimension first. */
static int next(const struct topo *topo, int a, int b, int node_b, int *cable)
{
	const struct hyperx *hx = topo->shape;

	for (int d = 0; d < hx->ndims; d++) {
		int step = b / hx->strides[d] % hx->sizes[d] - a / hx->strides[d] % hx->sizes[d];

		*cable = node_b % hx->cables[d];
		if (step != 0)
			return a + step * hx->strides[d];
	}
	return b;
}

static int choices(const struct topo *topo, int a, int b)
{
	const struct hyperx *hx = topo->shape;

	for (int d = 0; d < hx->ndims; d++)
		if (a / hx->strides[d] % hx->sizes[d] != b / hx->strides[d] % hx->sizes[d])
			return hx->cables[d];
	return 1;
}

/* Ordered pairs of routers that differ in h dimensions: the coefficient of z^h in
 * N prod_d (1 + (S_d - 1) z). */
static void distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct hyperx *hx = topo->shape;
	uint64_t per = (uint64_t)hx->nodes;

	topo_counts_start(counts, hx->ndims);
	counts->pairs[0] = (uint64_t)topo->nrouters * per * per;
	for (int d = 0; d < hx->ndims; d++)
		for (int hops = d + 1; hops > 0; hops--)
			counts->pairs[hops] +=
				counts->pairs[hops - 1] * (uint64_t)(hx->sizes[d] - 1);
	counts->pairs[0] -= (uint64_t)topo->nnodes;
	while (counts->longest > 0 && counts->pairs[counts->longest] == 0)
		counts->longest--;
}

/* Two nodes are as many links apart as their routers differ in dimensions. */
static void pairs(const struct topo *topo, const struct router_counts *counts,
		  struct pair_links *found)
{
	const struct hyperx *hx = topo->shape;
	uint64_t all, same;
	int most = 0;

	topo_count_pairs(counts, &all, &same);
	for (int d = 0; d < hx->ndims; d++) {
		uint64_t *at = xcalloc((size_t)hx->sizes[d], sizeof(*at)), alike = 0;

		for (int i = 0; i < counts->n; i++)
			at[counts->routers[i] / hx->strides[d] % hx->sizes[d]] +=
				(uint64_t)counts->count_of[counts->routers[i]];
		for (int x = 0; x < hx->sizes[d]; x++)
			alike += at[x] * at[x];
		found->sum += all - alike;
		most += alike < all;
		free(at);
	}
	found->npairs = all - same;
	found->longest = farthest_find(
		topo, counts,
		&(struct farthest){hx->ndims, hx->sizes, hx->strides, farthest_where_joined}, most);
}

static bool within(const struct topo *topo, const struct router_counts *counts, const bool *is_open,
		   uint64_t *npairs)
{
	const struct hyperx *hx = topo->shape;

	*npairs = within_count(
		topo, counts, is_open,
		&(struct within){hx->ndims, hx->sizes, hx->strides, within_where_joined});
	return true;
}

static int compare_down(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/*
 * Links between the first chosen routers and the rest, where sizes fall and the first dimension
 * varies fastest: per row of the last dimension, layers full of them and one in part.
 */
static int64_t cut(const int *sizes, int ndims, int64_t below, int64_t chosen)
{
	int64_t full, part, size;

	if (ndims == 0)
		return 0;
	size = sizes[ndims - 1];
	below /= size;
	full = chosen / below;
	part = chosen % below;
	return part * (full + 1) * (size - full - 1) + (below - part) * full * (size - full) +
	       cut(sizes, ndims - 1, below, part);
}

/* First segments in this order have the fewest links to the rest (Lindsey, Assignment of numbers to
 * vertices, American Mathematical Monthly 1964). */
static int bisection(const struct topo *topo, double *bytes_per_s, const char **how)
{
	const struct hyperx *hx = topo->shape;
	double bandwidth = topo->levels[LEVEL_LOCAL].bandwidth;
	int sizes[HYPERX_DIMS];

	for (int d = 0; d < hx->ndims; d++) {
		sizes[d] = hx->sizes[d];
		if (hx->cables[d] != hx->cables[0])
			return -1;
	}
	if (topo->nrouters < 2 ||
	    (hx->ndims > 1 && topo->levels[LEVEL_GLOBAL].bandwidth != bandwidth))
		return -1;
	qsort(sizes, (size_t)hx->ndims, sizeof(*sizes), compare_down);
	*bytes_per_s = (double)(cut(sizes, hx->ndims, topo->nrouters, topo->nrouters / 2) *
				hx->cables[0]) *
		       bandwidth;
	*how = "exact: first half in the order of falling sizes, of a product of complete graphs";
	return 0;
}

static void place(const struct topo *topo, int router, double *x, double *y)
{
	const struct hyperx *hx = topo->shape;

	dims_place(hx->sizes, hx->strides, hx->ndims, router, x, y);
}

static void free_shape(struct topo *topo)
{
	free(topo->shape);
}

static const struct param params[] = {
	{.key = "dims",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1 << 26,
	 .meaning = "routers along each dimension, all joined; the first "
		    "varies fastest, and its rows are the groups"},
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .def = "1",
	 .meaning = "nodes of a router"},
	{.key = "cables",
	 .type = PARAM_SIZES,
	 .min = 1,
	 .max = 1024,
	 .optional = true,
	 .meaning = "parallel cables between two routers of a row, for each dimension; 1x1x1"},
	TOPO_COMMON_PARAMS,
	TOPO_LEVEL_PARAMS("local"),
	TOPO_LEVEL_PARAMS("global"),
	{.key = NULL},
};

const struct topo_type topo_type_hyperx = {
	.entry =
		{
			.name = "hyperx",
			.summary = "HyperX (flattened butterfly): a grid of routers, each joined "
				   "to all others of its rows",
			.paper = "Ahn, Binkert, Davis, McLaren, Schreiber: HyperX: topology, "
				 "routing, and packaging of efficient large-scale networks, SC "
				 "2009; Kim, Dally, Abts: Flattened butterfly, ISCA 2007",
			.example = "hyperx:dims=4x3,nodes=2",
			.params = params,
		},
	.family = "hyperx",
	.shape = shape,
	.links = links,
	.distance = distance,
	.next = next,
	.choices = choices,
	.distances = distances,
	.pairs = pairs,
	.within = within,
	.bisection = bisection,
	.place = place,
	.free_shape = free_shape,
};
