/* bisection.c - how much a machine can carry between its halves */
#include "machine/stats/bisection.h"

#include <stdlib.h>
#include <string.h>

#include "machine/stats/cut.h"
#include "base/rng.h"
#include "model/topo_type.h"

enum {
	RANDOM_STARTS = 12,
	WORK = 30 * 1000 * 1000, /* joints looked at, after which no further start is tried */
	PASSES = 20,
};

/* Vertices are put on side 0 in their order until it holds half. */
static void fill_in_order(const struct cut_graph *graph, const int *order, char *side)
{
	int64_t weight = 0;

	memset(side, 1, (size_t)graph->n);
	for (int i = 0; i < graph->n; i++) {
		int v = order[i];

		if (2 * weight + graph->weight[v] > graph->total)
			continue;
		weight += graph->weight[v];
		side[v] = 0;
	}
}

/* Breadth first from a vertex: a connected half. */
static void order_from(const struct cut_graph *graph, int start, int *order)
{
	char *is_queued = xcalloc((size_t)graph->n + 1, 1);
	int n = 0;

	for (int next = start, done = 0, seed = 0; n < graph->n || done < n;) {
		if (done == n) { /* the next component */
			while (is_queued[next])
				next = seed++;
			is_queued[next] = 1;
			order[n++] = next;
		}
		for (int64_t i = graph->first[order[done]]; i < graph->first[order[done] + 1]; i++)
			if (!is_queued[graph->peer[i]]) {
				is_queued[graph->peer[i]] = 1;
				order[n++] = graph->peer[i];
			}
		done++;
	}
	free(is_queued);
}

/* Order number 0 is that of the labels, 1 and 2 grow from its ends, the others are drawn. */
static void make_order(const struct cut_graph *graph, int start, int *order)
{
	struct rng rng = rng_make(1, "bisection", NULL, NULL);

	for (int v = 0; v < graph->n; v++)
		order[v] = v;
	if (start == 1 || start == 2) {
		order_from(graph, start == 1 ? 0 : graph->n - 1, order);
	} else if (start > 2) {
		rng.counter = (uint64_t)start << 32;
		rng_shuffle(&rng, order, (size_t)graph->n);
	}
	if (start > 2 && start % 2 == 0) /* half of the drawn ones grow from a drawn vertex */
		order_from(graph, order[0], order);
}

static double best_cut(const struct cut_graph *graph)
{
	int *order = xmalloc(((size_t)graph->n + 1) * sizeof(*order));
	char *side = xmalloc((size_t)graph->n + 1);
	double best = -1;
	int64_t work = 0;

	for (int start = 0; start < 3 + RANDOM_STARTS && (start == 0 || work < WORK); start++) {
		make_order(graph, start, order);
		fill_in_order(graph, order, side);
		for (int pass = 0; pass < PASSES && work < WORK; pass++) {
			work += graph->first[graph->n] + graph->n;
			if (!cut_improve(graph, side))
				break;
		}
		if (cut_is_balanced(graph, side)) {
			double width = cut_width(graph, side);

			best = best < 0 || width < best ? width : best;
		}
	}
	free(order);
	free(side);
	return best;
}

double topo_best_cut(struct topo *topo)
{
	struct cut_graph graph;
	double best;

	cut_graph_make(&graph, topo);
	best = graph.nweighted > 1 ? best_cut(&graph) : -1;
	cut_graph_free(&graph);
	return best;
}

int topo_bisection(struct topo *topo, double *bytes_per_s, const char **how)
{
	if (topo->type->bisection != NULL && topo->type->bisection(topo, bytes_per_s, how) == 0)
		return 0;
	*how = "upper bound: the best cut found";
	*bytes_per_s = topo_best_cut(topo);
	return *bytes_per_s >= 0 ? 0 : -1;
}
