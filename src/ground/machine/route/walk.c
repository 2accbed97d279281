/* walk.c - routes by the closed forms of the network, and the ends of routes at nodes */
#include "machine/route/walk.h"

int64_t walk_cables(const struct topo_graph *graph, int v, int w, int *n)
{
	int64_t low = graph->first[v], high = graph->first[v + 1], end = high;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (graph->peer[middle] < w)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < end && graph->peer[high] == w;)
		high++;
	*n = (int)(high - low);
	return low;
}

/* Channels that are as good as any so far. */
struct best {
	int hops;   /* or what they cost; -1: none yet */
	int n;      /* how many */
	int wanted; /* the number of the one to choose among them; -1: just count */
	int64_t chosen;
};

static void take(struct best *best, int hops, int64_t channel)
{
	if (hops < 0 || (best->hops >= 0 && hops > best->hops))
		return;
	if (hops < best->hops)
		best->n = 0;
	best->hops = hops;
	if (best->n++ == best->wanted)
		best->chosen = channel;
}

struct ends_search {
	struct topo *topo;
	walk_distance_fn *distance;
	void *context;
	const int *weights; /* NULL: links between routers are counted */
	int node_b;
};

/* What a cable of a node counts; 0: nothing, and a link between routers is 1. */
static int weight_of(const struct ends_search *search, int64_t place)
{
	const struct topo_graph *graph = search->topo->graph;

	return search->weights == NULL
		       ? 0
		       : search->weights[graph->links[graph->channel[place] / 2].level];
}

static int cost(int hops, int up, int down)
{
	int heavier = up > down ? up : down;

	return hops < 0 ? -1 : heavier == 0 ? hops : hops * heavier + up + down;
}

/* Where the route that leaves by a cable of that weight to router_a may reach node_b: places among
 * its channels. */
static struct best find_down(const struct ends_search *search, int router_a, int up, int wanted)
{
	const struct topo_graph *graph = search->topo->graph;
	struct best best = {.hops = -1, .wanted = wanted};

	for (int64_t i = graph->first[search->node_b]; i < graph->first[search->node_b + 1]; i++) {
		int hops = search->distance(search->context, router_a,
					    graph->peer[i] - search->topo->nnodes);

		take(&best, cost(hops, up, weight_of(search, i)), i);
	}
	return best;
}

/* Where it may leave node_a. */
static struct best find_up(const struct ends_search *search, int node_a, int wanted)
{
	const struct topo_graph *graph = search->topo->graph;
	struct best best = {.hops = -1, .wanted = wanted};

	for (int64_t i = graph->first[node_a]; i < graph->first[node_a + 1]; i++) {
		int router = graph->peer[i] - search->topo->nnodes;

		take(&best, find_down(search, router, weight_of(search, i), -1).hops, i);
	}
	return best;
}

int walk_ends_weighed(struct topo *topo, int node_a, int node_b, walk_distance_fn *distance,
		      void *context, const int *weights, struct walk_ends *ends)
{
	const struct topo_graph *graph = topo_graph(topo);
	struct ends_search search = {topo, distance, context, weights, node_b};
	struct best up, down;
	int weight;

	if (graph->first[node_a + 1] - graph->first[node_a] == 1 &&
	    graph->first[node_b + 1] - graph->first[node_b] == 1) { /* the usual case */
		ends->up = graph->channel[graph->first[node_a]];
		ends->router_a = graph->peer[graph->first[node_a]] - topo->nnodes;
		ends->down = graph->channel[graph->first[node_b]] ^ 1;
		ends->router_b = graph->peer[graph->first[node_b]] - topo->nnodes;
		return distance(context, ends->router_a, ends->router_b);
	}
	up = find_up(&search, node_a, 0);
	if (up.hops < 0)
		return -1;
	if (up.n > 1)
		up = find_up(&search, node_a, node_b % up.n);
	ends->up = graph->channel[up.chosen];
	ends->router_a = graph->peer[up.chosen] - topo->nnodes;
	weight = weight_of(&search, up.chosen);
	down = find_down(&search, ends->router_a, weight, 0);
	if (down.n > 1)
		down = find_down(&search, ends->router_a, weight, node_b % down.n);
	ends->down = graph->channel[down.chosen] ^ 1;
	ends->router_b = graph->peer[down.chosen] - topo->nnodes;
	return weights == NULL ? up.hops : distance(context, ends->router_a, ends->router_b);
}

int walk_ends(struct topo *topo, int node_a, int node_b, walk_distance_fn *distance, void *context,
	      struct walk_ends *ends)
{
	return walk_ends_weighed(topo, node_a, node_b, distance, context, NULL, ends);
}

static int closed_distance(void *context, int router_a, int router_b)
{
	const struct topo *topo = context;

	return topo->type->distance(topo, router_a, router_b);
}

/* Where nodes have several routers, those of structured networks are alike, plane by plane. */
int walk_hops(const struct topo *topo, int node_a, int node_b)
{
	int hops = topo->type->distance(topo, topo->router_of[node_a], topo->router_of[node_b]);

	return hops < 0 ? -1 : hops + 2;
}

int walk_path(struct topo *topo, int node_a, int node_b, int_vec *path)
{
	const struct topo_graph *graph = topo_graph(topo);
	struct walk_ends ends;
	int hops = walk_ends(topo, node_a, node_b, closed_distance, topo, &ends);

	if (hops < 0)
		return -1;
	vec_push(path, ends.up);
	for (int router = ends.router_a; router != ends.router_b;) {
		int next;
		int64_t place = walk_next(topo, router, ends.router_b, node_b, &next);

		vec_push(path, graph->channel[place]);
		router = next;
	}
	vec_push(path, ends.down);
	return hops + 2;
}
