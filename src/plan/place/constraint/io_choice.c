/* io_choice.c - which I/O points a job gets, and lists of them */
#include "place/constraint/io_choice.h"
#include <stdlib.h>
#include <string.h>
#include "formats/hostlist.h"

/* The point at a node or (node −1) at a switch; -1: none. */
static int find(const struct space *space, int node, int router)
{
	struct io_point wanted = {.node = node, .router = router};
	const struct io_point *point =
		space->npoints == 0 ? NULL
				    : bsearch(&wanted, space->points, (size_t)space->npoints,
					      sizeof(*space->points), io_point_compare);

	return point == NULL ? -1 : (int)(point - space->points);
}

struct io_list_reader {
	const struct space *space;
	int_vec *points;
	size_t before;
};

static int take_name(void *context, const char *name, size_t n, struct err *err)
{
	struct io_list_reader *reading = context;
	const struct topo *topo = reading->space->topo;
	int node = topo_node_find(topo, name, n), router, point = -1;

	if (node >= 0)
		point = find(reading->space, node, topo->router_of[node]);
	router = node < 0 ? topo_router_find(topo, name, n) : -1;
	if (router >= 0)
		point = find(reading->space, -1, router);
	if (point < 0)
		return err_set(err, "'%.*s' is not an I/O node of %s", (int)n, name, topo->name);
	for (size_t i = reading->before; i < reading->points->n; i++)
		if (reading->points->at[i] == point)
			return err_set(err, "'%.*s' is there twice", (int)n, name);
	vec_push(reading->points, point);
	return 0;
}

int io_list_read(const struct space *space, const char *text, int_vec *points, struct err *err)
{
	struct io_list_reader reading = {space, points, points->n};

	return hostlist_walk(text, take_name, &reading, err);
}

void io_list_add(const struct space *space, const int *points, size_t n, struct buf *out)
{
	struct hostlist list = {0};
	char text[TOPO_NAME];

	for (size_t i = 0; i < n; i++) {
		const char *name = io_name(space->topo, &space->points[points[i]], text);

		hostlist_add(&list, name, strlen(name));
	}
	buf_str(out, hostlist_text(&list));
	hostlist_free(&list);
}

bool io_is_free(const struct space *space, const struct io_request *request, int point)
{
	return !space->points[point].is_exclusive || request->is_held == NULL ||
	       !request->is_held[point];
}

/* Hops from the nodes to every router, [nrouters], to be freed. */
static int *hops_from(const struct space *space, const int *nodes, int n)
{
	int nrouters = space->topo->nrouters, *hops = xmalloc((size_t)nrouters * sizeof(*hops));
	int_vec queue = {0};

	for (int r = 0; r < nrouters; r++)
		hops[r] = DISTANCE_MOST;
	for (int i = 0; i < n; i++) {
		int r = space->topo->router_of[nodes[i]];

		if (hops[r] == 0)
			continue;
		hops[r] = 0;
		vec_push(&queue, r);
	}
	for (size_t i = 0; i < queue.n; i++) {
		int r = queue.at[i];

		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++)
			if (hops[space->peer[k]] == DISTANCE_MOST) {
				hops[space->peer[k]] = hops[r] + 1;
				vec_push(&queue, space->peer[k]);
			}
	}
	free(queue.at);
	return hops;
}

/* hops [nrouters]: from the job. */
static bool is_near(const struct space *space, int point, const int *hops)
{
	const struct io_point *at = &space->points[point];
	int_vec below = {0};
	bool is = false;

	if (at->node >= 0)
		return hops[at->router] <= (space->is_direct ? 1 : 0);
	space_below(space, at->router, &below);
	for (size_t i = 0; i < below.n && !is; i++)
		is = hops[space->topo->router_of[below.at[i]]] == 0;
	free(below.at);
	return is;
}

struct near_point {
	int hops, point;
};

static int by_hops(const void *a, const void *b)
{
	const struct near_point *x = a, *y = b;

	if (x->hops != y->hops)
		return x->hops < y->hops ? -1 : 1;
	return (x->point > y->point) - (x->point < y->point);
}

static void take_nearest(const struct space *space, const struct io_request *request,
			 const int *hops, bool local, int_vec *points)
{
	VEC(struct near_point) near = {0};

	for (int i = 0; i < space->npoints; i++)
		if (io_is_free(space, request, i))
			vec_push(&near, (struct near_point){hops[space->points[i].router], i});
	if (near.n > 1)
		qsort(near.at, near.n, sizeof(*near.at), by_hops);
	for (size_t i = 0, taken = 0; i < near.n && taken < (size_t)request->wanted; i++)
		if (!local || is_near(space, near.at[i].point, hops)) {
			vec_push(points, near.at[i].point);
			taken++;
		}
	free(near.at);
}

bool io_choose(const struct space *space, const struct io_request *request, const int *nodes, int n,
	       bool local, int_vec *points)
{
	size_t before = points->n;
	int *hops;

	if (request->wanted == 0)
		return true;
	hops = hops_from(space, nodes, n);
	for (int i = 0; i < request->npinned; i++)
		if (io_is_free(space, request, request->pinned[i]) &&
		    (!local || is_near(space, request->pinned[i], hops)))
			vec_push(points, request->pinned[i]);
	if (request->npinned == 0)
		take_nearest(space, request, hops, local, points);
	free(hops);
	return points->n - before == (size_t)request->wanted;
}
