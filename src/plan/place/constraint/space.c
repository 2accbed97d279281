/* space.c - a machine as constraints see it: who computes, who does I/O, who is next to whom */
#include "place/constraint/space.h"

#include <stdlib.h>
#include <string.h>

#include "machine/route/routing.h"

static void find_nodes(struct space *space)
{
	const struct topo *topo = space->topo;
	int *first = xcalloc((size_t)topo->nrouters + 2, sizeof(*first));

	space->node = xmalloc((size_t)topo->nnodes * sizeof(*space->node));
	for (int node = 0; node < topo->nnodes; node++)
		first[topo->router_of[node] + 2]++;
	for (int r = 0; r < topo->nrouters; r++)
		first[r + 1] += first[r];
	for (int node = 0; node < topo->nnodes; node++)
		space->node[first[topo->router_of[node] + 1]++] = node;
	space->first_node = first;
	space->is_direct = true;
	for (int r = 0; r < topo->nrouters; r++)
		space->is_direct = space->is_direct && first[r + 1] > first[r];
}

static void find_peers(struct space *space)
{
	struct topo *topo = space->topo;
	const struct topo_graph *graph = topo_graph(topo);
	int_vec peers = {0};

	space->first_peer = xcalloc((size_t)topo->nrouters + 1, sizeof(*space->first_peer));
	for (int r = 0; r < topo->nrouters; r++) {
		int last = -1;

		for (int64_t i = graph->first[topo->nnodes + r];
		     i < graph->first[topo->nnodes + r + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || peer == last || peer == r)
				continue;
			vec_push(&peers, peer);
			last = peer;
		}
		space->first_peer[r + 1] = (int)peers.n;
	}
	vec_push(&peers, -1);
	space->peer = peers.at;
}

/* Breadth first from what is in the queue; distance is DISTANCE_MOST where it did not get. */
static void walk(const struct space *space, int_vec *queue, int *distance)
{
	for (size_t i = 0; i < queue->n; i++) {
		int r = queue->at[i];

		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++)
			if (distance[space->peer[k]] == DISTANCE_MOST) {
				distance[space->peer[k]] = distance[r] + 1;
				vec_push(queue, space->peer[k]);
			}
	}
}

static void find_ranks(struct space *space)
{
	int_vec queue = {0};
	int nrouters = space->topo->nrouters;

	space->rank_of = xmalloc((size_t)nrouters * sizeof(*space->rank_of));
	for (int r = 0; r < nrouters; r++) {
		bool has = space->first_node[r + 1] > space->first_node[r];

		space->rank_of[r] = has ? 0 : DISTANCE_MOST;
		if (has)
			vec_push(&queue, r);
	}
	walk(space, &queue, space->rank_of);
	free(queue.at);
}

static void find_roles(struct space *space, const bool *away)
{
	const struct topo *topo = space->topo;

	space->computes = xmalloc((size_t)topo->nnodes);
	space->serves = xmalloc((size_t)topo->nnodes);
	space->ncompute = xcalloc((size_t)topo->nrouters, sizeof(*space->ncompute));
	space->connects = xcalloc((size_t)topo->nrouters, sizeof(*space->connects));
	memset(space->computes, true, (size_t)topo->nnodes);
	for (int i = 0; i < space->npoints; i++) {
		const struct io_point *point = &space->points[i];

		if (point->node < 0 || !point->is_separate)
			continue;
		space->computes[point->node] = false;
		space->connects[point->router] = true;
		space->has_separate = true;
	}
	for (int node = 0; node < topo->nnodes; node++) {
		space->ncompute[topo->router_of[node]] += space->computes[node];
		space->serves[node] = space->computes[node] && (away == NULL || !away[node]);
		space->nserving += space->serves[node];
	}
}

int space_open(struct space *space, struct topo *topo, const char *routing, const bool *away,
	       struct err *err)
{
	*space = (struct space){.topo = topo};
	if (routing_open(&space->routing, topo, routing, err) != 0)
		return -1;
	find_nodes(space);
	find_peers(space);
	find_ranks(space);
	if (io_points(topo, space->rank_of, &space->points, &space->npoints, err) != 0) {
		space_close(space);
		return -1;
	}
	find_roles(space, away);
	space->is_tree = topo->type->is_tree;
	if (topo->type->dims != NULL) {
		space->ndims = topo->type->dims(topo, &space->sizes, &space->is_ring);
		space->is_grid = space->ndims > 0;
	}
	space->is_adaptive = space->routing->type->detour != DETOUR_NONE;
	space->is_dor = space->is_grid && routing_is_closed(space->routing);
	return 0;
}

void space_close(struct space *space)
{
	routing_close(space->routing);
	free(space->computes);
	free(space->serves);
	free(space->ncompute);
	free(space->connects);
	free(space->first_node);
	free(space->node);
	free(space->first_peer);
	free(space->peer);
	free(space->rank_of);
	free(space->points);
	*space = (struct space){0};
}

void space_coordinates(const struct space *space, int router, int *at)
{
	for (int d = 0; d < space->ndims; d++) {
		at[d] = router % space->sizes[d];
		router /= space->sizes[d];
	}
}

void space_below(const struct space *space, int router, int_vec *nodes)
{
	struct reach seen;
	int_vec queue = {0};

	reach_init(&seen, space);
	seen.is_reached[router] = true;
	vec_push(&queue, router);
	for (size_t i = 0; i < queue.n; i++) {
		int r = queue.at[i];

		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
			if (space->computes[space->node[k]])
				vec_push(nodes, space->node[k]);
		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++) {
			int peer = space->peer[k];

			if (space->rank_of[peer] >= space->rank_of[r] || seen.is_reached[peer])
				continue;
			seen.is_reached[peer] = true;
			vec_push(&queue, peer);
		}
	}
	free(queue.at);
	reach_free(&seen);
}

void reach_init(struct reach *reach, const struct space *space)
{
	*reach = (struct reach){.space = space};
	reach->is_reached = xcalloc((size_t)space->topo->nrouters, sizeof(*reach->is_reached));
}

void reach_free(struct reach *reach)
{
	free(reach->is_reached);
	free(reach->newly.at);
	free(reach->all.at);
	*reach = (struct reach){0};
}

void reach_clear(struct reach *reach)
{
	for (size_t i = 0; i < reach->all.n; i++)
		reach->is_reached[reach->all.at[i]] = false;
	reach->all.n = reach->newly.n = 0;
}

static void add(struct reach *reach, int router)
{
	if (reach->is_reached[router])
		return;
	reach->is_reached[router] = true;
	vec_push(&reach->newly, router);
	vec_push(&reach->all, router);
}

void reach_start(struct reach *reach, int router)
{
	add(reach, router);
}

/* A router with a separate I/O node that is reached passes the walk on. */
void reach_from(struct reach *reach, int router)
{
	const struct space *space = reach->space;
	size_t next = reach->all.n;

	add(reach, router);
	for (int k = space->first_peer[router]; k < space->first_peer[router + 1]; k++)
		add(reach, space->peer[k]);
	for (; next < reach->all.n; next++) {
		int r = reach->all.at[next];

		if (r == router || !space->connects[r])
			continue;
		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++)
			add(reach, space->peer[k]);
	}
}
