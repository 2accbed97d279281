/* topo_routes.c - links, closed-form distances and routes of every kind of network, against
 * brute force on small ones */
#include <stdlib.h>
#include <string.h>

#include "machine/route/walk.h"
#include "machine/load.h"
#include "machine/stats/distance.h"
#include "check.h"
#include "model/topo_build.h"

enum { FAR = 1 << 20 };

static const char *const specs[] = {
	"complete:nodes=1",
	"complete:nodes=6,cables=3",
	"complete:nodes=12,per-router=4",
	"dragonfly:groups=1,routers=4,nodes=2",
	"dragonfly:groups=9,routers=4,nodes=2",
	"dragonfly:groups=9,routers=4,nodes=2,arrangement=relative",
	"dragonfly:groups=9,routers=4,nodes=2,arrangement=circulant",
	"dragonfly:groups=6,routers=4,nodes=2,arrangement=circulant",
	"dragonfly:groups=5,routers=3,nodes=1,links=4",
	"dragonfly:groups=5,routers=3,nodes=1,links=4,arrangement=relative,row-links=2",
	"dragonfly:groups=4,routers=2,nodes=1,links=5,arrangement=circulant",
	"dragonfly:groups=2,routers=1,nodes=2,links=3",
	"dragonfly:groups=7,routers=4x3,nodes=1",
	"dragonfly:groups=4,routers=4x3,nodes=1,links=5,row-links=2,column-links=3",
	"dragonfly:groups=4,routers=4x3,nodes=1,links=5,arrangement=relative",
	"dragonfly:groups=3,routers=3x3,nodes=2,links=70,arrangement=circulant",
	"dragonfly:groups=5,routers=1x4,nodes=1",
	"dragonfly:links-per-router=2",
	"dragonfly:links-per-router=2,groups=5",
	"dragonfly:links-per-router=3,groups=10,routers=4,nodes=1",
	"dragonfly-plus:groups=1,leaves=1,spines=3,nodes=2",
	"dragonfly-plus:groups=1,leaves=3,spines=2,nodes=2,cables=2",
	"dragonfly-plus:groups=5,leaves=2,spines=2,nodes=2",
	"dragonfly-plus:groups=3,leaves=3,spines=2,nodes=1,links=5",
	"dragonfly-plus:groups=4,leaves=2,spines=3,nodes=1,links-per-spine=4",
	"fattree:k=2,levels=4",
	"fattree:k=3,levels=3",
	"fattree:k=4,levels=1",
	"fattree:k=1,levels=2",
	"fattree:down=4x3x2,up=1x2x3,cables=1x2x1",
	"fattree:down=2x2x3,up=1x3x1,cables=2x1x3",
	"fattree:down=3x2x2,up=2x1x2",
	"fattree:down=3x4,up=2x2,cables=2x1",
	"fattree:down=3x2x2x2,up=1x2x1x2",
	"hypercube:dims=1",
	"hypercube:dims=5",
	"hypercube:dims=3,per-router=2",
	"hyperx:dims=1",
	"hyperx:dims=5,nodes=2",
	"hyperx:dims=4x3,nodes=2",
	"hyperx:dims=2x3x4,cables=2x1x3",
	"hyperx:dims=1x3x1x2",
	"line:nodes=1",
	"line:nodes=7",
	"line:nodes=8,per-router=2,cables=2",
	"mesh:dims=5",
	"mesh:dims=4x3",
	"mesh:dims=3x1x4x2,per-router=2",
	"mesh:dims=2x3x2,cables=1x2x3",
	"ring:nodes=1",
	"ring:nodes=2",
	"ring:nodes=3",
	"ring:nodes=8",
	"ring:nodes=9,cables=2",
	"slimfly:q=3",
	"slimfly:q=4,nodes=1",
	"slimfly:q=5,nodes=1",
	"slimfly:q=7,nodes=1",
	"slimfly:q=8,nodes=1",
	"slimfly:q=9,nodes=1",
	"torus:dims=4x4",
	"torus:dims=5x3",
	"torus:dims=2x4x3,cables=2x1x3",
	"torus:dims=1x6x2,per-router=2",
	"torus:dims=3x3x3x3",
	"tree:arity=4",
	"tree:arity=3x2",
	"tree:arity=2x2x4",
	"tree:arity=2x3x2x2,cables=1x1x2x4",
};

/* Links from router a to all others; a dragonfly's route crosses between groups once at most. */
static void search(struct topo *topo, int a, int *best)
{
	const struct topo_graph *graph = topo_graph(topo);
	int n = topo->nrouters, global = -1, done = 0, nqueued = 0;
	int *hops = malloc((size_t)n * 2 * sizeof(*hops));
	int *queue = malloc((size_t)n * 2 * sizeof(*queue));

	if (strncmp(topo->type->entry.name, "dragonfly", 9) == 0)
		global = 3;
	for (int i = 0; i < 2 * n; i++)
		hops[i] = FAR;
	hops[a] = 0;
	queue[nqueued++] = a;
	while (done < nqueued) {
		int state = queue[done++], router = state % n, crossed = state / n;

		for (int64_t i = graph->first[topo->nnodes + router];
		     i < graph->first[topo->nnodes + router + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes, next;
			bool is_global = graph->links[graph->channel[i] / 2].level == global;

			if (peer < 0 || (is_global && crossed))
				continue;
			next = peer + (crossed || is_global ? n : 0);
			if (hops[next] != FAR)
				continue;
			hops[next] = hops[state] + 1;
			queue[nqueued++] = next;
		}
	}
	for (int r = 0; r < n; r++)
		best[r] = hops[r] < hops[n + r] ? hops[r] : hops[n + r];
	free(hops);
	free(queue);
}

static void check_graph(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);
	int64_t n = 0;
	bool is_good = true;

	for (int v = 0; v < topo_nvertices(topo); v++)
		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++, n++) {
			const struct topo_link *link = &graph->links[graph->channel[i] / 2];
			bool is_back = graph->channel[i] % 2;

			is_good = is_good && (is_back ? link->b : link->a) == v &&
				  (is_back ? link->a : link->b) == graph->peer[i];
			if (i > graph->first[v])
				is_good = is_good && (graph->peer[i - 1] < graph->peer[i] ||
						      (graph->peer[i - 1] == graph->peer[i] &&
						       graph->channel[i - 1] < graph->channel[i]));
		}
	CHECK_INT(n, 2 * graph->nlinks);
	CHECK(is_good);
	for (int64_t i = 0; i < graph->nlinks; i++)
		is_good = is_good && (graph->links[i].level == LINK_TERMINAL) ==
					     (graph->links[i].a < topo->nnodes);
	CHECK(is_good);
}

/* distance is what the search says, and next goes along a cable that is there, one link nearer. */
static void check_closed_form(struct topo *topo)
{
	int *best = malloc((size_t)topo->nrouters * sizeof(*best));

	for (int a = 0; a < topo->nrouters; a++) {
		search(topo, a, best);
		for (int b = 0; b < topo->nrouters; b++) {
			int hops = topo->type->distance(topo, a, b);

			CHECK_INT(hops, best[b] >= FAR ? -1 : best[b]);
			for (int node = 0; hops > 0 && node < topo->nnodes; node += 1 + node / 4) {
				int cable = -1, ncables;
				int next = topo->type->next(topo, a, b, node, &cable);
				int64_t first;

				CHECK(next >= 0 && next < topo->nrouters);
				CHECK_INT(topo->type->distance(topo, next, b), hops - 1);
				first = walk_cables(topo_graph(topo), topo->nnodes + a,
						    topo->nnodes + next, &ncables);
				CHECK(cable >= 0 && cable < ncables);
				if (topo->type->port != NULL)
					CHECK_INT(topo->type->port(topo, a, next),
						  first - topo->graph->first[topo->nnodes + a]);
			}
		}
	}
	free(best);
}

/* A chain of channels from a to b, through routers only, none twice. */
static bool is_route(struct topo *topo, int a, int b, const int_vec *path)
{
	const struct topo_graph *graph = topo_graph(topo);
	char *seen = calloc((size_t)topo_nvertices(topo), 1);
	int at = a;
	bool is_good = true;

	for (size_t i = 0; i < path->n; i++) {
		const struct topo_link *link = &graph->links[path->at[i] / 2];
		int from = path->at[i] % 2 ? link->b : link->a;

		is_good = is_good && from == at && !seen[at] && (at >= topo->nnodes || i == 0);
		seen[at] = 1;
		at = path->at[i] % 2 ? link->a : link->b;
	}
	free(seen);
	return is_good && at == b;
}

static void check_routing(struct topo *topo, const char *name, struct distance_counts *counts)
{
	struct routing *routing;
	struct err err;
	int_vec path = {0};

	CHECK_INT(routing_open(&routing, topo, name, &err), 0);
	for (int a = 0; a < topo->nnodes; a++)
		for (int b = 0; b < topo->nnodes; b++) {
			int hops = route_hops(routing, a, b);

			path.n = 0;
			CHECK_INT(route_path(routing, a, b, &path), hops);
			if (hops < 0) {
				counts->unreachable++;
				continue;
			}
			CHECK_INT((int64_t)path.n, hops);
			CHECK(a == b ? hops == 0 : is_route(topo, a, b, &path));
			if (a == b)
				continue;
			counts->pairs[hops - 2]++;
			counts->longest = hops - 2 > counts->longest ? hops - 2 : counts->longest;
		}
	free(path.at);
	routing_close(routing);
}

static void check_counts(const struct distance_counts *got, const struct distance_counts *want)
{
	CHECK_INT(got->longest, want->longest);
	CHECK_INT((int64_t)got->unreachable, (int64_t)want->unreachable);
	for (int hops = 0; hops <= want->longest && hops <= got->longest; hops++)
		CHECK_INT((int64_t)got->pairs[hops], (int64_t)want->pairs[hops]);
}

static void check_minimal(struct topo *topo)
{
	struct distance_counts got, want = {.pairs = calloc(FAR, sizeof(uint64_t)), .longest = -1};

	check_routing(topo, "minimal", &want);
	topo_distances(topo, &got);
	check_counts(&got, &want);
	free(got.pairs);
	free(want.pairs);
}

struct copying {
	const struct topo *topo;
	struct topo_build *build;
	int *handles; /* [vertices] */
};

static void add_link(void *context, int a, int b, int level)
{
	struct copying *copying = context;
	const char *name = copying->topo->levels[level].name;
	struct err err;
	int copied = topo_build_level(copying->build, name, strlen(name), &err);

	CHECK_INT(topo_build_link(copying->build, copying->handles[a], copying->handles[b], copied,
				  &err),
		  0);
}

/* The same machine piece by piece. */
static struct topo *make_explicit(struct topo *topo)
{
	struct copying copying = {topo, topo_build_new("copy"),
				  calloc((size_t)topo_nvertices(topo), sizeof(int))};
	struct topo *copy = NULL;
	char text[TOPO_NAME];
	struct err err;

	for (int v = topo->nnodes; v < topo_nvertices(topo); v++) {
		const char *name = topo_router_name(topo, v - topo->nnodes, text);

		copying.handles[v] = topo_build_router(copying.build, name, strlen(name), &err);
	}
	for (int v = 0; v < topo->nnodes; v++) {
		const char *name = topo_node_name(topo, v, text);

		copying.handles[v] = topo_build_node(copying.build, name, strlen(name), &err);
	}
	topo->type->links(topo, add_link, &copying);
	CHECK_INT(topo_build_finish(&copy, copying.build, &err), 0);
	free(copying.handles);
	return copy;
}

/* Searching finds ways as short as the closed form's; on a dragonfly perhaps shorter ones. */
static void check_explicit(struct topo *topo)
{
	struct topo *copy = make_explicit(topo);
	bool is_dragonfly = strncmp(topo->type->entry.name, "dragonfly", 9) == 0;
	static const char *const routings_of[] = {"minimal", "minimal:ties=lowest"};

	CHECK(copy->hash == topo->hash);
	check_graph(copy);
	check_minimal(copy);
	for (int i = 0; i < 2; i++) {
		struct routing *a, *b;
		struct err err;

		CHECK_INT(routing_open(&a, topo, "minimal", &err), 0);
		CHECK_INT(routing_open(&b, copy, routings_of[i], &err), 0);
		for (int node = 0; node < topo->nnodes; node++)
			for (int to = 0; to < topo->nnodes; to++) {
				int closed = route_hops(a, node, to),
				    found = route_hops(b, node, to);

				CHECK(is_dragonfly ? found <= closed : found == closed);
			}
		routing_close(a);
		routing_close(b);
	}
	topo_free(copy);
}

static void check_dor(struct topo *topo)
{
	struct distance_counts counts = {.pairs = calloc(FAR, sizeof(uint64_t))};
	struct routing *routing;
	struct err err;

	if (topo->type->dims != NULL)
		check_routing(topo, "dor", &counts);
	else
		CHECK_INT(routing_open(&routing, topo, "dor", &err), -1);
	free(counts.pairs);
}

/* up-down from router 0: the rank of a router is its distance from it, then its number. */
static bool is_legal(struct topo *topo, const int *rank, const int_vec *path)
{
	const struct topo_graph *graph = topo_graph(topo);
	bool has_gone_down = false;

	for (size_t i = 1; i + 1 < path->n; i++) {
		const struct topo_link *link = &graph->links[path->at[i] / 2];
		int from = (path->at[i] % 2 ? link->b : link->a) - topo->nnodes;
		int to = (path->at[i] % 2 ? link->a : link->b) - topo->nnodes;
		bool is_up = rank[to] < rank[from] || (rank[to] == rank[from] && to < from);

		if (is_up && has_gone_down)
			return false;
		has_gone_down = has_gone_down || !is_up;
	}
	return true;
}

/* Shortest legal way from a to every router, over states (router, has gone down). */
static void search_legal(struct topo *topo, const int *rank, int a, int *best)
{
	const struct topo_graph *graph = topo_graph(topo);
	int n = topo->nrouters, done = 0, nqueued = 0;
	int *hops = malloc((size_t)n * 2 * sizeof(*hops));
	int *queue = malloc((size_t)n * 2 * sizeof(*queue));

	for (int i = 0; i < 2 * n; i++)
		hops[i] = FAR;
	hops[a] = 0;
	queue[nqueued++] = a;
	while (done < nqueued) {
		int state = queue[done++], router = state % n;

		for (int64_t i = graph->first[topo->nnodes + router];
		     i < graph->first[topo->nnodes + router + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes, next;
			bool is_up;

			if (peer < 0)
				continue;
			is_up = rank[peer] < rank[router] ||
				(rank[peer] == rank[router] && peer < router);
			if (is_up && state >= n)
				continue;
			next = peer + (is_up ? 0 : n);
			if (hops[next] != FAR)
				continue;
			hops[next] = hops[state] + 1;
			queue[nqueued++] = next;
		}
	}
	for (int r = 0; r < n; r++)
		best[r] = hops[r] < hops[n + r] ? hops[r] : hops[n + r];
	free(hops);
	free(queue);
}

/* Distances from router 0, whatever global links are crossed. */
static void rank_routers(struct topo *topo, int *rank)
{
	const struct topo_graph *graph = topo_graph(topo);
	int *queue = malloc((size_t)topo->nrouters * sizeof(*queue)), done = 0, nqueued = 0;

	for (int r = 0; r < topo->nrouters; r++)
		rank[r] = r == 0 ? 0 : FAR;
	queue[nqueued++] = 0;
	while (done < nqueued) {
		int router = queue[done++];

		for (int64_t i = graph->first[topo->nnodes + router];
		     i < graph->first[topo->nnodes + router + 1]; i++) {
			int peer = graph->peer[i] - topo->nnodes;

			if (peer < 0 || rank[peer] != FAR)
				continue;
			rank[peer] = rank[router] + 1;
			queue[nqueued++] = peer;
		}
	}
	free(queue);
}

static void check_updown(struct topo *topo)
{
	int *rank = malloc((size_t)topo->nrouters * sizeof(*rank));
	int *best = malloc((size_t)topo->nrouters * sizeof(*best));
	struct routing *routing;
	int_vec path = {0};
	struct err err;

	rank_routers(topo, rank);
	CHECK_INT(routing_open(&routing, topo, "updown:root=r0", &err), 0);
	for (int a = 0; a < topo->nnodes; a++) {
		search_legal(topo, rank, topo->router_of[a], best);
		for (int b = 0; b < topo->nnodes; b++) {
			int hops = route_hops(routing, a, b), want = best[topo->router_of[b]];

			if (a == b)
				continue;
			path.n = 0;
			CHECK_INT(hops, want >= FAR ? -1 : want + 2);
			CHECK_INT(route_path(routing, a, b, &path), hops);
			CHECK(hops < 0 || is_route(topo, a, b, &path));
			CHECK(hops < 0 || is_legal(topo, rank, &path));
		}
	}
	routing_close(routing);
	free(path.at);
	free(rank);
	free(best);
}

static void check_nesting(struct topo *topo)
{
	char text[TOPO_NAME];

	for (int node = 0; node < topo->nnodes; node++) {
		const char *name = topo_node_name(topo, node, text);

		CHECK_INT(topo_node_find(topo, name, strlen(name)), node);
		for (int tier = 0; tier < topo->ntiers; tier++) {
			int domain = topo_domain(topo, node, tier);

			CHECK(domain >= 0 && domain < topo->tiers[tier].n);
			if (node > 0) /* numbered as the nodes are */
				CHECK(domain >= topo_domain(topo, node - 1, tier));
		}
	}
}

/* Without a root named, all nodes of a fat tree reach each other by way of its top switches, by
 * routes as short as any. */
static void check_own_roots(struct topo *topo)
{
	struct routing *minimal, *updown;
	struct err err;

	if (strcmp(topo->type->entry.name, "fattree") != 0 &&
	    strcmp(topo->type->entry.name, "tree") != 0)
		return;
	CHECK_INT(routing_open(&minimal, topo, "minimal", &err), 0);
	CHECK_INT(routing_open(&updown, topo, "updown", &err), 0);
	for (int a = 0; a < topo->nnodes; a++)
		for (int b = 0; b < topo->nnodes; b++)
			CHECK_INT(route_hops(updown, a, b), route_hops(minimal, a, b));
	routing_close(minimal);
	routing_close(updown);
}

static bool is_on_one_plane(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);

	for (int node = 0; node < topo->nnodes; node++)
		if (graph->peer[graph->first[node]] != graph->peer[graph->first[node + 1] - 1])
			return false;
	return true;
}

/* The example of every routing works on a torus, and a junk one is refused. */
static void check_examples(void)
{
	struct routing *routing;
	struct topo *topo;
	struct err err;

	CHECK_INT(topo_load(&topo, "torus:dims=3x4", &err), 0);
	for (int i = 0; i < routings.n; i++) {
		if (strcmp(routings.entries[i]->name, "table") == 0)
			continue; /* tried in topo_tables.c, on machines that have tables */
		CHECK_INT(routing_open(&routing, topo, routings.entries[i]->example, &err), 0);
		CHECK(route_hops(routing, 0, 11) >= 2);
		routing_close(routing);
	}
	CHECK_INT(routing_open(&routing, topo, "nothing", &err), -1);
	CHECK_INT(routing_open(&routing, topo, "updown:root=n0", &err), -1);
	topo->routing = "dor"; /* as a file would say */
	CHECK_INT(routing_open(&routing, topo, NULL, &err), 0);
	CHECK_TEXT(routing->type->entry.name, "dor");
	routing_close(routing);
	topo_free(topo);
}

int main(void)
{
	check_examples();
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct topo *topo;
		struct err err;
		int before = check_nfailed;

		if (topo_load(&topo, specs[i], &err) != 0) {
			printf("%s: %s\n", specs[i], err.msg);
			return 1;
		}
		check_graph(topo);
		check_nesting(topo);
		check_closed_form(topo);
		check_minimal(topo);
		check_dor(topo);
		check_explicit(topo);
		if (is_on_one_plane(topo)) {
			check_updown(topo);
			check_own_roots(topo);
		}
		if (check_nfailed > before)
			printf("… of %s\n", specs[i]);
		topo_free(topo);
	}
	return check_done();
}
