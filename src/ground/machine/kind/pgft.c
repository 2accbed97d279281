/* pgft.c - parallel generalised fat trees: shape and links */
#include "machine/kind/pgft.h"

#include <stdio.h>
#include <stdlib.h>

enum { VERTICES_MOST = 1 << 26 };

/* Fills the products; each is checked before it is taken further. */
static int64_t multiply(struct pgft *tree)
{
	int64_t nodes = 1, tops = 1, nrouters = 0;

	tree->tops[0] = tree->nodes_below[0] = 1;
	for (int l = 1; l <= tree->nlevels; l++) {
		nodes *= tree->m[l];
		tops *= tree->w[l];
		if (nodes > VERTICES_MOST || tops > VERTICES_MOST)
			return -1;
		tree->nodes_below[l] = (int)nodes;
		tree->tops[l] = (int)tops;
	}
	for (int l = 1; l <= tree->nlevels; l++) {
		tree->first[l] = (int)nrouters;
		nrouters += nodes / tree->nodes_below[l] * tree->tops[l];
		if (nrouters > VERTICES_MOST)
			return -1;
	}
	tree->first[tree->nlevels + 1] = (int)nrouters;
	return nrouters;
}

/* Cables between level l − 1 and l. */
static int64_t ncables(const struct pgft *tree, int l)
{
	int64_t below = tree->nodes_below[tree->nlevels] / tree->nodes_below[l - 1];

	return below * tree->tops[l - 1] * tree->w[l] * tree->p[l];
}

/* Subtrees of level l + 1 as domains; a switch above them is in none. */
static void add_tiers(struct topo *topo, const struct pgft *tree)
{
	for (int l = 2; l < tree->nlevels; l++) {
		int n = tree->nodes_below[tree->nlevels] / tree->nodes_below[l];
		int nbelow = topo->tiers[topo->ntiers - 1].n;
		int *of = xmalloc((size_t)nbelow * sizeof(*of));
		char name[24];

		for (int i = 0; i < nbelow; i++)
			of[i] = l > 2                ? i / tree->m[l]
				: i < tree->first[2] ? i / tree->tops[1] / tree->m[2]
				: i < tree->first[3] ? (i - tree->first[2]) / tree->tops[2]
						     : -1;
		snprintf(name, sizeof(name), "level%d", l);
		topo_tier_add(topo, l == 2 ? "pod" : name, n, of);
	}
}

int pgft_shape(struct topo *topo, const int64_t *m, const int64_t *w, const int64_t *p, int nlevels,
	       struct err *err)
{
	struct pgft *tree = xcalloc(1, sizeof(*tree));
	int64_t nrouters, nlinks = 0;
	int *leaf_of;

	topo->shape = tree;
	if (nlevels > PGFT_LEVELS)
		return err_set(err, "%d levels are more than %d", nlevels, PGFT_LEVELS);
	tree->nlevels = nlevels;
	for (int l = 1; l <= nlevels; l++) {
		tree->m[l] = (int)m[l - 1];
		tree->w[l] = (int)w[l - 1];
		tree->p[l] = (int)p[l - 1];
	}
	nrouters = multiply(tree);
	if (nrouters < 0)
		return err_set(err, "there are too many nodes or switches: more than %d",
			       VERTICES_MOST);
	for (int l = 1; l <= nlevels; l++)
		nlinks += ncables(tree, l);
	if (topo_set_size(topo, tree->nodes_below[nlevels], nrouters, nlinks, err) != 0)
		return -1;
	leaf_of = xmalloc((size_t)topo->nnodes * sizeof(*leaf_of));
	for (int node = 0; node < topo->nnodes; node++)
		leaf_of[node] = node / tree->m[1] * tree->w[1];
	topo_tier_add(topo, "router", topo->nrouters, leaf_of);
	topo->router_of = leaf_of;
	add_tiers(topo, tree);
	for (int l = 2; l <= nlevels; l++) {
		char name[24];

		snprintf(name, sizeof(name), "level%d", l);
		topo_level_add(topo, name);
	}
	return 0;
}

/* From every vertex of level l − 1 to its parents. */
static void level_links(const struct topo *topo, int l, topo_link_fn *add, void *context)
{
	const struct pgft *tree = topo->shape;
	int nsubtrees = topo->nnodes / tree->nodes_below[l - 1];
	int vertex = l == 1 ? 0 : topo->nnodes + tree->first[l - 1];

	for (int subtree = 0; subtree < nsubtrees; subtree++) {
		int above = topo->nnodes + tree->first[l] + subtree / tree->m[l] * tree->tops[l];

		for (int b = 0; b < tree->tops[l - 1]; b++, vertex++)
			for (int up = 0; up < tree->w[l]; up++)
				for (int cable = 0; cable < tree->p[l]; cable++)
					add(context, vertex, above + b + up * tree->tops[l - 1], l);
	}
}

void pgft_links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct pgft *tree = topo->shape;

	for (int l = 1; l <= tree->nlevels; l++) /* link level 1 is the terminal one, 2 "level2" */
		level_links(topo, l, add, context);
}

/*
 * Any permutation of nodes can be routed at the rate at which the narrowest level can carry its
 * share, by splitting every flow evenly over all parents and cables; so no cut that halves the
 * nodes is narrower than half of that level, and where its subtrees can be halved, this cut is.
 */
int pgft_bisection(const struct topo *topo, double *bytes_per_s, const char **how)
{
	const struct pgft *tree = topo->shape;
	double best = 0;
	bool is_exact = false;

	if (tree->nlevels < 2 || tree->w[1] > 1)
		return -1;
	for (int l = 2; l <= tree->nlevels; l++) {
		double half = (double)ncables(tree, l) / 2 * topo->levels[l].bandwidth;
		bool is_even = topo->nnodes / tree->nodes_below[l - 1] % 2 == 0;

		if (l == 2 || half < best) {
			best = half;
			is_exact = is_even;
		} else if (half == best) {
			is_exact = is_exact || is_even;
		}
	}
	*bytes_per_s = best;
	*how = "exact: half of the narrowest level's cables, of a fat tree";
	return is_exact ? 0 : -1;
}

/* Every level in a separate row, each switch over the middle of what is below it. */
void pgft_place(const struct topo *topo, int router, double *x, double *y)
{
	const struct pgft *tree = topo->shape;
	int l = 1, n;

	while (router >= tree->first[l + 1])
		l++;
	n = tree->first[l + 1] - tree->first[l];
	*x = (router - tree->first[l] + .5) * (tree->first[2] > n ? tree->first[2] : n) / n;
	*y = 3. * (tree->nlevels - l);
}

const struct pgft *pgft_view(const struct topo *topo)
{
	return topo->shape;
}

void pgft_free(struct topo *topo)
{
	free(topo->shape);
}
