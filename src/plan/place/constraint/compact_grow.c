/* compact_grow.c - small sums of distances by growth from a centre, mended by exchanges */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/compact.h"

/* The nodes of the pool, router by router. */
struct growing {
	const struct pool *pool;
	int nplaces;    /* routers that have nodes */
	int *router;    /* [nplaces] */
	int *first;     /* [nplaces + 1] */
	int *node;      /* [pool->n] of place p by rank: node[first[p]] … first[p + 1] − 1 */
	int *rank;      /* [pool->n] of each */
	int *ntaken;    /* [nplaces] */
	int64_t *added; /* [nrouters] distances to the set */
	int64_t nset;
	int64_t *steps;
};

struct ranked {
	int rank, node;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Whether they are in order already, as they mostly are. */
static bool is_sorted(const struct ranked *order, int n)
{
	for (int i = 1; i < n; i++)
		if (order[i].rank < order[i - 1].rank)
			return false;
	return true;
}

static void list_nodes(struct growing *growing, const int *rank)
{
	const struct pool *pool = growing->pool;
	const struct topo *topo = pool->space->topo;
	int *places = xmalloc((size_t)topo->nrouters * sizeof(int));
	struct ranked *order = xmalloc((size_t)pool->n * sizeof(*order));
	int n = 0;

	for (int node = 0; node < topo->nnodes; node++)
		if (pool->has[node])
			order[n++] = (struct ranked){rank != NULL ? rank[node] : node, node};
	if (!is_sorted(order, n))
		qsort(order, (size_t)n, sizeof(*order), by_rank);
	for (int r = 0; r < topo->nrouters; r++)
		if (pool->weight[r] > 0) {
			places[r] = growing->nplaces;
			growing->router[growing->nplaces++] = r;
		}
	for (int p = 0; p < growing->nplaces; p++) {
		growing->first[p + 1] = growing->first[p] + pool->weight[growing->router[p]];
		growing->ntaken[p] = 0;
	}
	for (int i = 0; i < n; i++) {
		int p = places[topo->router_of[order[i].node]];
		int at = growing->first[p] + growing->ntaken[p]++;

		growing->node[at] = order[i].node;
		growing->rank[at] = order[i].rank;
	}
	free(places);
	free(order);
}

/* The rank of the node that a place would give next. */
static int next_rank(const struct growing *growing, int p)
{
	return growing->rank[growing->first[p] + growing->ntaken[p]];
}

static int nleft(const struct growing *growing, int p)
{
	return growing->first[p + 1] - growing->first[p] - growing->ntaken[p];
}

/* n nodes more of a place, or fewer. */
static void move(struct growing *growing, int p, int n)
{
	const struct topo *topo = growing->pool->space->topo;
	const uint16_t *distance = distances_from(growing->pool->distances, growing->router[p]);

	for (int r = 0; r < topo->nrouters; r++)
		growing->added[r] += n * distance[r];
	growing->ntaken[p] += n;
	growing->nset += n;
}

/* The place whose nodes add least, ties by rank; -1: no node is left. */
static int nearest_place(const struct growing *growing)
{
	int64_t least = INT64_MAX;
	int chosen = -1;

	*growing->steps -= growing->nplaces;
	for (int p = 0; p < growing->nplaces; p++) {
		int64_t added = growing->added[growing->router[p]];

		if (added > least || nleft(growing, p) == 0)
			continue;
		if (added == least && next_rank(growing, p) > next_rank(growing, chosen))
			continue;
		least = added;
		chosen = p;
	}
	return chosen;
}

static void clear(struct growing *growing)
{
	const struct topo *topo = growing->pool->space->topo;

	memset(growing->added, 0, (size_t)topo->nrouters * sizeof(*growing->added));
	memset(growing->ntaken, 0, (size_t)growing->nplaces * sizeof(int));
	growing->nset = 0;
}

/*
 * From a centre always the node that adds least, ties by rank; COMPACT_NONE as soon as it is clear
 * that the sum will not be less than best. The others of its place follow it: each adds as much,
 * and those elsewhere add more than before.
 */
static int64_t grow_from(struct growing *growing, int centre_place, int wanted, int64_t best)
{
	int64_t sum = 0;

	clear(growing);
	move(growing, centre_place, 1);
	while (growing->nset < wanted) {
		int chosen = nearest_place(growing), n = nleft(growing, chosen);
		int64_t least = growing->added[growing->router[chosen]];

		/* what follows adds no less */
		if (sum + least * (wanted - growing->nset) >= best)
			return COMPACT_NONE;
		n = n < wanted - growing->nset ? n : (int)(wanted - growing->nset);
		sum += n * least;
		move(growing, chosen, n);
	}
	return sum;
}

/* Exchanges a node for another as long as that makes the sum less: the best exchange each time. */
static int64_t mend(struct growing *growing, int64_t sum)
{
	for (;;) {
		int64_t least = 0;
		int out = -1, in = -1;

		for (int p = 0; p < growing->nplaces; p++) {
			const uint16_t *distance;

			if (growing->ntaken[p] == 0)
				continue;
			distance = distances_from(growing->pool->distances, growing->router[p]);
			*growing->steps -= growing->nplaces;
			for (int q = 0; q < growing->nplaces; q++) {
				int64_t change = growing->added[growing->router[q]] -
						 growing->added[growing->router[p]] -
						 distance[growing->router[q]];

				if (change >= least || q == p || nleft(growing, q) == 0)
					continue;
				least = change;
				out = p;
				in = q;
			}
		}
		if (out < 0)
			return sum;
		sum += least;
		move(growing, out, -1);
		move(growing, in, 1);
	}
}

/* The set: of each router the nodes that come first by rank. */
static void list_set(const struct growing *growing, int_vec *nodes)
{
	nodes->n = 0;
	for (int p = 0; p < growing->nplaces; p++)
		for (int i = 0; i < growing->ntaken[p]; i++)
			vec_push(nodes, growing->node[growing->first[p] + i]);
}

static void open_growing(struct growing *growing, const struct pool *pool, int64_t *steps)
{
	size_t nrouters = (size_t)pool->space->topo->nrouters, n = (size_t)pool->n;

	*growing = (struct growing){.pool = pool, .steps = steps};
	growing->router = xmalloc(nrouters * sizeof(int));
	growing->first = xcalloc(nrouters + 1, sizeof(int));
	growing->node = xmalloc(n * sizeof(int));
	growing->rank = xmalloc(n * sizeof(int));
	growing->ntaken = xcalloc(nrouters, sizeof(int));
	growing->added = xmalloc(nrouters * sizeof(*growing->added));
}

static void close_growing(struct growing *growing)
{
	free(growing->router);
	free(growing->first);
	free(growing->node);
	free(growing->rank);
	free(growing->ntaken);
	free(growing->added);
}

bool compact_is_guessed(const struct space *space)
{
	return near_is_guessed(space) || (space->is_direct && space->ndims == 2 &&
					  space->topo->nrouters > NEAR_CLIQUE_ROUTERS);
}

int64_t compact_grow_steps(const struct space *space, int wanted)
{
	int64_t nchoices = 0, nrouters = space->topo->nrouters;
	int per = space->topo->nnodes / (int)nrouters;

	nchoices = per > 1 ? wanted / per + 1 : wanted;
	return nchoices * 2 * nrouters;
}

/* The place of a router; a router of the pool. */
static int place_of(const struct growing *growing, int router)
{
	int low = 0, high = growing->nplaces - 1;

	while (low < high) {
		int middle = low + (high - low) / 2;

		if (growing->router[middle] < router)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void compact_sequence(const struct pool *pool, const int_vec *first, int most, int_vec *nodes,
		      int64_t *sums)
{
	struct growing growing;
	int64_t steps = 0, sum = 0;

	open_growing(&growing, pool, &steps);
	list_nodes(&growing, NULL);
	clear(&growing);
	sums[0] = 0;
	for (size_t i = 0; nodes->n < (size_t)most; i++) {
		int p = i < first->n ? place_of(&growing, first->at[i]) : nearest_place(&growing);
		int n = nleft(&growing, p);

		for (int k = 0; k < n && nodes->n < (size_t)most; k++) {
			vec_push(nodes, growing.node[growing.first[p] + growing.ntaken[p] + k]);
			sum += growing.added[growing.router[p]];
			sums[nodes->n] = sum;
		}
		move(&growing, p, n);
	}
	close_growing(&growing);
}

int64_t compact_grow(const struct pool *pool, const int *rank, int wanted, int64_t enough,
		     int64_t *steps, int_vec *nodes)
{
	struct growing growing;
	struct ranked *centres;
	int64_t best = COMPACT_NONE;

	if (pool->n < wanted)
		return COMPACT_NONE;
	open_growing(&growing, pool, steps);
	list_nodes(&growing, rank);
	centres = xmalloc((size_t)growing.nplaces * sizeof(*centres));
	for (int p = 0; p < growing.nplaces; p++)
		centres[p] = (struct ranked){growing.rank[growing.first[p]], p};
	qsort(centres, (size_t)growing.nplaces, sizeof(*centres), by_rank);
	for (int i = 0; i < growing.nplaces && (i == 0 || *steps > 0); i++) {
		/* exchanges rarely gain more than an eighth */
		int64_t limit = best != COMPACT_NONE ? best + best / 8 + 1 : best;
		int64_t sum = grow_from(&growing, centres[i].node, wanted, limit);

		if (sum == COMPACT_NONE)
			continue;
		if (!compact_is_guessed(pool->space)) /* that is long on large machines */
			sum = mend(&growing, sum);
		if (sum >= best)
			continue;
		best = sum;
		list_set(&growing, nodes);
		/* less than what is known may be found, but that takes long on large machines */
		if (best <= enough && compact_is_guessed(pool->space))
			break;
	}
	close_growing(&growing);
	free(centres);
	return best;
}
