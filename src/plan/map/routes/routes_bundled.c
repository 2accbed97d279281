/* routes_bundled.c - routes between routers, on bundles of channels */
#include <stdlib.h>

#include "map/routes/map_routes_priv.h"

static const double most_uneven = 1.4; /* or single channels decide, not their bundles */

struct routes_bundles {
	struct routes *single;
	int *nodes;         /* [nsources] of the machine, one of each router */
	int *node_at;       /* [nsources] the same, as index of the allocation */
	int32_t *bundle_of; /* [dense numbers of channels] */
};

/* The channels being bundled, by dense numbers. */
struct bundling {
	int32_t *parent;  /* [n] of trees of channels that are one */
	int64_t *nroutes; /* [n] that pass the channel */
};

static void bundles_free(struct routes *routes)
{
	struct routes_bundles *bundles = routes->bundles;

	free(bundles->nodes);
	free(bundles->node_at);
	free(bundles->bundle_of);
	free(bundles);
}

/* Channels of a route between the links of the nodes: at[1] … at[return]. */
static int between(const struct routes *single, const int32_t *at, int to)
{
	int n = at[0];
	bool ends_there =
		n > 0 && single->channels.at[at[n]] == (single->channels.at[single->up[to]] ^ 1);

	return n - ends_there;
}

static int32_t root_of(const struct bundling *b, int32_t channel)
{
	while (b->parent[channel] != channel) {
		b->parent[channel] = b->parent[b->parent[channel]];
		channel = b->parent[channel];
	}
	return channel;
}

/* Channels at one hop of two routes from a router to nodes of another. */
static void unite(struct bundling *b, const int32_t *x, const int32_t *y, int n)
{
	for (int i = 1; i <= n; i++)
		b->parent[root_of(b, x[i])] = root_of(b, y[i]);
}

/* Of the routes from a router to node v: counts it, and unites its channels with those to the first
 * node there, which was looked up before. */
static void add_route(const struct routes_bundles *bundles, struct bundling *b, int router, int v)
{
	struct routes *single = bundles->single;
	int from = bundles->node_at[router], first = bundles->node_at[single->source_of[v]];
	const int32_t *at = routes_rest(single, from, v),
		      *beside = routes_rest(single, from, first);
	int n = between(single, at, v);

	for (int i = 1; i <= n; i++)
		b->nroutes[at[i]]++;
	if (n == between(single, beside, first))
		unite(b, at, beside, n);
}

/* Bundles get dense numbers and capacities, and go by the first of their channels. */
static void number_bundles(struct routes *routes, const struct bundling *b)
{
	struct routes_bundles *bundles = routes->bundles;
	const struct routes *single = bundles->single;
	size_t n = single->channels.n;
	int64_t *all = xcalloc(n + 1, sizeof(*all));
	int32_t *number_of = xcalloc(n + 1, sizeof(*number_of)); /* by root, + 1 */

	bundles->bundle_of = xmalloc((n + 1) * sizeof(*bundles->bundle_of));
	for (size_t c = 0; c < n; c++)
		all[root_of(b, (int32_t)c)] += b->nroutes[c];
	for (size_t c = 0; c < n; c++) {
		int32_t root = root_of(b, (int32_t)c), channel = single->channels.at[c];
		double per_byte;

		bundles->bundle_of[c] = -1;
		if (all[root] == 0) /* a node's own */
			continue;
		per_byte = single->per_byte.at[c] * (double)b->nroutes[c] / (double)all[root];
		if (number_of[root] == 0) {
			vec_push(&routes->channels, channel);
			vec_push(&routes->per_byte, 0);
			number_of[root] = (int32_t)routes->channels.n;
		}
		bundles->bundle_of[c] = number_of[root] - 1;
		if (channel < routes->channels.at[number_of[root] - 1])
			routes->channels.at[number_of[root] - 1] = channel;
		if (per_byte > routes->per_byte.at[number_of[root] - 1])
			routes->per_byte.at[number_of[root] - 1] = per_byte;
	}
	for (size_t c = 0; c < routes->channels.n; c++)
		routes->number_of[routes->channels.at[c]] = (int32_t)c + 1;
	free(all);
	free(number_of);
}

/* How much more the most loaded channels of bundles have than if all were loaded to capacity alike,
 * on the average over the hops of all routes; summed in the order of the machine's channels. */
static double unevenness(const struct routes *routes, const struct bundling *b)
{
	const struct routes *single = routes->bundles->single;
	int64_t nchannels = 2 * topo_graph(single->topo)->nlinks;
	double *capacity = xcalloc(routes->channels.n + 1, sizeof(*capacity)); /* of bundles */
	double passed = 0, sum = 0;

	for (int64_t channel = 0; channel < nchannels; channel++) {
		int32_t c = single->number_of[channel] - 1;

		if (c >= 0 && routes->bundles->bundle_of[c] >= 0)
			capacity[routes->bundles->bundle_of[c]] += 1 / single->per_byte.at[c];
	}
	for (int64_t channel = 0; channel < nchannels; channel++) {
		int32_t c = single->number_of[channel] - 1;
		int32_t bundle = c >= 0 ? routes->bundles->bundle_of[c] : -1;

		if (bundle >= 0) {
			passed += (double)b->nroutes[c];
			sum += (double)b->nroutes[c] * routes->per_byte.at[bundle] *
			       capacity[bundle];
		}
	}
	free(capacity);
	return passed > 0 ? sum / passed : 1;
}

/* Returns whether all pairs have routes, and bundles are even. */
static bool make_bundles(struct routes *routes)
{
	struct routes_bundles *bundles = routes->bundles;
	struct routes *single = bundles->single;
	int32_t nchannels = (int32_t)(2 * topo_graph(single->topo)->nlinks);
	struct bundling b;
	bool is_good;

	b.parent = xmalloc((size_t)nchannels * sizeof(*b.parent));
	b.nroutes = xcalloc((size_t)nchannels, sizeof(*b.nroutes));
	for (int32_t c = 0; c < nchannels; c++)
		b.parent[c] = c;
	for (int router = 0; router < single->nsources; router++)
		for (int v = 0; v < single->nnodes; v++)
			if (single->source_of[v] != router)
				add_route(bundles, &b, router, v);
	is_good = !single->is_broken;
	if (is_good) {
		number_bundles(routes, &b);
		is_good = unevenness(routes, &b) <= most_uneven;
	} else {
		routes_reset(single); /* it matters when a job sends something there, not here */
	}
	free(b.parent);
	free(b.nroutes);
	return is_good;
}

/* The bundles from one router (place) to another. */
static int bundles_add(struct routes *routes, int a, int b)
{
	const struct routes_bundles *bundles = routes->bundles;
	int to = bundles->node_at[b];
	const int32_t *fine = routes_rest(bundles->single, bundles->node_at[a], to);
	int n = between(bundles->single, fine, to);

	for (int i = 1; i <= n; i++)
		vec_push(&routes->pool, bundles->bundle_of[fine[i]]);
	return n;
}

/* Places are the sources of others. */
static void open_routes(struct routes *routes, struct routes *single)
{
	size_t nsources = (size_t)single->nsources;
	struct routes_bundles *bundles = xcalloc(1, sizeof(*bundles));

	bundles->single = single;
	bundles->nodes = xmalloc(nsources * sizeof(*bundles->nodes));
	bundles->node_at = xmalloc(nsources * sizeof(*bundles->node_at));
	for (int v = single->nnodes - 1; v >= 0; v--) {
		bundles->nodes[single->source_of[v]] = single->nodes[v];
		bundles->node_at[single->source_of[v]] = v;
	}
	routes_open(routes, single->topo, single->routing, bundles->nodes, single->nsources);
	routes->bundles = bundles;
	routes->add = bundles_add;
	routes->drop = bundles_free;
	routes_share_nothing(routes);
}

bool routes_bundle(struct routes *routes, struct routes *single)
{
	if (single->dense == NULL || single->nsources < 2 || single->nsources == single->nnodes ||
	    single->is_broken)
		return false;
	for (int v = 0; v < single->nnodes; v++)
		if (single->up[v] < 0)
			return false;
	open_routes(routes, single);
	if (make_bundles(routes))
		return true;
	routes_free(routes);
	return false;
}
