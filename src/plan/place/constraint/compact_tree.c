/* compact_tree.c - the least sum of levels: a knapsack from the leaves of a tree to its root */
#include <stdlib.h>

#include "place/constraint/compact.h"

/* What x = 0 … n nodes below a vertex cost at least, and then the least sum of their ranks. */
struct table {
	int n;
	int64_t *cost, *value; /* [n + 1] */
};

/* How many of x nodes the last of the children merged so far gets: [n + 1] */
struct share {
	int child;
	int *of;
};

struct knapsack {
	const struct pool *pool;
	const struct machine *machine;
	const int *rank;
	int wanted;
	VEC(struct share) * shares[TOPO_LEVELS + 1]; /* [domains] of each tier */
	int_vec *nodes;
};

static void table_init(struct table *table, int n)
{
	table->n = n;
	table->cost = xcalloc((size_t)n + 1, sizeof(int64_t));
	table->value = xcalloc((size_t)n + 1, sizeof(int64_t));
}

static void table_free(struct table *table)
{
	free(table->cost);
	free(table->value);
}

struct ranked {
	int rank, node;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The nodes of a leaf switch by rank; to be freed. */
static struct ranked *leaf_nodes(const struct knapsack *sack, int router, int *n)
{
	int_vec nodes = {0};
	struct ranked *ranked;

	pool_add(sack->pool, router, &nodes);
	ranked = xmalloc((nodes.n + 1) * sizeof(*ranked));
	for (size_t i = 0; i < nodes.n; i++)
		ranked[i] = (struct ranked){
			sack->rank != NULL ? sack->rank[nodes.at[i]] : nodes.at[i], nodes.at[i]};
	*n = (int)nodes.n;
	if (nodes.n > 1)
		qsort(ranked, nodes.n, sizeof(*ranked), by_rank);
	free(nodes.at);
	return ranked;
}

static struct table solve_leaf(const struct knapsack *sack, int router)
{
	int n;
	struct ranked *ranked = leaf_nodes(sack, router, &n);
	struct table table;

	table_init(&table, n < sack->wanted ? n : sack->wanted);
	for (int x = 1; x <= table.n; x++) {
		table.cost[x] = table.cost[x - 1] + x - 1;
		table.value[x] = table.value[x - 1] + ranked[x - 1].rank;
	}
	free(ranked);
	return table;
}

/* Pairs across the two are a level apart. */
static void merge(struct table *into, const struct table *child, int level, int most,
		  struct share *share)
{
	struct table sum;

	table_init(&sum, into->n + child->n < most ? into->n + child->n : most);
	share->of = xmalloc(((size_t)sum.n + 1) * sizeof(int));
	for (int x = 0; x <= sum.n; x++)
		sum.cost[x] = COMPACT_NONE;
	for (int a = 0; a <= into->n; a++)
		for (int b = 0; b <= child->n && a + b <= sum.n; b++) {
			int64_t cost = into->cost[a] + child->cost[b] + (int64_t)level * a * b;
			int64_t value = into->value[a] + child->value[b];

			if (cost > sum.cost[a + b] ||
			    (cost == sum.cost[a + b] && value >= sum.value[a + b]))
				continue;
			sum.cost[a + b] = cost;
			sum.value[a + b] = value;
			share->of[a + b] = b;
		}
	table_free(into);
	*into = sum;
}

/* The children of a domain of a tier ≥ 1; tier ntiers is the machine. */
static const int *children_of(const struct machine *machine, int tier, int domain, int *n)
{
	if (tier == machine->ntiers) {
		*n = machine->ndomains[tier - 1];
		return NULL; /* all of them, in order */
	}
	*n = machine->first[tier][domain + 1] - machine->first[tier][domain];
	return &machine->member[tier][machine->first[tier][domain]];
}

static struct table solve(struct knapsack *sack, int tier, int domain)
{
	struct table table;
	const int *child;
	int n;

	if (tier == 0)
		return solve_leaf(sack, domain);
	child = children_of(sack->machine, tier, domain, &n);
	table_init(&table, 0);
	for (int i = 0; i < n; i++) {
		struct share share = {.child = child != NULL ? child[i] : i};
		struct table below = solve(sack, tier - 1, share.child);

		if (below.n > 0) {
			merge(&table, &below, tier + 1, sack->wanted, &share);
			vec_push(&sack->shares[tier][domain], share);
		}
		table_free(&below);
	}
	return table;
}

static void give(struct knapsack *sack, int tier, int domain, int x)
{
	if (tier == 0) {
		int n;
		struct ranked *ranked = leaf_nodes(sack, domain, &n);

		for (int i = 0; i < x; i++)
			vec_push(sack->nodes, ranked[i].node);
		free(ranked);
		return;
	}
	for (size_t i = sack->shares[tier][domain].n; i-- > 0;) {
		const struct share *share = &sack->shares[tier][domain].at[i];
		int b = share->of[x];

		if (b > 0)
			give(sack, tier - 1, share->child, b);
		x -= b;
	}
}

int64_t compact_tree(const struct pool *pool, const struct machine *machine, const int *rank,
		     int wanted, int_vec *nodes)
{
	struct knapsack sack = {pool, machine, rank, wanted, .nodes = nodes};
	int top = machine->ntiers;
	int64_t cost = COMPACT_NONE;
	struct table table;

	for (int tier = 1; tier <= top; tier++)
		sack.shares[tier] = xcalloc(tier < top ? (size_t)machine->ndomains[tier] : 1,
					    sizeof(*sack.shares[tier]));
	table = solve(&sack, top, 0);
	if (table.n == wanted) {
		cost = table.cost[wanted];
		if (nodes != NULL)
			give(&sack, top, 0, wanted);
	}
	table_free(&table);
	for (int tier = 1; tier <= top; tier++) {
		for (int d = 0; d < (tier < top ? machine->ndomains[tier] : 1); d++) {
			for (size_t i = 0; i < sack.shares[tier][d].n; i++)
				free(sack.shares[tier][d].at[i].of);
			free(sack.shares[tier][d].at);
		}
		free(sack.shares[tier]);
	}
	return cost;
}
