/* recursive.c - graph and nodes are halved again and again */
#include <stdlib.h>
#include <string.h>

#include "map/problem/problem.h"
#include "map/partition/graph_cut.h"
#include "base/mem.h"

/*
 * Hoefler and Snir bisect both graphs. Here the nodes are halved by their hops: those nearer to one
 * of two nodes that are far apart (from the first of the list the farthest, and the farthest from
 * that) against those nearer to the other; ties to the first of the list. The graph is halved to
 * parts of the same sizes with few bytes between them.
 */
struct halving {
	const struct map_input *in;
	const struct map_parts *parts;
	const struct comm *both; /* of the parts */
	int *node_of, *scratch;
	struct err *err;
};

struct place {
	int node, nearer; /* hops to the one end less hops to the other */
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->nearer != y->nearer ? (x->nearer > y->nearer) - (x->nearer < y->nearer)
				      : (x->node > y->node) - (x->node < y->node);
}

static int hops(const struct halving *h, int a, int b)
{
	return route_hops(h->in->routes->routing, h->in->nodes[a], h->in->nodes[b]);
}

static int farthest(const struct halving *h, const int *nodes, int n, int from)
{
	int best = nodes[0], most = -1;

	for (int i = 0; i < n; i++) {
		int apart = hops(h, from, nodes[i]);

		if (apart > most) {
			most = apart;
			best = nodes[i];
		}
	}
	return best;
}

/* The first half [(n + 1) / 2] of the nodes are then those at one end. */
static void halve_nodes(const struct halving *h, int *nodes, int n)
{
	struct place *places = xmalloc((size_t)n * sizeof(*places));
	int b = farthest(h, nodes, n, nodes[0]), a = farthest(h, nodes, n, b);

	for (int i = 0; i < n; i++)
		places[i] = (struct place){nodes[i], hops(h, a, nodes[i]) - hops(h, b, nodes[i])};
	qsort(places, (size_t)n, sizeof(*places), by_place);
	for (int i = 0; i < n; i++)
		nodes[i] = places[i].node;
	free(places);
}

/* parts [n] and nodes [n], both reordered */
static int halve(const struct halving *h, int *parts, int *nodes, int n)
{
	int left = (n + 1) / 2, size[2] = {left, n - left}, nfirst = 0;
	int *side, *sorted, status;
	struct comm *graph;

	if (n == 1) {
		h->node_of[parts[0]] = nodes[0];
		return 0;
	}
	halve_nodes(h, nodes, n);
	side = xmalloc((size_t)n * sizeof(*side));
	sorted = xmalloc((size_t)n * sizeof(*sorted));
	graph = comm_part(h->both, parts, n, h->scratch);
	status = partition_scotch(graph, 2, size, 1, side, h->err);
	comm_free(graph);
	for (int turn = 0; turn < 2 && status == 0; turn++)
		for (int i = 0; i < n; i++)
			if (side[i] == turn)
				sorted[nfirst++] = parts[i];
	if (status == 0)
		memcpy(parts, sorted, (size_t)n * sizeof(*parts));
	free(side);
	free(sorted);
	if (status == 0)
		status = halve(h, parts, nodes, left);
	if (status == 0)
		status = halve(h, parts + left, nodes + left, n - left);
	return status;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	struct comm *both = comm_symmetric(parts->comm);
	struct halving h = {in, parts, both, node_of, NULL, err};
	int *part_at = xmalloc((size_t)parts->nparts * sizeof(*part_at));
	int *node_at = map_used_nodes(in, parts), status = 0;

	(void)pick;
	h.scratch = xmalloc((size_t)parts->nparts * sizeof(*h.scratch));
	for (int p = 0; p < parts->nparts; p++) {
		part_at[p] = p;
		h.scratch[p] = -1;
	}
	if (parts->nparts > 0)
		status = halve(&h, part_at, node_at, parts->nparts);
	if (status == 0)
		map_make_fit(in, parts, node_of);
	free(part_at);
	free(node_at);
	free(h.scratch);
	comm_free(both);
	return status;
}

const struct map_policy map_policy_recursive = {
	.entry =
		{
			.name = "recursive",
			.example = "recursive",
			.summary = "graph and nodes are halved recursively",
			.paper = "Hoefler, Snir: Generic topology mapping strategies, §5.2",
		},
	.partition = "scotch",
	.refine = "none",
	.run = run,
};
