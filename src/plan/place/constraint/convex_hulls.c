/* convex_hulls.c - closed sets of routers under any routes, each once */
#include <stdlib.h>

#include "place/constraint/convex.h"

/*
 * The hull of some routers is the least closed set that has them. Every closed set is reached from
 * the empty one by adding a router after the other and taking the hull; it is kept only where no
 * router before the one added came in with it (prefix-preserving closure extension: Uno et al.,
 * LCM, FIMI 2004), so that each is met once.
 */
struct hulls {
	const struct space *space;
	struct search *search;
	int nunits;
	int *unit;      /* [nunits] routers with nodes that compute */
	int *place;     /* [nrouters] of a router among the units, or −1 */
	bool *is_idle;  /* [nunits] all its nodes that compute are */
	int_vec *below; /* [nrouters] units below a router; made when first asked for */
	bool *has_below;
	int_vec path;
};

/* A closed set in the making. */
struct hull {
	bool *is_in; /* [nunits] */
	int_vec units;
	int weight;
};

static const int_vec *below(struct hulls *hulls, int router)
{
	int_vec nodes = {0};
	int last = -1;

	if (hulls->has_below[router])
		return &hulls->below[router];
	hulls->has_below[router] = true;
	if (hulls->place[router] >= 0) {
		vec_push(&hulls->below[router], hulls->place[router]);
		return &hulls->below[router];
	}
	space_below(hulls->space, router, &nodes);
	for (size_t i = 0; i < nodes.n; i++) {
		int unit = hulls->place[hulls->space->topo->router_of[nodes.at[i]]];

		if (unit != last)
			vec_push(&hulls->below[router], unit);
		last = unit;
	}
	free(nodes.at);
	return &hulls->below[router];
}

/* Adds a unit. Returns whether the set may still reach the requested size. */
static bool add(struct hulls *hulls, struct hull *hull, int unit)
{
	if (hull->is_in[unit])
		return true;
	hull->is_in[unit] = true;
	vec_push(&hull->units, unit);
	hull->weight += hulls->space->ncompute[hulls->unit[unit]];
	return hulls->is_idle[unit] && hull->weight <= hulls->search->wanted;
}

/* What is on the routes from a router (from its first node) to each node of another. */
static bool add_routes(struct hulls *hulls, struct hull *hull, int from, int to)
{
	const struct space *space = hulls->space;
	const struct topo_graph *graph = topo_graph(space->topo);
	int source = space->node[space->first_node[hulls->unit[from]]];
	int router = hulls->unit[to];

	for (int k = space->first_node[router]; k < space->first_node[router + 1]; k++) {
		hulls->path.n = 0;
		if (route_path(space->routing, source, space->node[k], &hulls->path) < 0 ||
		    !search_spend(hulls->search, 8 * (int64_t)hulls->path.n))
			return false;
		for (size_t i = 0; i + 1 < hulls->path.n; i++) {
			int channel = hulls->path.at[i];
			const struct topo_link *link = &graph->links[channel / 2];
			int vertex = channel % 2 == 0 ? link->b : link->a;
			const int_vec *units = below(hulls, vertex - space->topo->nnodes);

			for (size_t u = 0; u < units->n; u++)
				if (!add(hulls, hull, units->at[u]))
					return false;
		}
	}
	return true;
}

/* The hull of a closed set and one more unit. */
static bool close_with(struct hulls *hulls, struct hull *hull, int unit)
{
	size_t done = hull->units.n;

	if (!add(hulls, hull, unit))
		return false;
	for (; done < hull->units.n; done++)
		for (size_t i = 0; i < done; i++)
			if (!add_routes(hulls, hull, hull->units.at[done], hull->units.at[i]) ||
			    !add_routes(hulls, hull, hull->units.at[i], hull->units.at[done]))
				return false;
	return true;
}

static void undo(struct hulls *hulls, struct hull *hull, size_t n)
{
	while (hull->units.n > n) {
		int unit = hull->units.at[--hull->units.n];

		hull->is_in[unit] = false;
		hull->weight -= hulls->space->ncompute[hulls->unit[unit]];
	}
}

static int visit(struct hulls *hulls, const struct hull *hull)
{
	const struct space *space = hulls->space;
	int_vec nodes = {0};
	int end;

	for (size_t i = 0; i < hull->units.n; i++) {
		int r = hulls->unit[hull->units.at[i]];

		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
			if (space->computes[space->node[k]])
				vec_push(&nodes, space->node[k]);
	}
	end = search_exact(hulls->search, nodes.at);
	free(nodes.at);
	return end;
}

static int extend(struct hulls *hulls, struct hull *hull, int core)
{
	int end = SEARCH_ALL;

	for (int unit = core + 1; unit < hulls->nunits && end == SEARCH_ALL; unit++) {
		size_t before = hull->units.n;
		bool is_first = true;

		if (hull->is_in[unit])
			continue;
		if (!search_spend(hulls->search, 1))
			return SEARCH_BOUND;
		if (close_with(hulls, hull, unit)) {
			for (size_t i = before; i < hull->units.n; i++)
				is_first = is_first && hull->units.at[i] >= unit;
			if (is_first && hull->weight < hulls->search->wanted)
				end = extend(hulls, hull, unit);
			/* a single router was visited with all parts of it */
			else if (is_first && hull->weight == hulls->search->wanted &&
				 hull->units.n > 1)
				end = visit(hulls, hull);
		}
		undo(hulls, hull, before);
	}
	return hulls->search->steps < 0 && end == SEARCH_ALL ? SEARCH_BOUND : end;
}

/* Whether some number of whole routers can have that number of nodes at all: by their common
 * divisor. */
static bool is_sum(const struct hulls *hulls, int wanted)
{
	int divisor = 0;

	for (int i = 0; i < hulls->nunits; i++)
		for (int n = hulls->space->ncompute[hulls->unit[i]]; n != 0;) {
			int rest = divisor % n;

			divisor = n;
			n = rest;
		}
	return divisor > 0 && wanted % divisor == 0;
}

int convex_hulls(const struct space *space, struct search *search)
{
	struct hulls hulls = {.space = space, .search = search};
	int nrouters = space->topo->nrouters, end;
	struct hull hull = {0};

	hulls.unit = xmalloc((size_t)nrouters * sizeof(int));
	hulls.place = xmalloc((size_t)nrouters * sizeof(int));
	hulls.is_idle = xcalloc((size_t)nrouters, sizeof(bool));
	hulls.below = xcalloc((size_t)nrouters, sizeof(*hulls.below));
	hulls.has_below = xcalloc((size_t)nrouters, sizeof(bool));
	for (int r = 0; r < nrouters; r++) {
		int nidle = 0;

		hulls.place[r] = -1;
		if (space->ncompute[r] == 0)
			continue;
		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
			nidle += space->computes[space->node[k]] &&
				 machine_is_idle(search->machine, space->node[k]);
		hulls.is_idle[hulls.nunits] = nidle == space->ncompute[r];
		hulls.place[r] = hulls.nunits;
		hulls.unit[hulls.nunits++] = r;
	}
	hull.is_in = xcalloc((size_t)nrouters, sizeof(bool));
	end = is_sum(&hulls, search->wanted) ? extend(&hulls, &hull, -1) : SEARCH_ALL;
	for (int r = 0; r < nrouters; r++)
		free(hulls.below[r].at);
	free(hulls.unit);
	free(hulls.place);
	free(hulls.is_idle);
	free(hulls.below);
	free(hulls.has_below);
	free(hulls.path.at);
	free(hull.is_in);
	free(hull.units.at);
	return end;
}
