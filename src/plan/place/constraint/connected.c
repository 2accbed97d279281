/* connected.c - nodes in one piece of the network (Def. 3) */
#include <stdlib.h>

#include "place/constraint/connected_pieces.h"

int connected_open(struct constraint *constraint, struct err *err)
{
	if (constraint->space->is_direct)
		return 0;
	return err_set(err,
		       "the nodes of %s are joined through switches only, where it says nothing; "
		       "expected a network whose routers all have nodes",
		       constraint->space->topo->name);
}

/* Idle nodes of the piece that a router is in, appended. */
static void collect(struct reach *reach, const struct machine *machine, int router, int_vec *nodes)
{
	const struct space *space = reach->space;

	reach_start(reach, router);
	for (size_t i = 0; i < reach->newly.n; i++) {
		int r = reach->newly.at[i];
		size_t before = nodes->n;

		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
			if (machine_is_idle(machine, space->node[k]))
				vec_push(nodes, space->node[k]);
		if (nodes->n > before)
			reach_from(reach, r);
	}
}

static bool has_idle(const struct space *space, const struct machine *machine, int r)
{
	for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
		if (machine_is_idle(machine, space->node[k]))
			return true;
	return false;
}

int connected_pieces(const struct space *space, const struct machine *machine, int least,
		     int_vec *nodes, int_vec *first)
{
	struct reach reach;
	bool *is_done = xcalloc((size_t)space->topo->nrouters, sizeof(*is_done));
	int n = 0;

	reach_init(&reach, space);
	for (int r = 0; r < space->topo->nrouters; r++) {
		size_t before = nodes->n;

		if (is_done[r] || !has_idle(space, machine, r))
			continue;
		reach_clear(&reach);
		collect(&reach, machine, r, nodes);
		for (size_t i = before; i < nodes->n; i++)
			is_done[space->topo->router_of[nodes->at[i]]] = true;
		if (nodes->n - before < (size_t)least) {
			nodes->n = before;
			continue;
		}
		vec_push(first, (int)before);
		n++;
	}
	vec_push(first, (int)nodes->n);
	free(is_done);
	reach_free(&reach);
	return n;
}

static int regions(struct constraint *constraint, struct search *search)
{
	const struct space *space = constraint->space;
	int_vec nodes = {0}, first = {0};
	int n, end = SEARCH_ALL;

	n = connected_pieces(space, search->machine, search->wanted, &nodes, &first);
	for (int i = 0; i < n && end == SEARCH_ALL; i++) {
		int *piece = &nodes.at[first.at[i]], size = first.at[i + 1] - first.at[i];

		search_sort(search, piece, size);
		end = search->wants_all ? connected_all(search, space, piece, size)
					: connected_grow(search, space, piece, 1);
	}
	free(nodes.at);
	free(first.at);
	return end;
}

bool connected_is(const struct space *space, const int *nodes, int n)
{
	struct reach reach;
	bool *is_here = xcalloc((size_t)space->topo->nrouters, sizeof(*is_here));
	int nhere = 0, nseen = 0;

	reach_init(&reach, space);
	for (int i = 0; i < n; i++)
		if (!is_here[space->topo->router_of[nodes[i]]]) {
			is_here[space->topo->router_of[nodes[i]]] = true;
			nhere++;
		}
	reach_from(&reach, space->topo->router_of[nodes[0]]);
	for (size_t i = 0; i < reach.newly.n; i++)
		if (is_here[reach.newly.at[i]]) {
			nseen++;
			reach_from(&reach, reach.newly.at[i]);
		}
	free(is_here);
	reach_free(&reach);
	return nseen == nhere;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	return connected_is(constraint->space, nodes, search->wanted);
}

static int open_connected(struct constraint *constraint, struct err *err)
{
	if (connected_open(constraint, err) != 0)
		return -1;
	joining_open(constraint);
	return 0;
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	return connected_fits(constraint->state, idle, n);
}

static int64_t earliest(struct constraint *constraint, const struct free_times *times, int n)
{
	return connected_earliest(constraint->state, times, n);
}

const struct constraint_type constraint_connected = {
	.entry =
		{
			.name = "connected",
			.example = "connected",
			.summary = "nodes that are joined through each other, or "
				   "through separate I/O nodes",
			.paper = "Bleuse et al., Def. 3",
			.params = (const struct param[]){CONSTRAINT_PARAMS, {0}},
		},
	.turn = TURN_CONNECTED,
	.open = open_connected,
	.close = joining_close,
	.is_quick = true,
	.shrinks = true,
	.fits = fits,
	.earliest = earliest,
	.regions = regions,
	.holds = holds,
};
