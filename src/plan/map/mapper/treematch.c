/* treematch.c - groups from below: nodes that talk much share a router, routers a group, … */
#include <stdlib.h>
#include <string.h>

#include "map/problem/problem.h"
#include "base/mem.h"

/*
 * After Jeannot and Mercier's TreeMatch: parts are grouped by the sizes of the routers, these
 * groups by those of the next tier, up to the machine. Where domains differ in what they have below
 * them, so do the groups requested: an item takes the place of a domain of its kind, which is
 * the kinds of its children (of a node: its room). Groups are filled one after the other, for the
 * largest domain first (ties to the first of the list): the item that talks most in all begins,
 * then joins whichever talks most with those inside; ties to the lowest number.
 */
struct level {
	int n;                           /* domains, and as many items */
	int *kind, *first_node, *nnodes; /* [n] nodes: places in the list of those used */
	int *first_child;                /* [n + 1] into children and picked */
	int *children;                   /* domains below, by domain */
	int *picked;                     /* items below, in the places of the children */
};

enum { LEVELS = TOPO_LEVELS + 2 };

struct grouping {
	const struct map_input *in;
	const int *used; /* [nused] nodes of the allocation, one for each part */
	int nused;
	struct level levels[LEVELS]; /* 0: nodes; the last: the machine */
	int nlevels;
};

static void level_alloc(struct level *level, int n, int nbelow)
{
	level->n = n;
	level->kind = xcalloc((size_t)n, sizeof(*level->kind));
	level->first_node = xcalloc((size_t)n, sizeof(*level->first_node));
	level->nnodes = xcalloc((size_t)n, sizeof(*level->nnodes));
	level->first_child = xcalloc((size_t)n + 1, sizeof(*level->first_child));
	level->children = xcalloc((size_t)nbelow + 1, sizeof(*level->children));
	level->picked = xcalloc((size_t)nbelow + 1, sizeof(*level->picked));
}

static void make_nodes(struct grouping *g)
{
	struct level *nodes = &g->levels[g->nlevels++];

	level_alloc(nodes, g->nused, 0);
	for (int i = 0; i < g->nused; i++) {
		nodes->kind[i] = g->in->room[g->used[i]];
		nodes->first_node[i] = i;
		nodes->nnodes[i] = 1;
	}
}

static int compare_ints(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* The sorted kinds of the children of domain d. */
static void child_kinds(const struct level *level, const struct level *below, int d, int_vec *kinds)
{
	kinds->n = 0;
	for (int i = level->first_child[d]; i < level->first_child[d + 1]; i++)
		vec_push(kinds, below->kind[level->children[i]]);
	qsort(kinds->at, kinds->n, sizeof(*kinds->at), compare_ints);
}

/* Domains with the same children are of one kind: that of the first. */
static void find_kinds(struct level *level, const struct level *below)
{
	int_vec mine = {0}, other = {0};

	for (int d = 0; d < level->n; d++) {
		level->kind[d] = d;
		child_kinds(level, below, d, &mine);
		for (int e = 0; e < d; e++) {
			if (level->kind[e] != e)
				continue;
			child_kinds(level, below, e, &other);
			if (mine.n == other.n &&
			    memcmp(mine.at, other.at, mine.n * sizeof(*mine.at)) == 0) {
				level->kind[d] = e;
				break;
			}
		}
	}
	vec_free(&mine);
	vec_free(&other);
}

/* A tier of the machine above the last level; tier -1: the whole machine. */
static void make_level(struct grouping *g, int tier)
{
	const struct level *below = &g->levels[g->nlevels - 1];
	struct level *level = &g->levels[g->nlevels];
	int ndomains = tier < 0 ? 1 : g->in->topo->tiers[tier].n, n = 0;
	int *number_of = xmalloc((size_t)ndomains * sizeof(*number_of));
	int *parent = xmalloc((size_t)below->n * sizeof(*parent)), *next;

	for (int d = 0; d < ndomains; d++)
		number_of[d] = -1;
	for (int i = 0; i < below->n; i++) {
		int node = g->in->nodes[g->used[below->first_node[i]]];
		int d = tier < 0 ? 0 : topo_domain(g->in->topo, node, tier);

		if (number_of[d] < 0)
			number_of[d] = n++;
		parent[i] = number_of[d];
	}
	level_alloc(level, n, below->n);
	for (int i = 0; i < below->n; i++)
		level->first_child[parent[i] + 1]++;
	for (int d = 0; d < n; d++)
		level->first_child[d + 1] += level->first_child[d];
	next = xmalloc(((size_t)n + 1) * sizeof(*next));
	memcpy(next, level->first_child, ((size_t)n + 1) * sizeof(*next));
	for (int i = 0; i < below->n; i++) {
		int d = parent[i];

		if (next[d] == level->first_child[d])
			level->first_node[d] = below->first_node[i];
		level->children[next[d]++] = i;
		level->nnodes[d] += below->nnodes[i];
	}
	find_kinds(level, below);
	g->nlevels++;
	free(number_of);
	free(parent);
	free(next);
}

/* The item not yet taken with the most bytes, of a kind that is still needed; wanted [kinds] */
static int choose(const struct level *below, const bool *is_taken, const int *wanted,
		  const double *bytes)
{
	int best = -1;

	for (int i = 0; i < below->n; i++)
		if (!is_taken[i] && wanted[below->kind[i]] > 0 &&
		    (best < 0 || bytes[i] > bytes[best]))
			best = i;
	return best;
}

static void put(struct level *level, const struct level *below, int domain, int item)
{
	for (int i = level->first_child[domain]; i < level->first_child[domain + 1]; i++)
		if (level->picked[i] < 0 && below->kind[level->children[i]] == below->kind[item]) {
			level->picked[i] = item;
			return;
		}
}

struct by_size {
	int domain, nnodes;
};

static int larger(const void *a, const void *b)
{
	const struct by_size *x = a, *y = b;

	return x->nnodes != y->nnodes ? (x->nnodes < y->nnodes) - (x->nnodes > y->nnodes)
				      : (x->domain > y->domain) - (x->domain < y->domain);
}

/* Fills the groups of a level. graph: of the items below; group_of [below->n] */
static void group(struct level *level, const struct level *below, const struct comm *graph,
		  int *group_of)
{
	bool *is_taken = xcalloc((size_t)below->n, sizeof(*is_taken));
	double *all = xcalloc((size_t)below->n, sizeof(*all));
	double *inside = xmalloc((size_t)below->n * sizeof(*inside));
	struct by_size *order = xmalloc((size_t)level->n * sizeof(*order));
	int most = 0, *wanted;

	for (int i = 0; i < below->n; i++) {
		most = below->kind[i] > most ? below->kind[i] : most;
		for (int64_t e = graph->first[i]; e < graph->first[i + 1]; e++)
			all[i] += graph->bytes[e];
	}
	wanted = xcalloc((size_t)most + 1, sizeof(*wanted));
	for (int d = 0; d < level->n; d++)
		order[d] = (struct by_size){d, level->nnodes[d]};
	qsort(order, (size_t)level->n, sizeof(*order), larger);
	for (int i = 0; i < below->n; i++)
		level->picked[i] = -1;
	for (int k = 0; k < level->n; k++) {
		int d = order[k].domain, n = level->first_child[d + 1] - level->first_child[d];

		for (int i = 0; i < n; i++)
			wanted[below->kind[level->children[level->first_child[d] + i]]]++;
		memset(inside, 0, (size_t)below->n * sizeof(*inside));
		for (int i = 0; i < n; i++) {
			int item = choose(below, is_taken, wanted, i == 0 ? all : inside);

			is_taken[item] = true;
			wanted[below->kind[item]]--;
			group_of[item] = d;
			put(level, below, d, item);
			for (int64_t e = graph->first[item]; e < graph->first[item + 1]; e++)
				inside[graph->peer[e]] += graph->bytes[e];
		}
	}
	free(is_taken);
	free(all);
	free(inside);
	free(order);
	free(wanted);
}

/* An item takes the place of a domain, and what it is made of the places below. */
static void settle(const struct grouping *g, int l, int item, int domain, int *node_of)
{
	const struct level *level = &g->levels[l];
	int n = level->first_child[domain + 1] - level->first_child[domain];
	bool *is_filled;

	if (l == 0) {
		node_of[item] = g->used[domain];
		return;
	}
	is_filled = xcalloc((size_t)n, sizeof(*is_filled));
	for (int i = 0; i < n; i++) {
		int below = level->picked[level->first_child[item] + i];
		int kind = g->levels[l - 1].kind[below], k = 0;

		while (is_filled[k] ||
		       g->levels[l - 1].kind[level->children[level->first_child[domain] + k]] !=
			       kind)
			k++;
		is_filled[k] = true;
		settle(g, l - 1, below, level->children[level->first_child[domain] + k], node_of);
	}
	free(is_filled);
}

static void free_levels(struct grouping *g)
{
	for (int l = 0; l < g->nlevels; l++) {
		free(g->levels[l].kind);
		free(g->levels[l].first_node);
		free(g->levels[l].nnodes);
		free(g->levels[l].first_child);
		free(g->levels[l].children);
		free(g->levels[l].picked);
	}
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	int *used = map_used_nodes(in, parts);
	struct grouping g = {.in = in, .used = used, .nused = parts->nparts};
	struct comm *graph = comm_symmetric(parts->comm);

	(void)pick, (void)err;
	make_nodes(&g);
	for (int tier = 0; tier < in->topo->ntiers; tier++)
		make_level(&g, tier);
	make_level(&g, -1);
	for (int l = 1; l < g.nlevels; l++) {
		int *group_of = xmalloc((size_t)g.levels[l - 1].n * sizeof(*group_of));
		struct comm *groups;

		group(&g.levels[l], &g.levels[l - 1], graph, group_of);
		groups = comm_quotient(graph, group_of, g.levels[l].n);
		comm_free(graph);
		graph = groups;
		free(group_of);
	}
	settle(&g, g.nlevels - 1, 0, 0, node_of);
	comm_free(graph);
	free_levels(&g);
	free(used);
	return 0;
}

const struct map_policy map_policy_treematch = {
	.entry =
		{
			.name = "treematch",
			.example = "treematch",
			.summary = "groups from the bottom up: what communicates most "
				   "shares a router, then a group",
			.paper = "Jeannot, Mercier, Tessier: Process "
				 "placement in multicore clusters",
		},
	.partition = "scotch",
	.refine = "none",
	.run = run,
};
