/* convex_literal.c - sets that share no link with the routes of all others: node by node */
#include <stdlib.h>

#include "place/constraint/convex.h"

/*
 * The nodes that compute are divided in two, and each division is given up as soon as the routes
 * inside one part and inside the other share a link. A cable is one link, whatever the direction.
 */
struct division {
	const struct space *space;
	struct search *search;
	int n;
	int *node; /* [n] those that are busy come first: they are out */
	int nbusy;
	int *used[2]; /* [nlinks] by how many routes of the part */
	int_vec part[2];
	int_vec path;
};

/* Every link of the routes between two nodes, counted into a part. Returns whether the other part
 * has none of them; -1: the steps are spent. */
static int count(struct division *division, int side, int node_a, int node_b, int change)
{
	int clean = 1;

	division->path.n = 0;
	if (route_path(division->space->routing, node_a, node_b, &division->path) < 0 ||
	    route_path(division->space->routing, node_b, node_a, &division->path) < 0)
		return 0;
	if (change > 0 && !search_spend(division->search, (int64_t)division->path.n))
		clean = -1;
	for (size_t i = 0; i < division->path.n; i++) {
		int link = division->path.at[i] / 2;

		division->used[side][link] += change;
		if (clean == 1 && division->used[!side][link] > 0)
			clean = 0;
	}
	return clean;
}

/* The node joins a part; *ncounted: the members whose routes to it were counted. */
static int join(struct division *division, int side, int node, size_t *ncounted)
{
	int clean = 1;

	for (*ncounted = 0; *ncounted < division->part[side].n && clean == 1; ++*ncounted)
		clean = count(division, side, node, division->part[side].at[*ncounted], 1);
	vec_push(&division->part[side], node);
	return clean;
}

static void leave(struct division *division, int side, int node, size_t ncounted)
{
	division->part[side].n--;
	while (ncounted-- > 0)
		count(division, side, node, division->part[side].at[ncounted], -1);
}

static int divide(struct division *division, int i)
{
	int wanted = division->search->wanted, end = SEARCH_ALL;

	if (division->part[1].n + (size_t)(division->n - i) < (size_t)wanted)
		return SEARCH_ALL;
	if (i == division->n)
		return search_exact(division->search, division->part[1].at);
	for (int side = 1; side >= 0 && end == SEARCH_ALL; side--) {
		size_t ncounted;
		int clean;

		if (side == 1 && (i < division->nbusy || division->part[1].n == (size_t)wanted))
			continue;
		clean = join(division, side, division->node[i], &ncounted);
		end = clean < 0 ? SEARCH_BOUND : clean ? divide(division, i + 1) : SEARCH_ALL;
		leave(division, side, division->node[i], ncounted);
	}
	return end;
}

int convex_literal(const struct space *space, struct search *search)
{
	struct division division = {.space = space, .search = search};
	const struct topo_graph *graph = topo_graph(space->topo);
	int nnodes = space->topo->nnodes, end;

	division.node = xmalloc((size_t)nnodes * sizeof(int));
	for (int is_idle = 0; is_idle <= 1; is_idle++)
		for (int node = 0; node < nnodes; node++)
			if (space->computes[node] &&
			    machine_is_idle(search->machine, node) == is_idle) {
				division.node[division.n++] = node;
				division.nbusy += !is_idle;
			}
	for (int side = 0; side < 2; side++)
		division.used[side] = xcalloc((size_t)graph->nlinks, sizeof(int));
	end = divide(&division, 0);
	for (int side = 0; side < 2; side++) {
		free(division.used[side]);
		free(division.part[side].at);
	}
	free(division.node);
	free(division.path.at);
	return end;
}

int convex_is_literal(const struct space *space, const int *nodes, int n, struct search *search)
{
	struct division division = {.space = space, .search = search};
	const struct topo_graph *graph = topo_graph(space->topo);
	bool *is_in = xcalloc((size_t)space->topo->nnodes, sizeof(*is_in));
	int clean = 1;
	size_t ncounted;

	for (int side = 0; side < 2; side++)
		division.used[side] = xcalloc((size_t)graph->nlinks, sizeof(int));
	for (int i = 0; i < n; i++)
		is_in[nodes[i]] = true;
	for (int node = 0; node < space->topo->nnodes && clean == 1; node++)
		if (space->computes[node])
			clean = join(&division, is_in[node], node, &ncounted);
	for (int side = 0; side < 2; side++) {
		free(division.used[side]);
		free(division.part[side].at);
	}
	free(is_in);
	free(division.path.at);
	return clean;
}
