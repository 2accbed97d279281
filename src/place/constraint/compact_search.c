/* compact_search.c - small sums of distances: on lines, by growth, by branch and bound */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/compact.h"

enum { BRANCH_ROUTERS = 1024 };

int64_t compact_sum(const struct space *space, const int *nodes, int n)
{
	int64_t sum = 0;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			sum += space_distance(space, nodes[i], nodes[k]);
	return sum;
}

/* ---- lines ---- */

/* Nodes in order of their routers: q that follow each other in the pool have the least sum among
 * those that begin with the same one. */
int64_t compact_line(const struct pool *pool, const int *rank, int wanted, int_vec *nodes)
{
	const int *router_of = pool->space->topo->router_of;
	int64_t best = COMPACT_NONE, best_value = 0, sum = 0, total = 0, value = 0;
	int_vec all = {0};
	size_t q = (size_t)wanted, first = 0;

	for (int r = 0; r < pool->space->topo->nrouters; r++)
		pool_add(pool, r, &all);
	/* total: of the positions of the last q − 1 nodes */
	for (size_t i = 0; i < all.n; i++) {
		int64_t at = router_of[all.at[i]], n = i < q - 1 ? (int64_t)i : wanted - 1;

		if (i >= q) { /* the first one leaves */
			int64_t gone = router_of[all.at[i - q]];

			sum -= total - (wanted - 1) * gone;
			value -= rank != NULL ? rank[all.at[i - q]] : 0;
		}
		sum += n * at - total;
		total += at;
		value += rank != NULL ? rank[all.at[i]] : 0;
		if (i + 1 >= q) {
			if (sum < best || (sum == best && value < best_value)) {
				best = sum;
				best_value = value;
				first = i + 1 - q;
			}
			total -= router_of[all.at[i + 1 - q]];
		}
	}
	for (size_t i = first; best != COMPACT_NONE && nodes != NULL && i < first + q; i++)
		vec_push(nodes, all.at[i]);
	free(all.at);
	return best;
}

/* ---- growth ---- */

struct growing {
	const struct pool *pool;
	const int *rank;
	int n;
	int *node;      /* [n] of the pool, by rank */
	int64_t *added; /* [nrouters] distances to the set */
	int *distance;  /* [nrouters] */
	bool *is_in;    /* [n] */
	int_vec set;
};

static void take(struct growing *growing, int place, int64_t *sum)
{
	const struct space *space = growing->pool->space;
	int r = space->topo->router_of[growing->node[place]];

	*sum += growing->added[r];
	space_distances(space, r, growing->distance);
	for (int k = 0; k < space->topo->nrouters; k++)
		growing->added[k] += growing->distance[k];
	growing->is_in[place] = true;
	vec_push(&growing->set, growing->node[place]);
}

static int64_t grow_from(struct growing *growing, int centre, int wanted)
{
	const struct topo *topo = growing->pool->space->topo;
	int64_t sum = 0;

	memset(growing->added, 0, (size_t)topo->nrouters * sizeof(*growing->added));
	memset(growing->is_in, 0, (size_t)growing->n);
	growing->set.n = 0;
	take(growing, centre, &sum);
	while (growing->set.n < (size_t)wanted) {
		int best = -1;

		for (int i = 0; i < growing->n; i++)
			if (!growing->is_in[i] &&
			    (best < 0 ||
			     growing->added[topo->router_of[growing->node[i]]] <
				     growing->added[topo->router_of[growing->node[best]]]))
				best = i;
		take(growing, best, &sum);
	}
	return sum;
}

struct ranked {
	int rank, node;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

static void list_by_rank(struct growing *growing)
{
	const struct pool *pool = growing->pool;
	struct ranked *ranked = xmalloc((size_t)pool->n * sizeof(*ranked));

	for (int node = 0; node < pool->space->topo->nnodes; node++)
		if (pool->has[node])
			ranked[growing->n++] = (struct ranked){
				growing->rank != NULL ? growing->rank[node] : node, node};
	qsort(ranked, (size_t)growing->n, sizeof(*ranked), by_rank);
	growing->node = xmalloc((size_t)growing->n * sizeof(int));
	for (int i = 0; i < growing->n; i++)
		growing->node[i] = ranked[i].node;
	free(ranked);
}

int64_t compact_grow(const struct pool *pool, const int *rank, int wanted, int64_t *steps,
		     int_vec *nodes)
{
	struct growing growing = {.pool = pool, .rank = rank};
	size_t nrouters = (size_t)pool->space->topo->nrouters;
	int64_t best = COMPACT_NONE;

	if (pool->n < wanted)
		return COMPACT_NONE;
	list_by_rank(&growing);
	growing.added = xmalloc(nrouters * sizeof(*growing.added));
	growing.distance = xmalloc(nrouters * sizeof(int));
	growing.is_in = xmalloc((size_t)growing.n);
	for (int centre = 0; centre < growing.n && (centre == 0 || *steps > 0); centre++) {
		int64_t sum = grow_from(&growing, centre, wanted);

		*steps -= (int64_t)wanted * ((int64_t)nrouters + growing.n);
		if (sum >= best)
			continue;
		best = sum;
		for (int i = nodes->n = 0; i < wanted; i++)
			vec_push(nodes, growing.set.at[i]);
	}
	free(growing.node);
	free(growing.added);
	free(growing.distance);
	free(growing.is_in);
	free(growing.set.at);
	return best;
}

/* ---- branch and bound ---- */

struct branching {
	const struct space *space;
	int n, wanted;
	int *node;     /* [n] of the pool */
	int *distance; /* [n · n] between them */
	int closest;   /* no two nodes are closer than that */
	int64_t *limit, *steps;
	int64_t *added; /* [depth · n]: distances to the set, for each depth */
	int_vec set;
	int (*visit)(void *context, const int *nodes);
	void *context;
};

/* What so many more of the places from i on add at least. */
static int64_t least_more(const struct branching *b, int i, const int64_t *added)
{
	int64_t missing = b->wanted - (int64_t)b->set.n, least = INT64_MAX;

	for (int k = i; k < b->n; k++)
		if (added[k] < least)
			least = added[k];
	return missing * least + missing * (missing - 1) / 2 * b->closest;
}

static int branch(struct branching *b, int from, int64_t sum)
{
	const int64_t *added = &b->added[b->set.n * (size_t)b->n];
	int64_t *next = &b->added[(b->set.n + 1) * (size_t)b->n];
	int end = SEARCH_ALL;

	if (b->set.n == (size_t)b->wanted) {
		if (b->visit != NULL)
			return b->visit(b->context, b->set.at) ? SEARCH_STOP : SEARCH_ALL;
		*b->limit = sum - 1; /* only what is less matters from now on */
		return SEARCH_ALL;
	}
	for (int i = from; i + b->wanted - (int)b->set.n <= b->n && end == SEARCH_ALL; i++) {
		if ((*b->steps -= b->n) < 0)
			return SEARCH_BOUND;
		if (sum + least_more(b, i, added) > *b->limit)
			return SEARCH_ALL;
		if (sum + added[i] > *b->limit)
			continue;
		for (int k = i; k < b->n; k++)
			next[k] = added[k] + b->distance[(int64_t)i * b->n + k];
		vec_push(&b->set, b->node[i]);
		end = branch(b, i + 1, sum + added[i]);
		b->set.n--;
	}
	return end;
}

int compact_branch(const struct pool *pool, int wanted, int64_t *limit, int64_t *steps,
		   int (*visit)(void *context, const int *nodes), void *context)
{
	const struct space *space = pool->space;
	int64_t least = *limit;
	struct branching b = {.space = space,
			      .wanted = wanted,
			      .limit = visit != NULL ? limit : &least,
			      .steps = steps,
			      .visit = visit,
			      .context = context};
	int end;

	if (pool->n < wanted)
		return SEARCH_ALL;
	if (pool->n > BRANCH_ROUTERS)
		return SEARCH_BOUND;
	b.node = xmalloc((size_t)pool->n * sizeof(int));
	for (int node = 0; node < space->topo->nnodes; node++)
		if (pool->has[node])
			b.node[b.n++] = node;
	b.distance = xmalloc((size_t)b.n * (size_t)b.n * sizeof(int));
	b.closest = INT32_MAX;
	for (int i = 0; i < b.n; i++)
		for (int k = 0; k < b.n; k++) {
			int distance = space_distance(space, b.node[i], b.node[k]);

			b.distance[(int64_t)i * b.n + k] = distance;
			if (i != k && distance < b.closest)
				b.closest = distance;
		}
	b.added = xcalloc(((size_t)wanted + 2) * (size_t)b.n, sizeof(int64_t));
	end = branch(&b, 0, 0);
	if (visit == NULL && least < *limit)
		*limit = least + 1;
	free(b.node);
	free(b.distance);
	free(b.added);
	free(b.set.at);
	return end;
}
