/* topo_routes.c - the routes that a machine has set up: forwarding tables */
#include "model/topo_routes.h"

#include <stdlib.h>
#include <string.h>

enum { NARROW_MOST = 254, WIDE_MOST = 65534 };

/* The vertex that a channel leads to. */
static int channel_end(const struct topo_graph *graph, int32_t channel)
{
	const struct topo_link *link = &graph->links[channel / 2];

	return channel % 2 == 0 ? link->b : link->a;
}

/* The most cables that a router has. */
static int64_t widest(const struct topo *topo, const struct topo_graph *graph)
{
	int64_t most = 0;

	for (int v = topo->nnodes; v < topo_nvertices(topo); v++)
		if (graph->first[v + 1] - graph->first[v] > most)
			most = graph->first[v + 1] - graph->first[v];
	return most;
}

int topo_routes_new(struct topo *topo, struct err *err)
{
	const struct topo_graph *graph = topo_graph(topo);
	int64_t nends = graph->first[topo->nnodes], ncables = widest(topo, graph);
	int width = ncables > NARROW_MOST ? 2 : 1;
	struct topo_routes *routes;
	size_t nbytes;

	if (ncables > WIDE_MOST)
		return err_set(err, "a router has %lld cables: its table takes %d",
			       (long long)ncables, WIDE_MOST);
	if (topo->nrouters > 0 && nends > ROUTES_MOST / width / topo->nrouters)
		return err_set(err,
			       "the tables of %d routers for %lld cables of nodes are too large",
			       topo->nrouters, (long long)nends);
	routes = xcalloc(1, sizeof(*routes));
	topo_routes_free(topo->routes);
	topo->routes = routes;
	routes->nends = nends;
	routes->width = width;
	nbytes = (size_t)topo->nrouters * (size_t)nends * (size_t)width;
	routes->port = xmalloc(nbytes + 1);
	memset(routes->port, 0xff, nbytes);
	for (int64_t end = 0; end < nends; end++)
		topo_routes_set(topo, topo_end_router(topo, end), end, topo_end_channel(topo, end));
	return 0;
}

void topo_routes_free(struct topo_routes *routes)
{
	if (routes == NULL)
		return;
	free(routes->port);
	free(routes);
}

int32_t topo_routes_next(const struct topo *topo, int router, int64_t end)
{
	const struct topo_routes *routes = topo->routes;
	const uint8_t *entry = routes->port + (router * routes->nends + end) * routes->width;
	int port = entry[0];

	if (routes->width == 2)
		port |= entry[1] << 8;
	if (port == (routes->width == 2 ? 0xffff : 0xff))
		return -1;
	return topo->graph->channel[topo->graph->first[topo->nnodes + router] + port];
}

void topo_routes_set(struct topo *topo, int router, int64_t end, int32_t channel)
{
	const struct topo_routes *routes = topo->routes;
	const struct topo_graph *graph = topo->graph;
	uint8_t *entry = routes->port + (router * routes->nends + end) * routes->width;
	int64_t first = graph->first[topo->nnodes + router];
	int64_t low = first, high = graph->first[topo->nnodes + router + 1];
	int port = 0xffff;

	if (channel >= 0) { /* sorted by (peer, channel) */
		int peer = channel_end(graph, channel);

		while (low < high) {
			int64_t middle = low + (high - low) / 2;

			if (graph->peer[middle] < peer ||
			    (graph->peer[middle] == peer && graph->channel[middle] < channel))
				low = middle + 1;
			else
				high = middle;
		}
		port = (int)(low - first);
	}
	entry[0] = (uint8_t)port;
	if (routes->width == 2)
		entry[1] = (uint8_t)(port >> 8);
}

int topo_end_router(const struct topo *topo, int64_t end)
{
	return topo->graph->peer[end] - topo->nnodes;
}

int32_t topo_end_channel(const struct topo *topo, int64_t end)
{
	return topo->graph->channel[end] ^ 1;
}

/* As topo_routes_hops, and the router where the way ends. */
static int walk(const struct topo *topo, int *router, int64_t end)
{
	for (int hops = 0; hops <= topo->nrouters; hops++) {
		int32_t channel = topo_routes_next(topo, *router, end);

		if (channel == topo_end_channel(topo, end))
			return hops;
		if (channel < 0)
			return ROUTES_NONE;
		*router = channel_end(topo->graph, channel) - topo->nnodes;
	}
	return ROUTES_LOOP;
}

int topo_routes_hops(const struct topo *topo, int router, int64_t end)
{
	return walk(topo, &router, end);
}

/* ---- checking ---- */

enum { UNKNOWN, GOOD, NONE, LOOP, ON_WAY };

struct check {
	struct topo *topo;
	char *state; /* [nrouters] of the way to one end */
	char *best;  /* [nrouters] of the ways to any end of one node */
	int *way;    /* [nrouters] */
};

/* Follows the tables until a router whose state is known, and gives it to all on the way. */
static void follow(struct check *check, int router, int64_t end)
{
	const struct topo *topo = check->topo;
	int n = 0, state = UNKNOWN;

	while (check->state[router] == UNKNOWN && state == UNKNOWN) {
		int32_t channel = topo_routes_next(topo, router, end);

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

static void tell_pair(const struct topo *topo, struct topo_routes_faults *faults, int a, int b)
{
	const struct topo_graph *graph = topo->graph;
	struct topo_routes_fault fault = {
		.from = a, .to = b, .router = graph->peer[graph->first[a]] - topo->nnodes};

	if (faults->ntold == ROUTES_TOLD)
		return;
	fault.is_loop = walk(topo, &fault.router, graph->first[b]) == ROUTES_LOOP;
	faults->told[faults->ntold++] = fault;
}

void topo_routes_check(struct topo *topo, struct topo_routes_faults *faults)
{
	const struct topo_graph *graph = topo_graph(topo);
	size_t n = (size_t)topo->nrouters + 1;
	struct check check = {.topo = topo,
			      .state = xmalloc(n),
			      .best = xmalloc(n),
			      .way = xmalloc(n * sizeof(int))};

	*faults = (struct topo_routes_faults){.none = 0};
	for (int b = 0; b < topo->nnodes; b++) {
		for (int r = 0; r < topo->nrouters; r++)
			check.best[r] = UNKNOWN;
		for (int64_t end = graph->first[b]; end < graph->first[b + 1]; end++)
			check_end(&check, end);
		for (int a = 0; a < topo->nnodes; a++) {
			int state = a == b ? GOOD : state_of(&check, a);

			faults->none += state == NONE;
			faults->loop += state == LOOP;
			if (state != GOOD)
				tell_pair(topo, faults, a, b);
		}
	}
	free(check.state);
	free(check.best);
	free(check.way);
}

void topo_routes_fault_text(const struct topo *topo, const struct topo_routes_fault *fault,
			    struct buf *text)
{
	char from[TOPO_NAME], to[TOPO_NAME], router[TOPO_NAME];

	buf_printf(text, "from %s to %s router %s %s", topo_node_name(topo, fault->from, from),
		   topo_node_name(topo, fault->to, to),
		   topo_router_name(topo, fault->router, router),
		   fault->is_loop ? "is on a cycle" : "has no entry");
}

void topo_routes_faults_text(const struct topo *topo, const struct topo_routes_faults *faults,
			     struct buf *text)
{
	buf_printf(text, "%lld of %lld pairs of nodes have no route",
		   (long long)(faults->none + faults->loop),
		   (long long)topo->nnodes * (topo->nnodes - 1));
	if (faults->loop > 0)
		buf_printf(text, " (%lld of them in a cycle)", (long long)faults->loop);
	if (faults->ntold > 0) {
		buf_str(text, ": ");
		topo_routes_fault_text(topo, &faults->told[0], text);
	}
}
