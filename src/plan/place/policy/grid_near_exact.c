/* grid_near_exact.c - windows of idle nodes on lines and rings; diameters on
 * two-dimensional meshes */
#include <stdlib.h>

#include "place/policy/grid_near_priv.h"

static void list_idle(struct grid_near *near, const struct machine *machine)
{
	near->idle.n = 0;
	for (int node = -1; (node = bitset_next(&machine->idle, node + 1)) >= 0;)
		vec_push(&near->idle, node);
}

/* Place of the idle node i along the line; on a ring it goes on behind the last one. */
static int64_t place(const struct grid_near *near, size_t i)
{
	size_t n = near->idle.n;
	int router = near->topo->router_of[near->idle.at[i % n]];

	return router + (int64_t)(i / n) * near->topo->nrouters;
}

/* Moves over all windows of n idle nodes that follow each other; keeps the lowest of the best. */
int64_t near_arc(struct grid_near *near, const struct alloc_request *request, enum near_goal goal)
{
	size_t n = (size_t)request->job->nnodes, nwindows, best_at = 0;
	int64_t inside = 0, sum = 0, best = -1; /* places in the window; distances of its pairs */

	list_idle(near, request->machine);
	nwindows = near->is_ring && n < near->idle.n ? near->idle.n : near->idle.n - n + 1;
	for (size_t i = 0; i + 1 < n; i++) {
		sum += (int64_t)i * place(near, i) - inside;
		inside += place(near, i);
	}
	for (size_t first = 0; first < nwindows; first++) {
		int64_t from = place(near, first), to = place(near, first + n - 1), value;

		sum += (int64_t)(n - 1) * to - inside;
		inside += to;
		value = goal == NEAR_SUM ? sum : to - from;
		if (best < 0 || value < best) {
			best = value;
			best_at = first;
		}
		inside -= from;
		sum -= inside - (int64_t)(n - 1) * from;
	}
	for (size_t i = 0; i < n; i++)
		vec_push(&near->best, near->idle.at[(best_at + i) % near->idle.n]);
	return best;
}

/* ---- squares ---- */

/* Idle nodes over u = x + y and v = x − y + height: those below and left of a corner, [side
 * + 1]². */
struct rotated {
	int width, height, side;
	int *below;
};

static int *corner(const struct rotated *rotated, int u, int v)
{
	return &rotated->below[(size_t)u * (size_t)(rotated->side + 1) + (size_t)v];
}

/* Where the distance of two routers is the larger of those in u and v. */
static void rotate(const struct rotated *rotated, int router, int *u, int *v)
{
	int x = router % rotated->width, y = router / rotated->width;

	*u = x + y;
	*v = x - y + rotated->height - 1;
}

static void fill(struct rotated *rotated, const struct grid_near *near)
{
	for (size_t i = 0; i < near->idle.n; i++) {
		int u, v;

		rotate(rotated, near->topo->router_of[near->idle.at[i]], &u, &v);
		++*corner(rotated, u + 1, v + 1);
	}
	for (int u = 1; u <= rotated->side; u++)
		for (int v = 1; v <= rotated->side; v++)
			*corner(rotated, u, v) += *corner(rotated, u - 1, v) +
						  *corner(rotated, u, v - 1) -
						  *corner(rotated, u - 1, v - 1);
}

/* The first square of this side with room for n nodes. */
static bool find_square(const struct rotated *rotated, int n, int side, int *at_u, int *at_v)
{
	for (*at_u = 0; *at_u + side <= rotated->side; ++*at_u)
		for (*at_v = 0; *at_v + side <= rotated->side; ++*at_v)
			if (*corner(rotated, *at_u + side, *at_v + side) -
				    *corner(rotated, *at_u, *at_v + side) -
				    *corner(rotated, *at_u + side, *at_v) +
				    *corner(rotated, *at_u, *at_v) >=
			    n)
				return true;
	return false;
}

int64_t near_square(struct grid_near *near, const struct alloc_request *request)
{
	struct rotated rotated = {.width = near->sizes[0],
				  .height = near->sizes[1],
				  .side = near->sizes[0] + near->sizes[1] - 1};
	int n = request->job->nnodes, least = 1, most = rotated.side, at_u, at_v;

	list_idle(near, request->machine);
	rotated.below = xcalloc((size_t)(rotated.side + 1) * (size_t)(rotated.side + 1),
				sizeof(*rotated.below));
	fill(&rotated, near);
	while (least < most) {
		int middle = least + (most - least) / 2;

		if (find_square(&rotated, n, middle, &at_u, &at_v))
			most = middle;
		else
			least = middle + 1;
	}
	find_square(&rotated, n, least, &at_u, &at_v);
	free(rotated.below);
	for (size_t i = 0; i < near->idle.n && near->best.n < (size_t)n; i++) {
		int u, v;

		rotate(&rotated, near->topo->router_of[near->idle.at[i]], &u, &v);
		if (u >= at_u && u < at_u + least && v >= at_v && v < at_v + least)
			vec_push(&near->best, near->idle.at[i]);
	}
	return least - 1;
}
