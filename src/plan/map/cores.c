/* cores.c - ranks that talk most share the nearest cores of their node */
#include "map/cores.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

enum {
	RANKS_MOST = 2048, /* on nodes with more they stay in order */
	PATIENCE = 16,     /* exchanges without a better sum that end a pass */
	PASSES_MOST = 32,
	STARTS = 6,       /* the first in order, the others random */
	STARTS_RANKS = 64 /* where there are more the first will do */
};

/* The ranks of one node. A place is what the innermost level holds together: its cores are alike,
 * and so ranks are exchanged between places. */
struct node_ranks {
	const struct topo_inside *inside;
	int n, nplaces;
	int *ranks;      /* [n] in order */
	int *place_of;   /* [n] */
	int *best;       /* [n] places of the least sum so far */
	bool *is_locked; /* [n] was exchanged in this pass */
	double *bytes;   /* [n × n] both directions added up */
	double *cost;    /* [n × nplaces] Σ bytes × distance, if rank i were at that place */
	double *apart;   /* [nplaces × nplaces] levels to climb */
};

void cores_in_order(const struct map_input *in, const int *node_of, int *core_of)
{
	int *nheld = xcalloc((size_t)in->nnodes, sizeof(*nheld));

	for (int r = 0; r < in->comm->nranks; r++)
		core_of[r] = nheld[node_of[r]]++;
	free(nheld);
}

static double *cost_at(struct node_ranks *node, int i, int place)
{
	return &node->cost[(size_t)i * (size_t)node->nplaces + (size_t)place];
}

static double bytes_of(const struct node_ranks *node, int i, int j)
{
	return node->bytes[(size_t)i * (size_t)node->n + (size_t)j];
}

static double apart(const struct node_ranks *node, int a, int b)
{
	return node->apart[a * node->nplaces + b];
}

/* What rank i costs its partners at each place, less what it costs them at the one it is at, after
 * it went from one place to another. */
static void move_costs(struct node_ranks *node, int i, int from, int to)
{
	for (int j = 0; j < node->n; j++) {
		double bytes = bytes_of(node, i, j);

		if (bytes == 0)
			continue;
		for (int p = 0; p < node->nplaces; p++)
			*cost_at(node, j, p) += bytes * (apart(node, p, to) - apart(node, p, from));
	}
}

/* How much the sum falls when i and j change places. */
static double gain(struct node_ranks *node, int i, int j)
{
	int a = node->place_of[i], b = node->place_of[j];

	return *cost_at(node, i, a) - *cost_at(node, i, b) + *cost_at(node, j, b) -
	       *cost_at(node, j, a) -
	       bytes_of(node, i, j) *
		       (2 * apart(node, a, b) - apart(node, a, a) - apart(node, b, b));
}

static void exchange(struct node_ranks *node, int i, int j)
{
	int a = node->place_of[i], b = node->place_of[j];

	node->place_of[i] = b;
	node->place_of[j] = a;
	move_costs(node, i, a, b);
	move_costs(node, j, b, a);
}

/* The pair of free ranks whose exchange gains most, the first among equals; false: none is left. */
static bool best_pair(struct node_ranks *node, int *first, int *second, double *most)
{
	bool found = false;

	for (int i = 0; i < node->n; i++)
		for (int j = i + 1; j < node->n && !node->is_locked[i]; j++) {
			double now;

			if (node->is_locked[j] || node->place_of[i] == node->place_of[j])
				continue;
			now = gain(node, i, j);
			if (found && now <= *most)
				continue;
			found = true;
			*first = i;
			*second = j;
			*most = now;
		}
	return found;
}

/*
 * Exchanges pairs, the best first even where the sum rises, each rank once; what was best on the
 * way is kept. Returns whether the sum fell.
 */
static bool run_pass(struct node_ranks *node)
{
	double sum = 0, least = 0, most = 0, scale = 0;
	int nvain = 0, i, j;

	memset(node->is_locked, 0, (size_t)node->n * sizeof(*node->is_locked));
	memcpy(node->best, node->place_of, (size_t)node->n * sizeof(*node->best));
	for (int k = 0; k < node->n; k++)
		scale += *cost_at(node, k, node->place_of[k]);
	while (nvain < PATIENCE && best_pair(node, &i, &j, &most)) {
		exchange(node, i, j);
		node->is_locked[i] = node->is_locked[j] = true;
		sum -= most;
		nvain++;
		/* by more than rounding */
		if (sum < least - 1e-12 * scale) {
			least = sum;
			memcpy(node->best, node->place_of, (size_t)node->n * sizeof(*node->best));
			nvain = 0;
		}
	}
	for (int k = 0; k < node->n; k++) {
		int from = node->place_of[k];

		node->place_of[k] = node->best[k];
		if (from != node->best[k])
			move_costs(node, k, from, node->best[k]);
	}
	return least < 0;
}

/* Bytes between the ranks. index_of [all ranks]: which of the node's it is, right for those of the
 * node. */
static void fill_bytes(struct node_ranks *node, const struct map_input *in, const int *node_of,
		       const int *index_of)
{
	const struct comm *comm = in->symmetric;
	int per_place = topo_inside_nearest(node->inside);

	memset(node->bytes, 0, (size_t)node->n * (size_t)node->n * sizeof(*node->bytes));
	for (int a = 0; a < node->nplaces; a++)
		for (int b = 0; b < node->nplaces; b++)
			node->apart[a * node->nplaces + b] =
				a == b ? 1
				       : topo_inside_distance(node->inside, a * per_place,
							      b * per_place);
	for (int i = 0; i < node->n; i++) {
		int r = node->ranks[i];

		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			int j = index_of[comm->peer[e]];

			if (node_of[comm->peer[e]] == node_of[r])
				node->bytes[(size_t)i * (size_t)node->n + (size_t)j] =
					comm->bytes[e];
		}
	}
}

static double sum_of(struct node_ranks *node)
{
	double sum = 0;

	for (int i = 0; i < node->n; i++)
		sum += *cost_at(node, i, node->place_of[i]);
	return sum / 2;
}

/* Lowers the sum from where the ranks are; returns what it is then. */
static double improve(struct node_ranks *node)
{
	memset(node->cost, 0, (size_t)node->n * (size_t)node->nplaces * sizeof(*node->cost));
	for (int i = 0; i < node->n; i++)
		for (int j = 0; j < node->n; j++)
			for (int p = 0; p < node->nplaces && bytes_of(node, i, j) > 0; p++)
				*cost_at(node, i, p) +=
					bytes_of(node, i, j) * apart(node, p, node->place_of[j]);
	for (int pass = 0; pass < PASSES_MOST && run_pass(node);)
		pass++;
	return sum_of(node);
}

/* From several starts; the best one, the first among equals, is in place_of. */
static void search(struct node_ranks *node, uint64_t seed)
{
	struct rng rng = rng_make(seed, "cores", NULL, NULL);
	size_t size = (size_t)node->n * sizeof(*node->place_of);
	int *kept = xmalloc(size), nstarts = node->n <= STARTS_RANKS ? STARTS : 1;
	double least = improve(node);

	memcpy(kept, node->place_of, size);
	for (int start = 1; start < nstarts && least > 0; start++) {
		double sum;

		rng_shuffle(&rng, node->place_of, (size_t)node->n);
		sum = improve(node);
		if (sum >= least * (1 - 1e-9))
			continue;
		least = sum;
		memcpy(kept, node->place_of, size);
	}
	memcpy(node->place_of, kept, size);
	free(kept);
}

/* The ranks at each place take its cores in order. */
static void take_cores(const struct node_ranks *node, int *core_of)
{
	int per_place = topo_inside_nearest(node->inside);
	int *ntaken = xcalloc((size_t)node->nplaces, sizeof(*ntaken));

	for (int i = 0; i < node->n; i++) {
		int place = node->place_of[i];

		core_of[node->ranks[i]] = place * per_place + ntaken[place]++;
	}
	free(ntaken);
}

/* All of a node's ranks, which are in order on its first cores. */
static void place_ranks(const struct map_input *in, const int *node_of, const int *index_of,
			const struct topo_inside *inside, const int *ranks, int n, int *core_of)
{
	int per_place = topo_inside_nearest(inside), nplaces = (n + per_place - 1) / per_place;
	size_t size = (size_t)n;
	struct node_ranks node = {
		.inside = inside,
		.n = n,
		.nplaces = nplaces,
		.ranks = (int *)ranks,
		.place_of = xmalloc(size * sizeof(int)),
		.best = xmalloc(size * sizeof(int)),
		.is_locked = xmalloc(size * sizeof(bool)),
		.bytes = xmalloc(size * size * sizeof(double)),
		.cost = xmalloc(size * (size_t)nplaces * sizeof(double)),
		.apart = xmalloc((size_t)nplaces * (size_t)nplaces * sizeof(double)),
	};

	for (int i = 0; i < n; i++)
		node.place_of[i] = i / per_place;
	fill_bytes(&node, in, node_of, index_of);
	search(&node, in->seed);
	take_cores(&node, core_of);
	free(node.place_of);
	free(node.best);
	free(node.is_locked);
	free(node.bytes);
	free(node.cost);
	free(node.apart);
}

void cores_near(const struct map_input *in, const int *node_of, int *core_of)
{
	int nranks = in->comm->nranks;
	int *first = xcalloc((size_t)in->nnodes + 1, sizeof(*first));
	int *ranks = xmalloc((size_t)nranks * sizeof(*ranks));

	cores_in_order(in, node_of, core_of);
	for (int r = 0; r < nranks; r++)
		first[node_of[r] + 1]++;
	for (int v = 0; v < in->nnodes; v++)
		first[v + 1] += first[v];
	for (int r = 0; r < nranks; r++)
		ranks[first[node_of[r]] + core_of[r]] = r;
	for (int v = 0; v < in->nnodes; v++) {
		const struct topo_inside *inside = topo_inside(in->topo, in->nodes[v]);
		int n = first[v + 1] - first[v];

		/* more ranks than cores: which of them share one is not ours to say */
		if (inside == NULL || n > topo_inside_ncores(inside) || n > RANKS_MOST ||
		    n <= topo_inside_nearest(inside))
			continue;
		place_ranks(in, node_of, core_of, inside, &ranks[first[v]], n, core_of);
	}
	free(first);
	free(ranks);
}
