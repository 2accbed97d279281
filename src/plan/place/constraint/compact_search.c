/* compact_search.c - least sums of distances: on lines, by branch and bound */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/compact.h"

int64_t compact_sum(struct distances *distances, const int *nodes, int n)
{
	int64_t sum = 0;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			sum += distances_between(distances, nodes[i], nodes[k]);
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
	for (size_t i = first; best != COMPACT_NONE && i < first + q; i++)
		vec_push(nodes, all.at[i]);
	free(all.at);
	return best;
}

/* ---- branch and bound ---- */

struct branching {
	int n, wanted;
	int *node;     /* [n] of the pool */
	int *distance; /* [n · n] between them */
	int *nearest; /* [n · (wanted + 1)] the sum of the least distances to that number of others
		       */
	int64_t *limit, *steps;
	int64_t *added; /* [depth · n]: distances to the set, for each depth */
	int64_t *cost;  /* [n] */
	int_vec set, *best;
	int (*visit)(void *context, const int *nodes);
	void *context;
};

/* Of n costs the sum of the m least, in linear time: those are moved to the front. */
static int64_t least_costs(int64_t *cost, int n, int m)
{
	int low = 0, high = n;
	int64_t sum = 0;

	while (high - low > 1 && low < m) {
		int64_t pivot = cost[low + (high - low) / 2];
		int less = low, more = high;

		for (int i = low; i < more;) {
			int64_t at = cost[i];

			if (at < pivot) {
				cost[i++] = cost[less];
				cost[less++] = at;
			} else if (at > pivot) {
				cost[i] = cost[--more];
				cost[more] = at;
			} else {
				i++;
			}
		}
		if (m <= less)
			high = less;
		else if (m >= more)
			low = more;
		else
			break;
	}
	for (int i = 0; i < m; i++)
		sum += cost[i];
	return sum;
}

/*
 * What that many more of the places from i on add at least: each of them its distances to the set,
 * and half of those to the nodes nearest to it.
 */
static int64_t least_more(const struct branching *b, int i, const int64_t *added)
{
	int missing = b->wanted - (int)b->set.n;
	const int *nearest = &b->nearest[missing - 1];

	for (int k = i; k < b->n; k++)
		b->cost[k - i] = 2 * added[k] + nearest[(int64_t)k * (b->wanted + 1)];
	return (least_costs(b->cost, b->n - i, missing) + 1) / 2;
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
		b->best->n = 0;
		for (size_t i = 0; i < b->set.n; i++)
			vec_push(b->best, b->set.at[i]);
		return SEARCH_ALL;
	}
	for (int i = from; i + b->wanted - (int)b->set.n <= b->n && end == SEARCH_ALL; i++) {
		/* the bound goes over the costs a few times */
		if ((*b->steps -= 6 * (b->n - i)) < 0)
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

static int by_number(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void find_nearest(struct branching *b)
{
	int *row = xmalloc((size_t)b->n * sizeof(*row));

	b->nearest = xcalloc((size_t)b->n * ((size_t)b->wanted + 1), sizeof(*b->nearest));
	for (int i = 0; i < b->n; i++) {
		int *nearest = &b->nearest[(int64_t)i * (b->wanted + 1)];

		memcpy(row, &b->distance[(int64_t)i * b->n], (size_t)b->n * sizeof(*row));
		row[i] = -1; /* itself comes first */
		qsort(row, (size_t)b->n, sizeof(*row), by_number);
		for (int m = 1; m <= b->wanted && m < b->n; m++)
			nearest[m] = nearest[m - 1] + row[m];
	}
	free(row);
}

static int search(struct branching *how, const struct pool *pool)
{
	const struct space *space = pool->space;
	struct branching b = *how;
	int wanted = how->wanted, end;

	if (pool->n < wanted)
		return SEARCH_ALL;
	if (pool->n > COMPACT_BRANCH_NODES)
		return SEARCH_BOUND;
	b.node = xmalloc((size_t)pool->n * sizeof(int));
	for (int node = 0; node < space->topo->nnodes; node++)
		if (pool->has[node])
			b.node[b.n++] = node;
	b.distance = xmalloc((size_t)b.n * (size_t)b.n * sizeof(int));
	for (int i = 0; i < b.n; i++)
		for (int k = 0; k < b.n; k++)
			b.distance[(int64_t)i * b.n + k] =
				distances_between(pool->distances, b.node[i], b.node[k]);
	find_nearest(&b);
	b.cost = xmalloc((size_t)b.n * sizeof(*b.cost));
	b.added = xcalloc(((size_t)wanted + 2) * (size_t)b.n, sizeof(int64_t));
	end = branch(&b, 0, 0);
	free(b.node);
	free(b.distance);
	free(b.added);
	free(b.cost);
	free(b.nearest);
	free(b.set.at);
	return end;
}

int compact_branch(const struct pool *pool, int wanted, int64_t most, int64_t *steps,
		   int (*visit)(void *context, const int *nodes), void *context)
{
	return search(&(struct branching){.wanted = wanted,
					  .limit = &most,
					  .steps = steps,
					  .visit = visit,
					  .context = context},
		      pool);
}

void compact_lessen(const struct pool *pool, int wanted, int64_t *sum, int64_t *steps,
		    int_vec *nodes)
{
	int64_t limit = *sum - 1;

	search(
		&(struct branching){
			.wanted = wanted, .limit = &limit, .steps = steps, .best = nodes},
		pool);
	*sum = limit + 1;
}
