/* window_sums.c - how far a node is from all nodes of a set that changes by one node at a time */
#include "measure/metric/window_sums.h"

#include <stdlib.h>
#include <string.h>

#include "machine/route/routing.h"

/* ---- by coordinate: counts, and sums of coordinates, as Fenwick trees ---- */

struct coordinate_sums {
	int size, stride;
	int64_t *count, *weighted; /* [size + 1] */
};

static void coordinate_put(struct coordinate_sums *sums, int router, int by)
{
	int x = router / sums->stride % sums->size;

	for (int i = x + 1; i <= sums->size; i += i & -i) {
		sums->count[i] += by;
		sums->weighted[i] += (int64_t)by * x;
	}
}

/* Steps from x to the members at coordinates first … last, all of which are on one side of it, or
 * that way around the ring: |shift + y − x| each. */
static int64_t steps_to(const struct coordinate_sums *sums, int x, int first, int last, int shift)
{
	int64_t count = 0, weighted = 0, sum;

	for (int i = last + 1; i > 0; i &= i - 1) {
		count += sums->count[i];
		weighted += sums->weighted[i];
	}
	for (int i = first; i > 0; i &= i - 1) {
		count -= sums->count[i];
		weighted -= sums->weighted[i];
	}
	sum = weighted + count * (shift - x);
	return sum < 0 ? -sum : sum;
}

static int64_t coordinate_steps(const struct coordinate_sums *sums, int router, bool is_ring)
{
	int size = sums->size, x = router / sums->stride % size, half = size / 2;
	int low = is_ring && x - half > 0 ? x - half : 0;
	int high = is_ring && x + half < size - 1 ? x + half : size - 1;
	int64_t steps = 0;

	steps += steps_to(sums, x, low, x, 0) + steps_to(sums, x, x, high, 0);
	if (low > 0)
		steps += steps_to(sums, x, 0, low - 1, size);
	if (high < size - 1)
		steps += steps_to(sums, x, high + 1, size - 1, -size);
	return steps;
}

static void open_dimensions(struct window_sums *window)
{
	const struct topo *topo = window->geometry->topo;

	if (topo->type->dims == NULL)
		return;
	window->ndims = topo->type->dims(topo, &window->sizes, &window->is_ring);
	if (window->ndims < 0)
		window->ndims = 0;
	window->along = xcalloc((size_t)window->ndims + 1, sizeof(*window->along));
	for (int d = 0, stride = 1; d < window->ndims; stride *= window->sizes[d++])
		window->along[d] = (struct coordinate_sums){
			.size = window->sizes[d],
			.stride = stride,
			.count = xcalloc((size_t)window->sizes[d] + 1, sizeof(int64_t)),
			.weighted = xcalloc((size_t)window->sizes[d] + 1, sizeof(int64_t))};
}

/* ---- by domain ---- */

static void open_domains(struct window_sums *window)
{
	const struct topo *topo = window->geometry->topo;

	for (int t = 0; t < topo->ntiers; t++)
		window->of_domain[t] = xcalloc((size_t)topo->tiers[t].n, sizeof(int));
}

static void domains_put(struct window_sums *window, int node, int by)
{
	const struct topo *topo = window->geometry->topo;

	for (int t = 0, domain = node; t < topo->ntiers; t++) {
		domain = topo->tiers[t].of[domain];
		if (domain < 0)
			return;
		window->of_domain[t][domain] += by;
	}
}

/* A pair climbs one level for each tier in which the two are in different domains. */
static int64_t sum_levels(const struct window_sums *window, int node)
{
	const struct topo *topo = window->geometry->topo;
	int64_t sum = window->nnodes * (topo->ntiers + 1);

	for (int t = 0, domain = node; t < topo->ntiers; t++) {
		domain = topo->tiers[t].of[domain];
		if (domain < 0)
			break;
		sum -= window->of_domain[t][domain];
	}
	return sum;
}

/* ---- by router ---- */

static void open_routers(struct window_sums *window)
{
	const struct topo *topo = window->geometry->topo;
	size_t nrouters = (size_t)topo->nrouters;

	window->nodes_at = xcalloc(nrouters, sizeof(int));
	window->place_of = xcalloc(nrouters, sizeof(int));
	window->node_of = xcalloc(nrouters, sizeof(int));
	for (int node = topo->nnodes - 1; node >= 0; node--)
		window->node_of[topo->router_of[node]] = node;
}

static int64_t distance_of(const struct window_sums *window, int router_a, int router_b)
{
	return router_a == router_b ? 0
				    : geometry_distance(window->geometry, window->node_of[router_a],
							window->node_of[router_b]);
}

static void routers_put(struct window_sums *window, int router, int by)
{
	int_vec *routers = &window->routers;

	if (window->nodes_at[router] == 0) {
		window->place_of[router] = (int)routers->n;
		vec_push(routers, router);
	}
	window->nodes_at[router] += by;
	if (window->nodes_at[router] == 0) {
		int last = routers->at[--routers->n], place = window->place_of[router];

		routers->at[place] = last;
		window->place_of[last] = place;
	}
	for (int i = 0; i < 2; i++)
		if (window->kept[i].router >= 0)
			window->kept[i].sum +=
				by * distance_of(window, router, window->kept[i].router);
}

static int64_t sum_routers(struct window_sums *window, int router)
{
	struct router_sum *kept = &window->kept[window->oldest];

	for (int i = 0; i < 2; i++)
		if (window->kept[i].router == router) {
			window->oldest = 1 - i;
			return window->kept[i].sum;
		}
	*kept = (struct router_sum){router, 0};
	for (size_t i = 0; i < window->routers.n; i++) {
		int other = window->routers.at[i];

		kept->sum += window->nodes_at[other] * distance_of(window, other, router);
	}
	window->oldest = 1 - window->oldest;
	return kept->sum;
}

/* ---- all ---- */

void window_sums_open(struct window_sums *window, const struct geometry *geometry)
{
	*window = (struct window_sums){.geometry = geometry};
	if (!geometry->is_direct)
		open_domains(window);
	else if (topo_nodes_have_one_link(geometry->topo)) {
		if (geometry->topo->type != NULL && geometry->topo->type->distance != NULL &&
		    routing_is_closed(geometry->shortest))
			open_dimensions(window);
		window->is_by_router = window->ndims == 0;
		if (window->is_by_router)
			open_routers(window);
	} else {
		window->is_by_node = true;
	}
	window_sums_clear(window);
}

void window_sums_close(struct window_sums *window)
{
	for (int t = 0; t < TOPO_LEVELS; t++)
		free(window->of_domain[t]);
	for (int d = 0; d < window->ndims; d++) {
		free(window->along[d].count);
		free(window->along[d].weighted);
	}
	free(window->along);
	free(window->nodes_at);
	free(window->place_of);
	free(window->node_of);
	free(window->routers.at);
	free(window->nodes.at);
}

void window_sums_clear(struct window_sums *window)
{
	const struct topo *topo = window->geometry->topo;

	for (int t = 0; t < topo->ntiers && window->of_domain[t] != NULL; t++)
		memset(window->of_domain[t], 0, (size_t)topo->tiers[t].n * sizeof(int));
	for (int d = 0; d < window->ndims; d++) {
		size_t bytes = ((size_t)window->sizes[d] + 1) * sizeof(int64_t);

		memset(window->along[d].count, 0, bytes);
		memset(window->along[d].weighted, 0, bytes);
	}
	for (size_t i = 0; i < window->routers.n; i++)
		window->nodes_at[window->routers.at[i]] = 0;
	window->routers.n = window->nodes.n = 0;
	window->kept[0].router = window->kept[1].router = -1;
	window->nnodes = 0;
}

static void put(struct window_sums *window, int node, int by)
{
	int router = window->geometry->topo->router_of[node];

	window->nnodes += by;
	if (!window->geometry->is_direct)
		domains_put(window, node, by);
	else if (window->is_by_router)
		routers_put(window, router, by);
	for (int d = 0; d < window->ndims; d++)
		coordinate_put(&window->along[d], router, by);
}

void window_sums_add(struct window_sums *window, int node)
{
	put(window, node, 1);
	if (window->is_by_node)
		vec_push(&window->nodes, node);
}

void window_sums_remove(struct window_sums *window, int node)
{
	put(window, node, -1);
	for (size_t i = 0; i < window->nodes.n; i++)
		if (window->nodes.at[i] == node) {
			window->nodes.at[i] = window->nodes.at[--window->nodes.n];
			return;
		}
}

int64_t window_sums_of(struct window_sums *window, int node)
{
	int router = window->geometry->topo->router_of[node];
	int64_t sum = 0;

	if (!window->geometry->is_direct)
		return sum_levels(window, node);
	if (window->is_by_router)
		return sum_routers(window, router);
	for (int d = 0; d < window->ndims; d++)
		sum += coordinate_steps(&window->along[d], router, window->is_ring);
	for (size_t i = 0; i < window->nodes.n; i++)
		sum += geometry_distance(window->geometry, node, window->nodes.at[i]);
	return sum;
}
