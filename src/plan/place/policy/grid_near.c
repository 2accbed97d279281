/* grid_near.c - nodes that are near each other on a line, ring, mesh, torus or hypercube */
#include "place/policy/grid_near.h"

#include <stdlib.h>

#include "place/policy/grid_near_priv.h"
#include "model/topo_type.h"

int grid_near_open(struct alloc *alloc, struct err *err)
{
	struct topo *topo = alloc->topo;
	struct grid_near *near = xcalloc(1, sizeof(*near));

	(void)err;
	alloc->state = near;
	*near = (struct grid_near){.topo = topo, .ndims = -1};
	if (topo->type->dims != NULL)
		near->ndims = topo->type->dims(topo, &near->sizes, &near->is_ring);
	if (near->ndims < 0)
		return 0;
	topo_graph(topo);
	near->seen_of = xcalloc((size_t)topo->nrouters, sizeof(*near->seen_of));
	return 0;
}

void grid_near_close(struct alloc *alloc)
{
	struct grid_near *near = alloc->state;

	if (near == NULL)
		return;
	free(near->seen_of);
	free(near->ball.at);
	free(near->queue.at);
	free(near->idle.at);
	free(near->best.at);
	free(near);
}

/* ---- balls ---- */

enum { CENTRES = 64, PAIRS_MOST = 512 };

/* The n idle nodes that are nearest to a router, breadth first. */
static void fill_ball(struct grid_near *near, const struct machine *machine, int centre, int n)
{
	const struct topo *topo = near->topo;
	const struct topo_graph *graph = topo->graph;

	near->ball.n = near->queue.n = 0;
	near->nseen++;
	near->seen_of[centre] = near->nseen;
	vec_push(&near->queue, centre);
	for (size_t done = 0; done < near->queue.n && near->ball.n < (size_t)n; done++) {
		int router = near->queue.at[done], vertex = topo->nnodes + router;

		machine_idle_of_router(machine, router, n - (int)near->ball.n, &near->ball);
		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || near->seen_of[peer] == near->nseen)
				continue;
			near->seen_of[peer] = near->nseen;
			vec_push(&near->queue, peer);
		}
	}
}

/* Over all pairs; of many nodes over those with the centre. */
static int64_t measure(const struct grid_near *near, int centre, enum near_goal goal)
{
	const struct topo *topo = near->topo;
	int64_t sum = 0, most = 0;

	for (size_t i = 0; i < near->ball.n; i++)
		for (size_t k = 0; k < (near->ball.n <= PAIRS_MOST ? i : 1); k++) {
			int other = near->ball.n <= PAIRS_MOST ? topo->router_of[near->ball.at[k]]
							       : centre;
			int hops = topo->type->distance(topo, topo->router_of[near->ball.at[i]],
							other);

			sum += hops;
			most = hops > most ? hops : most;
		}
	return goal == NEAR_SUM ? sum : most;
}

static int64_t best_ball(struct grid_near *near, const struct alloc_request *request,
			 enum near_goal goal)
{
	const struct machine *machine = request->machine;
	int ncentres = machine->nidle < CENTRES ? machine->nidle : CENTRES;
	int64_t best = -1;

	for (int i = 0; i < ncentres; i++) {
		int k = (int)((int64_t)i * machine->nidle / ncentres);
		int centre = near->topo->router_of[machine_kth_idle(machine, k)];
		int64_t value;
		int_vec other = near->best;

		fill_ball(near, machine, centre, request->job->nnodes);
		value = measure(near, centre, goal);
		if (near->ball.n < (size_t)request->job->nnodes || (best >= 0 && value >= best))
			continue;
		best = value;
		near->best = near->ball;
		near->ball = other;
	}
	return best;
}

/* ---- which way ---- */

void grid_near_take(struct grid_near *near, const struct alloc_request *request,
		    enum near_goal goal, int_vec *nodes, struct buf *reason)
{
	int64_t value;

	near->best.n = 0;
	if (near->ndims == 1)
		value = near_arc(near, request, goal);
	else if (near->ndims == 2 && !near->is_ring && goal == NEAR_MAX)
		value = near_square(near, request);
	else
		value = best_ball(near, request, goal);
	/* in pieces that are not joined: what there is */
	if (value < 0)
		for (int node = -1; near->best.n < (size_t)request->job->nnodes;) {
			node = bitset_next(&request->machine->idle, node + 1);
			vec_push(&near->best, node);
		}
	for (size_t i = 0; i < near->best.n; i++)
		alloc_take(request, near->best.at[i], nodes);
	buf_printf(reason, "%s of distances %lld", goal == NEAR_SUM ? "sum" : "largest",
		   (long long)value);
}
