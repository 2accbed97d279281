/* geometry.c - a machine as the checks of constraints see it */
#include "measure/checker/geometry.h"

#include <stdlib.h>
#include <string.h>

#include "machine/route/routing.h"
#include "formats/hostlist.h"
#include "model/topo_type.h"

/* Places in the graph's lists of what leaves a router: its nodes are first. */
static int64_t first_channel(const struct geometry *geometry, int router)
{
	return geometry->topo->graph->first[geometry->topo->nnodes + router];
}

static void set_roles(struct geometry *geometry, const bool *may_serve)
{
	const struct topo *topo = geometry->topo;

	memset(geometry->flags, NODE_COMPUTES | NODE_SERVES, (size_t)topo->nnodes);
	for (int i = 0; i < topo->nio; i++)
		for (int k = 0; topo->io[i].nodes != NULL && k < topo->io[i].nnodes; k++) {
			unsigned char *flags = &geometry->flags[topo->io[i].nodes[k]];

			*flags = topo->io[i].is_separate ? NODE_DOES_IO : *flags | NODE_DOES_IO;
		}
	for (int node = 0; node < topo->nnodes; node++) {
		if (may_serve != NULL && !may_serve[node])
			geometry->flags[node] &= (unsigned char)~NODE_SERVES;
		geometry->ncompute[topo->router_of[node]] += geometry_computes(geometry, node);
	}
}

/* Links from every router to the nearest one that has nodes. */
static void set_ranks(struct geometry *geometry)
{
	const struct topo *topo = geometry->topo;
	const struct topo_graph *graph = topo->graph;
	int_vec *queue = &geometry->queue;

	queue->n = 0;
	geometry->is_direct = true;
	for (int r = 0; r < topo->nrouters; r++) {
		int64_t first = first_channel(geometry, r);
		bool has_nodes =
			first < first_channel(geometry, r + 1) && graph->peer[first] < topo->nnodes;

		geometry->rank[r] = has_nodes ? 0 : -1;
		if (has_nodes)
			vec_push(queue, r);
		else
			geometry->is_direct = false;
	}
	for (size_t done = 0; done < queue->n; done++) {
		int r = queue->at[done];

		for (int64_t i = first_channel(geometry, r); i < first_channel(geometry, r + 1);
		     i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || geometry->rank[peer] >= 0)
				continue;
			geometry->rank[peer] = geometry->rank[r] + 1;
			vec_push(queue, peer);
		}
	}
}

int geometry_open(struct geometry *geometry, struct topo *topo, struct routing *routing,
		  const bool *may_serve, struct err *err)
{
	size_t nrouters = (size_t)topo->nrouters, nnodes = (size_t)topo->nnodes;

	topo_graph(topo);
	*geometry = (struct geometry){.topo = topo,
				      .routing = routing,
				      .is_adaptive = routing->type->detour != DETOUR_NONE};
	if (routing_open_minimal(&geometry->shortest, topo, err) != 0)
		return -1;
	geometry->flags = xmalloc(nnodes);
	geometry->ncompute = xcalloc(nrouters, sizeof(int));
	geometry->rank = xcalloc(nrouters, sizeof(int));
	geometry->job_of = xcalloc(nnodes, sizeof(int));
	geometry->state_job = xcalloc(nrouters, sizeof(int));
	geometry->router_state = xcalloc(nrouters, sizeof(int));
	geometry->seen_of = xcalloc(nrouters, sizeof(int));
	geometry->passed_of = xcalloc(nrouters, sizeof(int));
	geometry->single_of = xcalloc(nrouters, sizeof(int));
	set_roles(geometry, may_serve);
	set_ranks(geometry);
	geometry_set_cover(geometry);
	return 0;
}

void geometry_close(struct geometry *geometry)
{
	routing_close(geometry->shortest);
	free(geometry->flags);
	free(geometry->ncompute);
	free(geometry->rank);
	free(geometry->job_of);
	free(geometry->state_job);
	free(geometry->router_state);
	free(geometry->seen_of);
	free(geometry->passed_of);
	free(geometry->single_of);
	free(geometry->link_of);
	free(geometry->path.at);
	free(geometry->from.at);
	free(geometry->to.at);
	free(geometry->queue.at);
	*geometry = (struct geometry){0};
}

struct io_reading {
	const struct geometry *geometry;
	io_places *io;
};

static int add_place(void *context, const char *name, size_t n, struct err *err)
{
	const struct io_reading *reading = context;
	const struct topo *topo = reading->geometry->topo;
	int node = topo_node_find(topo, name, n);
	int router = node >= 0 ? topo->router_of[node] : topo_router_find(topo, name, n);

	if (router < 0)
		return err_set(err, "'%s' is not a node or router of %s", name, topo->name);
	vec_push(reading->io, (struct io_place){node, router});
	return 0;
}

int geometry_io_read(const struct geometry *geometry, const char *text, io_places *io,
		     struct err *err)
{
	struct io_reading reading = {geometry, io};

	return hostlist_walk(text, add_place, &reading, err);
}

void geometry_mark(struct geometry *geometry, const struct region *region)
{
	geometry->job++;
	for (int i = 0; i < region->n; i++)
		geometry->job_of[region->nodes[i]] = geometry->job;
}

/* ---- what is below a router ---- */

/* Goes down from a router over its own nodes, then to routers of lower rank. Returns a compute node
 * that the job at hand does not have, or -1, and looks no further unless it counts; *n counts the
 * compute nodes. */
static int look_below(struct geometry *geometry, int top, bool counts, int *n)
{
	const struct topo *topo = geometry->topo;
	int_vec *queue = &geometry->queue;
	int seen = ++geometry->nseen;

	*n = 0;
	queue->n = 0;
	vec_push(queue, top);
	geometry->seen_of[top] = seen;
	for (size_t done = 0; done < queue->n; done++) {
		int r = queue->at[done];

		for (int64_t i = first_channel(geometry, r); i < first_channel(geometry, r + 1);
		     i++) {
			int peer = topo->graph->peer[i], router = peer - topo->nnodes;

			if (router < 0) {
				if (!geometry_computes(geometry, peer))
					continue;
				++*n;
				if (!counts && !geometry_has(geometry, peer))
					return peer;
			} else if (geometry->rank[router] < geometry->rank[r] &&
				   geometry->seen_of[router] != seen) {
				geometry->seen_of[router] = seen;
				vec_push(queue, router);
			}
		}
	}
	return -1;
}

enum router_state geometry_router(struct geometry *geometry, int router)
{
	int n;

	if (geometry->state_job[router] == geometry->job)
		return (enum router_state)geometry->router_state[router];
	geometry->state_job[router] = geometry->job;
	geometry->router_state[router] = look_below(geometry, router, false, &n) >= 0
						 ? ROUTER_FOREIGN
					 : n > 0 ? ROUTER_OURS
						 : ROUTER_NOBODYS;
	return (enum router_state)geometry->router_state[router];
}

int geometry_stranger(struct geometry *geometry, int router)
{
	int n;

	return look_below(geometry, router, false, &n);
}

int geometry_count_below(struct geometry *geometry, int router)
{
	int n;

	look_below(geometry, router, true, &n);
	return n;
}

/* ---- distances ---- */

static int levels(const struct topo *topo, int node_a, int node_b)
{
	int a = node_a, b = node_b;

	for (int tier = 0; tier < topo->ntiers && a >= 0 && b >= 0; tier++) {
		a = topo->tiers[tier].of[a];
		b = topo->tiers[tier].of[b];
		if (a == b)
			return tier + 1;
	}
	return topo->ntiers + 1;
}

int geometry_distance(const struct geometry *geometry, int node_a, int node_b)
{
	int hops;

	if (!geometry->is_direct)
		return levels(geometry->topo, node_a, node_b);
	hops = route_hops(geometry->shortest, node_a, node_b);
	return hops < 0 ? DISTANCE_MOST : hops - 2;
}

bool geometry_adjacent(const struct geometry *geometry, int node_a, int node_b)
{
	const struct topo *topo = geometry->topo;
	int a = topo->router_of[node_a], b = topo->router_of[node_b];

	if (a == b)
		return true;
	for (int64_t i = first_channel(geometry, a); i < first_channel(geometry, a + 1); i++)
		if (topo->graph->peer[i] == topo->nnodes + b)
			return true;
	return false;
}

int geometry_router_at(const struct geometry *geometry, int channel)
{
	const struct topo_link *link = &geometry->topo->graph->links[channel / 2];
	int vertex = channel % 2 == 0 ? link->b : link->a;

	return vertex - geometry->topo->nnodes >= 0 ? vertex - geometry->topo->nnodes : -1;
}

/* ---- words ---- */

void geometry_say_node(const struct geometry *geometry, int node, struct buf *text)
{
	char name[TOPO_NAME];

	buf_str(text, topo_node_name(geometry->topo, node, name));
}

void geometry_say_router(const struct geometry *geometry, int router, struct buf *text)
{
	char name[TOPO_NAME];

	buf_str(text, topo_router_name(geometry->topo, router, name));
}

void geometry_say_route(const struct geometry *geometry, int node_a, int node_b, struct buf *text)
{
	buf_str(text, "the route from ");
	geometry_say_node(geometry, node_a, text);
	buf_str(text, " to ");
	geometry_say_node(geometry, node_b, text);
}
