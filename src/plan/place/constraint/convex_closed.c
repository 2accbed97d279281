/* convex_closed.c - whether the routes of a set of nodes stay in it */
#include <stdlib.h>

#include "place/constraint/convex.h"

struct closed {
	const struct space *space;
	struct search *search;
	bool *is_in;       /* [nnodes] */
	signed char *owns; /* [nrouters] 1: belongs to the set, 0: does not, -1: not known yet */
	int_vec routers;   /* of the nodes, each once */
	int_vec below, path;
};

static bool all_below(struct closed *closed, int router)
{
	if (closed->owns[router] >= 0)
		return closed->owns[router];
	closed->below.n = 0;
	space_below(closed->space, router, &closed->below);
	closed->owns[router] = 1;
	for (size_t i = 0; i < closed->below.n; i++)
		if (!closed->is_in[closed->below.at[i]])
			closed->owns[router] = 0;
	return closed->owns[router];
}

static bool is_for_io(const struct closed *closed, int router)
{
	const struct space *space = closed->space;

	return space->connects[router] && space->ncompute[router] == 0;
}

/* Along the closed form of a grid. */
static int check_walk(struct closed *closed, int from, int to)
{
	const struct topo *topo = closed->space->topo;
	int cable;

	for (int r = from; r != to;) {
		int next = topo->type->next(topo, r, to, 0, &cable);

		if (!all_below(closed, next) || (is_for_io(closed, r) && is_for_io(closed, next)))
			return 0;
		if (!search_spend(closed->search, 1))
			return -1;
		r = next;
	}
	return 1;
}

/* Along the route that messages to a node take. */
static int check_route(struct closed *closed, int node_a, int node_b)
{
	const struct space *space = closed->space;
	const struct topo_graph *graph = topo_graph(space->topo);
	int last = -1;

	closed->path.n = 0;
	if (route_path(space->routing, node_a, node_b, &closed->path) < 0)
		return 0;
	if (!search_spend(closed->search, (int64_t)closed->path.n + 1))
		return -1;
	for (size_t i = 0; i + 1 < closed->path.n; i++) {
		int channel = closed->path.at[i];
		const struct topo_link *link = &graph->links[channel / 2];
		int router = (channel % 2 == 0 ? link->b : link->a) - space->topo->nnodes;

		if (!all_below(closed, router) ||
		    (last >= 0 && is_for_io(closed, last) && is_for_io(closed, router)))
			return 0;
		last = router;
	}
	return 1;
}

static int check_pairs(struct closed *closed, const int *nodes, int n)
{
	const struct space *space = closed->space;
	int status = 1;

	if (space->is_dor) {
		for (size_t i = 0; i < closed->routers.n && status == 1; i++)
			for (size_t k = 0; k < closed->routers.n && status == 1; k++)
				if (i != k)
					status = check_walk(closed, closed->routers.at[i],
							    closed->routers.at[k]);
		return status;
	}
	for (int i = 0; i < n && status == 1; i++)
		for (int k = 0; k < n && status == 1; k++)
			if (space->topo->router_of[nodes[i]] != space->topo->router_of[nodes[k]])
				status = check_route(closed, nodes[i], nodes[k]);
	return status;
}

/* Only whole subtrees are, or parts of one leaf switch. */
static int is_subtree(const struct space *space, const int *nodes, int n)
{
	const struct topo *topo = space->topo;

	for (int tier = 1; tier <= topo->ntiers; tier++) {
		int domain = tier < topo->ntiers ? topo_domain(topo, nodes[0], tier) : 0;
		int inside = 0, below = 0;

		for (int i = 0; i < n; i++)
			inside +=
				tier == topo->ntiers || topo_domain(topo, nodes[i], tier) == domain;
		if (inside < n)
			continue;
		for (int node = 0; node < topo->nnodes; node++)
			below += space->computes[node] &&
				 (tier == topo->ntiers || topo_domain(topo, node, tier) == domain);
		return below == n;
	}
	return 0;
}

/* Under routes that may lead anywhere. */
static int is_kept(const struct space *space, const int *nodes, int n)
{
	int ncompute = 0;

	for (int r = 0; r < space->topo->nrouters; r++)
		ncompute += space->ncompute[r];
	for (int i = 0; i < n && n < ncompute; i++)
		for (int k = 0; k < n; k++)
			if (i != k &&
			    (space->topo->router_of[nodes[i]] != space->topo->router_of[nodes[k]] ||
			     route_hops(space->routing, nodes[i], nodes[k]) > 2))
				return 0;
	return 1;
}

int convex_is_closed(const struct space *space, const int *nodes, int n, struct search *search)
{
	struct closed closed = {.space = space, .search = search};
	int nrouters = space->topo->nrouters, status = 1;

	closed.is_in = xcalloc((size_t)space->topo->nnodes, sizeof(*closed.is_in));
	closed.owns = xmalloc((size_t)nrouters);
	for (int r = 0; r < nrouters; r++)
		closed.owns[r] = -1;
	for (int i = 0; i < n; i++)
		closed.is_in[nodes[i]] = true;
	for (int i = 0; i < n; i++) {
		int r = space->topo->router_of[nodes[i]];

		if (closed.owns[r] >= 0)
			continue;
		vec_push(&closed.routers, r);
		status = all_below(&closed, r) ? status : 0;
	}
	if (space->is_adaptive)
		status = is_kept(space, nodes, n);
	else if (closed.routers.n == 1)
		status = 1;
	else if (status == 1)
		status = space->is_tree ? is_subtree(space, nodes, n)
					: check_pairs(&closed, nodes, n);
	free(closed.is_in);
	free(closed.owns);
	free(closed.routers.at);
	free(closed.below.at);
	free(closed.path.at);
	return status;
}
