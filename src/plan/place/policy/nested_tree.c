/* nested_tree.c - the best choice of units in a tree of domains, exactly */
#include "place/policy/nested_tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Mixed-radix: domains used by level, then idle units left by level. 64 bits are too few at four
 * levels. */
typedef unsigned __int128 cost;
#define COST_NONE (~(cost)0)

void nested_tree_make(struct nested_tree *tree, int *parent)
{
	int n = tree->first[tree->nlevels + 1];

	tree->parent = parent;
	tree->child_first = xcalloc((size_t)n + 2, sizeof(int));
	tree->child = xmalloc(((size_t)n + 1) * sizeof(int));
	tree->idle = xcalloc((size_t)n + 1, sizeof(int));
	for (int v = 1; v < n; v++)
		if (parent[v] >= 0)
			tree->child_first[parent[v] + 2]++;
	for (int v = 0; v < n; v++)
		tree->child_first[v + 2] += v + 2 <= n ? tree->child_first[v + 1] : 0;
	for (int v = 1; v < n; v++)
		if (parent[v] >= 0)
			tree->child[tree->child_first[parent[v] + 1]++] = v;
}

void nested_tree_free(struct nested_tree *tree)
{
	free(tree->parent);
	free(tree->child_first);
	free(tree->child);
	free(tree->idle);
}

struct choosing {
	const struct nested_tree *tree;
	const struct nested_request *request;
	int unit[NESTED_LEVELS]; /* what the units of a domain are multiples of */
	cost of_domain[NESTED_LEVELS], of_left[NESTED_LEVELS];
	int *cap; /* [vertices] the most units that can be had below, as they are asked for */
};

/* The least cost of each multiple of a unit below a vertex, and what its children give then. */
struct cost_table {
	int v, level, n; /* entries 0 … n - 1, of unit[level] each */
	cost *at;
	int nchildren;
	struct cost_table *children; /* NULL: a leaf */
	int32_t **split;             /* [nchildren] of each sum of the first i + 1: units of i */
};

/* ---- what there is ---- */

static int reduce(const struct nested_request *request, int level, int units)
{
	if (request->most[level] > 0 && units > request->most[level])
		units = request->most[level];
	return request->slice[level] > 0 ? units - units % request->slice[level] : units;
}

static void find_caps(struct choosing *choosing, struct nested_tree *tree)
{
	for (int level = tree->nlevels; level >= 0; level--)
		for (int v = tree->first[level]; v < tree->first[level + 1]; v++) {
			if (level < tree->nlevels)
				tree->idle[v] = choosing->cap[v] = 0;
			else
				choosing->cap[v] = tree->idle[v];
			for (int i = tree->child_first[v];
			     level < tree->nlevels && i < tree->child_first[v + 1]; i++) {
				tree->idle[v] += tree->idle[tree->child[i]];
				choosing->cap[v] += choosing->cap[tree->child[i]];
			}
			choosing->cap[v] = reduce(choosing->request, level, choosing->cap[v]);
		}
}

/* The last components go where 128 bits are too few. */
static void find_weights(struct choosing *choosing)
{
	const struct nested_tree *tree = choosing->tree;
	int nlevels = tree->nlevels;
	cost radix[2 * NESTED_LEVELS], weight = 1;
	int n = 0, dropped = 0;

	for (int level = nlevels; level >= 1; level--)
		radix[n++] = (cost)tree->idle[0] + 1;
	for (int level = nlevels; level >= 1; level--) {
		int ndomains = tree->first[level + 1] - tree->first[level];

		radix[n++] =
			(cost)(ndomains < choosing->request->units ? ndomains
								   : choosing->request->units) +
			1;
	}
	for (int i = n - 1; i >= 0; i--) {
		if (weight >> 90 != 0) /* radixes have 32 bits at most */
			dropped++;
		else
			weight *= radix[i];
	}
	weight = 1;
	for (int i = 0; i < n; i++) {
		cost *at = i < nlevels ? &choosing->of_left[nlevels - i]
				       : &choosing->of_domain[2 * nlevels - i];

		*at = i < dropped ? 0 : weight;
		weight *= i < dropped ? 1 : radix[i];
	}
}

/* Of a domain that gives so many units; COST_NONE: it may not. */
static cost own_cost(const struct choosing *choosing, int v, int level, int units)
{
	const struct nested_request *request = choosing->request;

	if (units == 0 || level == 0)
		return 0;
	if ((request->most[level] > 0 && units > request->most[level]) ||
	    units < request->least[level] ||
	    (request->slice[level] > 0 && units % request->slice[level] != 0))
		return COST_NONE;
	return choosing->of_domain[level] +
	       choosing->of_left[level] * (cost)(choosing->tree->idle[v] - units);
}

/* ---- tables ---- */

static void table_free(struct cost_table *table)
{
	for (int i = 0; i < table->nchildren; i++) {
		table_free(&table->children[i]);
		free(table->split[i]);
	}
	free(table->children);
	free(table->split);
	free(table->at);
}

/* The sums [*n] of one more child; their split is kept. */
static cost *join(const cost *sums, int *n, const struct cost_table *child, int most,
		  int32_t **split)
{
	int nall = *n + child->n - 1;
	cost *all;

	nall = nall > most ? most : nall;
	all = xmalloc((size_t)nall * sizeof(*all));
	*split = xmalloc((size_t)nall * sizeof(**split));
	for (int i = 0; i < nall; i++) {
		all[i] = COST_NONE;
		(*split)[i] = -1;
	}
	/* the first children give most: ties go to the lowest numbers */
	for (int a = *n - 1; a >= 0; a--) {
		if (sums[a] == COST_NONE)
			continue;
		for (int b = 0; b < child->n && a + b < nall; b++)
			if (child->at[b] != COST_NONE && sums[a] + child->at[b] < all[a + b]) {
				all[a + b] = sums[a] + child->at[b];
				(*split)[a + b] = b;
			}
	}
	*n = nall;
	return all;
}

static void table_make(const struct choosing *choosing, struct cost_table *table, int v, int level,
		       int units)
{
	const struct nested_tree *tree = choosing->tree;
	int most = choosing->cap[v] < units ? choosing->cap[v] : units, step = 1, nsums = 1;
	cost *sums = NULL;

	*table = (struct cost_table){.v = v, .level = level, .n = most / choosing->unit[level] + 1};
	table->at = xmalloc((size_t)table->n * sizeof(cost));
	if (level < tree->nlevels) {
		table->nchildren = tree->child_first[v + 1] - tree->child_first[v];
		table->children = xcalloc((size_t)table->nchildren + 1, sizeof(*table->children));
		table->split = xcalloc((size_t)table->nchildren + 1, sizeof(*table->split));
		step = choosing->unit[level] / choosing->unit[level + 1];
		sums = xcalloc(1, sizeof(*sums));
	}
	for (int i = 0; i < table->nchildren; i++) {
		cost *all;

		table_make(choosing, &table->children[i], tree->child[tree->child_first[v] + i],
			   level + 1, most);
		all = join(sums, &nsums, &table->children[i], (table->n - 1) * step + 1,
			   &table->split[i]);
		free(sums);
		sums = all;
	}
	for (int k = 0; k < table->n; k++) {
		cost own = own_cost(choosing, v, level, k * choosing->unit[level]);
		cost below = sums == NULL ? 0 : k * step < nsums ? sums[k * step] : COST_NONE;

		table->at[k] = own == COST_NONE || below == COST_NONE ? COST_NONE : own + below;
	}
	free(sums);
}

/* What each vertex gives where the table's gives so many units. */
static void follow(const struct choosing *choosing, const struct cost_table *table, int units,
		   int *taken)
{
	int left;

	taken[table->v] = units;
	if (table->nchildren == 0)
		return;
	left = units / choosing->unit[table->level + 1];
	for (int i = table->nchildren - 1; i >= 0; i--) {
		int part = table->split[i][left];

		follow(choosing, &table->children[i], part * choosing->unit[table->level + 1],
		       taken);
		left -= part;
	}
}

/* ---- one vertex ---- */

static cost by_table(const struct choosing *choosing, int v, int level, int units, int *taken)
{
	struct cost_table table;
	cost least;

	table_make(choosing, &table, v, level, units);
	least = units / choosing->unit[level] < table.n ? table.at[units / choosing->unit[level]]
							: COST_NONE;
	if (taken != NULL && least != COST_NONE)
		follow(choosing, &table, units, taken);
	table_free(&table);
	return least;
}

/*
 * The least cost of so many units below v, its own included. One child is less than several, as
 * outer levels count first: tables are for those which no child has room for.
 */
static cost solve(const struct choosing *choosing, int v, int level, int units, int *taken)
{
	const struct nested_tree *tree = choosing->tree;
	cost own = own_cost(choosing, v, level, units), least = COST_NONE;
	int best = -1;

	if (own == COST_NONE || choosing->cap[v] < units)
		return COST_NONE;
	if (taken != NULL)
		taken[v] = units;
	if (level == tree->nlevels)
		return own;
	for (int i = tree->child_first[v]; i < tree->child_first[v + 1]; i++) {
		int child = tree->child[i];
		cost below = choosing->cap[child] < units
				     ? COST_NONE
				     : solve(choosing, child, level + 1, units, NULL);

		if (below < least) {
			least = below;
			best = child;
		}
	}
	if (best >= 0) {
		if (taken != NULL)
			solve(choosing, best, level + 1, units, taken);
		return own + least;
	}
	return level < choosing->request->single ? COST_NONE
						 : by_table(choosing, v, level, units, taken);
}

static bool find(struct nested_tree *tree, const struct nested_request *request, int *taken)
{
	struct choosing choosing = {.tree = tree, .request = request};
	int nvertices = tree->first[tree->nlevels + 1], unit = 1;
	bool is_found = false;

	for (int level = tree->nlevels; level >= 0; level--) {
		unit = request->slice[level] > 0 ? request->slice[level] : unit;
		choosing.unit[level] = unit;
	}
	choosing.cap = xmalloc(((size_t)nvertices + 1) * sizeof(int));
	memset(taken, 0, (size_t)nvertices * sizeof(*taken));
	find_caps(&choosing, tree);
	if (request->units % unit == 0 && choosing.cap[0] >= request->units) {
		find_weights(&choosing);
		is_found = solve(&choosing, 0, 0, request->units, taken) != COST_NONE;
	}
	free(choosing.cap);
	return is_found;
}

static int count_used(const struct nested_tree *tree, const int *taken, int level)
{
	int n = 0;

	for (int v = tree->first[level]; v < tree->first[level + 1]; v++)
		n += taken[v] > 0;
	return n;
}

/* Whether it uses no more domains of any level. */
static bool uses_as_few(const struct nested_tree *tree, const int *taken, const int *other)
{
	for (int level = 1; level <= tree->nlevels; level++)
		if (count_used(tree, taken, level) != count_used(tree, other, level))
			return false;
	return true;
}

bool nested_best(struct nested_tree *tree, const struct nested_request *request, int *taken)
{
	int nvertices = tree->first[tree->nlevels + 1], low, high, level = request->balance;
	struct nested_request again = *request;
	int *other;

	if (!find(tree, request, taken))
		return false;
	if (level == 0)
		return true;
	other = xmalloc(((size_t)nvertices + 1) * sizeof(*other));
	low = request->least[level] > 0 ? request->least[level] : 1;
	high = request->units / count_used(tree, taken, level);
	while (low < high) {
		int middle = low + (high - low + 1) / 2;

		again.least[level] = middle;
		if (find(tree, &again, other) && uses_as_few(tree, taken, other)) {
			memcpy(taken, other, (size_t)nvertices * sizeof(*taken));
			low = middle;
		} else {
			high = middle - 1;
		}
	}
	free(other);
	return true;
}
