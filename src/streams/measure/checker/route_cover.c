/* route_cover.c - some of the routes between a job's nodes that take every link of them all */
#include <stdlib.h>

#include "machine/route/routing.h"
#include "machine/route/walk.h"
#include "measure/checker/geometry.h"
#include "model/topo_type.h"

void geometry_set_cover(struct geometry *geometry)
{
	const struct topo_type *type = geometry->topo->type;
	const struct routing *routing = geometry->routing;
	bool is_ring;

	geometry->is_by_router =
		!routing->type->is_by_pair && topo_nodes_have_one_link(geometry->topo);
	geometry->is_walked = geometry->is_by_router && routing_is_closed(routing) &&
			      type->next != NULL && type->distance != NULL;
	if (geometry->is_walked && type->dims != NULL &&
	    topo_routers_have_single_cables(geometry->topo))
		geometry->ndims = type->dims(geometry->topo, &geometry->sizes, &is_ring);
}

/* One node of each class that the job's routers, divided by stride, modulo n, fall into. */
static void pick_nodes(struct geometry *geometry, const struct region *region, int stride, int n,
		       int_vec *nodes)
{
	nodes->n = 0;
	geometry->nseen++;
	for (int i = 0; i < region->n; i++) {
		int class = geometry->topo->router_of[region->nodes[i]] / stride % n;

		if (geometry->seen_of[class] == geometry->nseen)
			continue;
		geometry->seen_of[class] = geometry->nseen;
		vec_push(nodes, region->nodes[i]);
	}
}

static int visit_fan(const int *from, size_t nfrom, const int *to, size_t nto,
		     visit_route_fn *visit, void *context)
{
	for (size_t i = 0; i < nfrom; i++)
		for (size_t k = 0; k < nto; k++) {
			int found = from[i] == to[k] ? 0 : visit(context, from[i], to[k]);

			if (found != 0)
				return found;
		}
	return 0;
}

/* Along dimension d a route from a to b leads from a's coordinate to b's, where those before are
 * b's already and those after still a's. */
static int visit_dimensions(struct geometry *geometry, const struct region *region,
			    visit_route_fn *visit, void *context)
{
	int nrouters = geometry->topo->nrouters;

	for (int d = 0, stride = 1; d < geometry->ndims; d++) {
		int next = stride * geometry->sizes[d], found;

		pick_nodes(geometry, region, stride, nrouters, &geometry->from);
		pick_nodes(geometry, region, 1, next, &geometry->to);
		found = visit_fan(geometry->from.at, geometry->from.n, geometry->to.at,
				  geometry->to.n, visit, context);
		if (found != 0)
			return found;
		stride = next;
	}
	return 0;
}

int geometry_cover(struct geometry *geometry, const struct region *region, visit_route_fn *visit,
		   void *context)
{
	size_t n = (size_t)region->n;
	int found;

	if (!geometry->is_by_router)
		return visit_fan(region->nodes, n, region->nodes, n, visit, context);
	/* the nodes' own links, then those between routers */
	found = visit_fan(region->nodes, n > 0, region->nodes, n, visit, context);
	if (found != 0)
		return found;
	if (geometry->ndims > 0)
		return visit_dimensions(geometry, region, visit, context);
	pick_nodes(geometry, region, 1, geometry->topo->nrouters, &geometry->from);
	return visit_fan(geometry->from.at, geometry->from.n, region->nodes, n, visit, context);
}

/* The steps to one node. Routes join: none is followed beyond where another was. *is_single: they
 * are the same to every node of its router. */
static int walk_steps_to(struct geometry *geometry, int node, bool *is_single, visit_step_fn *visit,
			 void *context)
{
	const struct topo *topo = geometry->topo;
	int to = topo->router_of[node], passed = ++geometry->npassed, next;

	*is_single = topo->type->choices != NULL;
	geometry->passed_of[to] = passed;
	for (size_t i = 0; i < geometry->from.n; i++) {
		int router = topo->router_of[geometry->from.at[i]];

		if (topo->type->distance(topo, router, to) < 0)
			return -1;
		for (; geometry->passed_of[router] != passed; router = next) {
			int64_t place = walk_next(topo, router, to, node, &next);
			int found = visit(context, router, next, topo->graph->channel[place] / 2);

			if (found != 0)
				return found;
			*is_single = *is_single && topo->type->choices(topo, router, to) == 1;
			geometry->passed_of[router] = passed;
		}
	}
	return 0;
}

int geometry_steps(struct geometry *geometry, const struct region *region, visit_step_fn *visit,
		   void *context)
{
	int since = geometry->npassed;

	pick_nodes(geometry, region, 1, geometry->topo->nrouters, &geometry->from);
	for (int k = 0; k < region->n; k++) {
		int *single = &geometry->single_of[geometry->topo->router_of[region->nodes[k]]];
		bool is_single;
		int found;

		if (*single > since)
			continue;
		found = walk_steps_to(geometry, region->nodes[k], &is_single, visit, context);
		if (found != 0)
			return found;
		if (is_single)
			*single = geometry->npassed;
	}
	return 0;
}

struct linking {
	struct geometry *geometry;
	int_vec *links;
};

static int add_link(void *context, int router, int next, int link)
{
	const struct linking *linking = context;
	struct geometry *geometry = linking->geometry;

	(void)router;
	(void)next;
	if (geometry->link_of[link] != geometry->nlinked) {
		geometry->link_of[link] = geometry->nlinked;
		vec_push(linking->links, link);
	}
	return 0;
}

static int add_links(void *context, int a, int b)
{
	struct geometry *geometry = ((struct linking *)context)->geometry;

	geometry->path.n = 0;
	route_path(geometry->routing, a, b, &geometry->path);
	for (size_t i = 0; i < geometry->path.n; i++)
		add_link(context, -1, -1, geometry->path.at[i] / 2);
	return 0;
}

static int by_number(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

void geometry_links(struct geometry *geometry, const struct region *region, int_vec *links)
{
	struct linking linking = {geometry, links};

	if (geometry->link_of == NULL)
		geometry->link_of = xcalloc((size_t)geometry->topo->graph->nlinks + 1, sizeof(int));
	geometry->nlinked++;
	links->n = 0;
	if (geometry->is_walked && geometry->ndims <= 0 &&
	    geometry_steps(geometry, region, add_link, &linking) == 0)
		/* the nodes' own links */
		visit_fan(region->nodes, region->n > 0, region->nodes, (size_t)region->n, add_links,
			  &linking);
	else
		geometry_cover(geometry, region, add_links, &linking);
	if (links->n > 1)
		qsort(links->at, links->n, sizeof(int), by_number);
}
