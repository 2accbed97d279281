/* topo_routes.c - the routes that a machine has set up: forwarding tables */
#include "model/topo_routes.h"

#include <stdlib.h>

/* The vertex that a channel leads to. */
static int channel_end(const struct topo_graph *graph, int32_t channel)
{
	const struct topo_link *link = &graph->links[channel / 2];

	return channel % 2 == 0 ? link->b : link->a;
}

int topo_routes_new(struct topo *topo, struct err *err)
{
	const struct topo_graph *graph = topo_graph(topo);
	struct topo_routes *routes;
	size_t n;

	if (graph->first[topo->nnodes] * topo->nrouters > ROUTES_MOST)
		return err_set(err,
			       "the tables of %d routers for %lld cables of nodes are too large",
			       topo->nrouters, (long long)graph->first[topo->nnodes]);
	routes = xcalloc(1, sizeof(*routes));
	topo_routes_free(topo->routes);
	topo->routes = routes;
	routes->nends = graph->first[topo->nnodes];
	n = (size_t)topo->nrouters * (size_t)routes->nends;
	routes->next = xmalloc((n + 1) * sizeof(*routes->next));
	for (size_t i = 0; i < n; i++)
		routes->next[i] = -1;
	for (int64_t end = 0; end < routes->nends; end++)
		*topo_routes_next(topo, topo_end_router(topo, end), end) =
			topo_end_channel(topo, end);
	return 0;
}

void topo_routes_free(struct topo_routes *routes)
{
	if (routes == NULL)
		return;
	free(routes->next);
	free(routes);
}

int32_t *topo_routes_next(const struct topo *topo, int router, int64_t end)
{
	return &topo->routes->next[router * topo->routes->nends + end];
}

int topo_end_router(const struct topo *topo, int64_t end)
{
	return topo->graph->peer[end] - topo->nnodes;
}

int32_t topo_end_channel(const struct topo *topo, int64_t end)
{
	return topo->graph->channel[end] ^ 1;
}

int topo_routes_hops(const struct topo *topo, int router, int64_t end)
{
	for (int hops = 0; hops <= topo->nrouters; hops++) {
		int32_t channel = *topo_routes_next(topo, router, end);

		if (channel == topo_end_channel(topo, end))
			return hops;
		if (channel < 0)
			return ROUTES_NONE;
		router = channel_end(topo->graph, channel) - topo->nnodes;
	}
	return ROUTES_LOOP;
}

/* ---- checking ---- */

enum { UNKNOWN, GOOD, NONE, LOOP, ON_WAY };

struct check {
	struct topo *topo;
	char *state; /* [nrouters] of the way to one end */
	char *best;  /* [nrouters] of the ways to any end of one node */
	int *way;    /* [nrouters] */
	int none_router, loop_router;
};

/* Follows the tables until a router whose state is known, and gives it to all on the way. */
static void follow(struct check *check, int router, int64_t end)
{
	const struct topo *topo = check->topo;
	int n = 0, state = UNKNOWN;

	while (check->state[router] == UNKNOWN && state == UNKNOWN) {
		int32_t channel = *topo_routes_next(topo, router, end);

		check->state[router] = ON_WAY;
		check->way[n++] = router;
		if (channel == topo_end_channel(topo, end))
			state = GOOD;
		else if (channel < 0)
			state = NONE;
		else
			router = channel_end(topo->graph, channel) - topo->nnodes;
	}
	if (state == UNKNOWN)
		state = check->state[router] == ON_WAY ? LOOP : check->state[router];
	if (state == NONE && check->none_router < 0)
		check->none_router = router;
	if (state == LOOP && check->loop_router < 0)
		check->loop_router = router;
	while (n > 0)
		check->state[check->way[--n]] = (char)state;
}

static void check_end(struct check *check, int64_t end)
{
	const struct topo *topo = check->topo;

	for (int r = 0; r < topo->nrouters; r++)
		check->state[r] = UNKNOWN;
	for (int r = 0; r < topo->nrouters; r++) {
		follow(check, r, end);
		if (check->best[r] == UNKNOWN || check->state[r] < check->best[r])
			check->best[r] = check->state[r];
	}
}

/* The best state of the routers at which a node is. */
static int state_of(const struct check *check, int node)
{
	const struct topo_graph *graph = check->topo->graph;
	int best = LOOP;

	for (int64_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
		int state = check->best[graph->peer[i] - check->topo->nnodes];

		best = state < best ? state : best;
	}
	return best;
}

void topo_routes_check(struct topo *topo, struct topo_routes_faults *faults)
{
	const struct topo_graph *graph = topo_graph(topo);
	size_t n = (size_t)topo->nrouters + 1;
	struct check check = {.topo = topo,
			      .state = xmalloc(n),
			      .best = xmalloc(n),
			      .way = xmalloc(n * sizeof(int))};

	*faults = (struct topo_routes_faults){0, 0, -1, -1, -1, -1};
	for (int b = 0; b < topo->nnodes; b++) {
		int64_t none = faults->none, loop = faults->loop;

		check.none_router = check.loop_router = -1;
		for (int r = 0; r < topo->nrouters; r++)
			check.best[r] = UNKNOWN;
		for (int64_t end = graph->first[b]; end < graph->first[b + 1]; end++)
			check_end(&check, end);
		for (int a = 0; a < topo->nnodes; a++) {
			int state = a == b ? GOOD : state_of(&check, a);

			faults->none += state == NONE;
			faults->loop += state == LOOP;
		}
		if (faults->none > none && faults->none_node < 0) {
			faults->none_node = b;
			faults->none_router = check.none_router;
		}
		if (faults->loop > loop && faults->loop_node < 0) {
			faults->loop_node = b;
			faults->loop_router = check.loop_router;
		}
	}
	free(check.state);
	free(check.best);
	free(check.way);
}
