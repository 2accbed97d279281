/* link_form_walked.c - links in use by following each route: any machine, any routing */
#include <stdlib.h>
#include <string.h>

#include "machine/route/walk.h"
#include "place/constraint/link_forms.h"

/* Units are nodes. */
struct state {
	bool is_closed; /* the next router depends on the router and the destination only */
	int *seen;      /* [nrouters] the last destination, plus one */
	int_vec path;
};

static bool form_open(struct links *links)
{
	const struct space *space = links->space;
	const struct topo *topo = space->topo;
	const struct topo_graph *graph = topo_graph(space->topo);
	struct state *state = xcalloc(1, sizeof(*state));

	links->state = state;
	state->is_closed = topo->type->next != NULL && routing_is_closed(space->routing);
	for (int node = 0; node < topo->nnodes; node++) {
		links->unit_of[node] = node;
		state->is_closed &= graph->first[node + 1] - graph->first[node] == 1;
	}
	state->seen = xcalloc((size_t)topo->nrouters, sizeof(int));
	links->nunit_words = topo->nnodes / 64 + 1;
	links->nwords = (int)(graph->nlinks / 64) + 1;
	links->mark_steps = INT64_MAX / 4; /* more than by pairs */
	return true;
}

static void close(struct links *links)
{
	struct state *state = links->state;

	free(state->seen);
	free(state->path.at);
	free(state);
}

/* All routes to a node: each goes on until it meets one that was there before. */
static void add_routes_to(const struct links *links, const int *nodes, int n, int to,
			  uint64_t *marked)
{
	const struct state *state = links->state;
	const struct topo *topo = links->space->topo;
	const struct topo_graph *graph = topo_graph(links->space->topo);
	int last = topo->router_of[to];

	bits_add(marked, graph->channel[graph->first[to]] / 2);
	for (int i = 0; i < n; i++) {
		int router = topo->router_of[nodes[i]];

		while (router != last && state->seen[router] != to + 1) {
			int next;
			int64_t place = walk_next(topo, router, last, to, &next);

			state->seen[router] = to + 1;
			bits_add(marked, graph->channel[place] / 2);
			router = next;
		}
	}
}

static void add_route(const struct links *links, int a, int b, uint64_t *marked)
{
	struct state *state = links->state;

	state->path.n = 0;
	if (route_path(links->space->routing, a, b, &state->path) < 0)
		return;
	for (size_t i = 0; i < state->path.n; i++)
		bits_add(marked, state->path.at[i] / 2);
}

static void mark(struct links *links, const int *nodes, int n, uint64_t *marked)
{
	struct state *state = links->state;

	if (state->is_closed)
		memset(state->seen, 0, (size_t)links->space->topo->nrouters * sizeof(int));
	for (int i = 0; i < n && n > 1; i++) {
		if (state->is_closed) {
			add_routes_to(links, nodes, n, nodes[i], marked);
			continue;
		}
		for (int k = 0; k < n; k++)
			if (i != k)
				add_route(links, nodes[k], nodes[i], marked);
	}
}

/* Whether a route has a link in use, or there is none. */
static bool meets(const struct links *links, int a, int b, int64_t *steps)
{
	struct state *state = links->state;

	state->path.n = 0;
	if (route_path(links->space->routing, a, b, &state->path) < 0)
		return true;
	*steps += 16 * (int64_t)state->path.n;
	for (size_t i = 0; i < state->path.n; i++)
		if (bits_has(links->used, state->path.at[i] / 2))
			return true;
	return false;
}

static int64_t narrow(struct links *links, int unit, uint64_t *units)
{
	int64_t steps = links->nunit_words;

	for (int w = 0; w < links->nunit_words; w++)
		for (uint64_t left = units[w]; left != 0; left &= left - 1) {
			int node = w * 64 + __builtin_ctzll(left);

			if (node != unit &&
			    (meets(links, unit, node, &steps) || meets(links, node, unit, &steps)))
				units[w] &= ~(left & -left);
		}
	return steps;
}

const struct link_form link_form_walked = {
	.open = form_open, .close = close, .mark = mark, .narrow = narrow};
