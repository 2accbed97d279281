/* geometry.c - the checks of constraints against the definitions of Bleuse et al., written down
 * slowly, on all subsets of small machines; Propositions 1 and 2 */
#include "measure/checker/geometry.h"

#include <stdlib.h>

#include "machine/order/order.h"
#include "machine/load.h"
#include "check.h"
#include "model/topo_type.h"

enum { MOST = 16, LINKS = 128 };

/* A machine as tables, from its graph and its routes alone. */
struct slow {
	struct topo *topo;
	struct routing *routing;
	int n, nio, io[MOST]; /* nio separate I/O nodes, and coupled ones behind them */
	int ncoupled;
	bool is_separate[MOST];
	bool adjacent[MOST][MOST];
	int distance[MOST][MOST];
	unsigned compute;         /* nodes that compute, a bit each */
	int to_router[256][MOST]; /* links from a router to that of a node */
	int path[MOST][MOST][16], npath[MOST][MOST];
	bool is_tree;
};

static bool in(unsigned set, int node)
{
	return (set >> node & 1) != 0;
}

static int size(unsigned set)
{
	return __builtin_popcount(set);
}

/* Links between two routers along the graph. */
static int search(const struct topo *topo, int from, int to)
{
	int hops[256], queue[256], n = 0;

	for (int r = 0; r < topo->nrouters; r++)
		hops[r] = -1;
	hops[from] = 0;
	queue[n++] = from;
	for (int done = 0; done < n; done++)
		for (int64_t i = 0; i < topo->graph->nlinks; i++)
			for (int side = 0; side < 2; side++) {
				const struct topo_link *link = &topo->graph->links[i];
				int a = (side ? link->b : link->a) - topo->nnodes;
				int b = (side ? link->a : link->b) - topo->nnodes;

				if (a != queue[done] || b < 0 || hops[b] >= 0)
					continue;
				hops[b] = hops[a] + 1;
				queue[n++] = b;
			}
	return hops[to];
}

static void make_routes(struct slow *slow)
{
	for (int a = 0; a < slow->n; a++)
		for (int b = 0; b < slow->n; b++) {
			int_vec path = {0};

			slow->npath[a][b] = 0;
			if (a == b)
				continue;
			CHECK(route_path(slow->routing, a, b, &path) >= 0 && path.n <= 16);
			for (size_t i = 0; i < path.n; i++)
				slow->path[a][b][slow->npath[a][b]++] = path.at[i] / 2;
			free(path.at);
		}
}

static void make(struct slow *slow, const char *spec)
{
	struct err err;
	bool is_direct = true;

	*slow = (struct slow){0};
	if (topo_load(&slow->topo, spec, &err) != 0 ||
	    routing_open(&slow->routing, slow->topo, NULL, &err) != 0) {
		printf("%s: %s\n", spec, err.msg);
		exit(1);
	}
	topo_graph(slow->topo);
	slow->n = slow->topo->nnodes;
	slow->compute = (1U << slow->n) - 1;
	CHECK(slow->n <= MOST && slow->topo->graph->nlinks <= LINKS);
	for (int r = 0; r < slow->topo->nrouters; r++) {
		bool has = false;

		for (int node = 0; node < slow->n; node++)
			has = has || slow->topo->router_of[node] == r;
		is_direct = is_direct && has;
	}
	slow->is_tree = !is_direct;
	for (int r = 0; r < slow->topo->nrouters; r++)
		for (int node = 0; node < slow->n; node++)
			slow->to_router[r][node] =
				search(slow->topo, r, slow->topo->router_of[node]);
	for (int a = 0; a < slow->n; a++)
		for (int b = 0; b < slow->n; b++) {
			int ra = slow->topo->router_of[a], rb = slow->topo->router_of[b];
			int hops = search(slow->topo, ra, rb);

			slow->adjacent[a][b] = a != b && hops <= 1;
			/* at most one global link on a dragonfly's minimal route */
			if (str_eq(slow->topo->type->entry.name, "dragonfly"))
				hops = slow->topo->type->distance(slow->topo, ra, rb);
			slow->distance[a][b] = a == b ? 0 : slow->is_tree ? hops / 2 + 1 : hops;
		}
	make_routes(slow);
}

static void drop(struct slow *slow)
{
	slow->topo->io = NULL;
	slow->topo->nio = 0;
	routing_close(slow->routing);
	topo_free(slow->topo);
}

/* ---- the definitions ---- */

/* Connected in the graph-theory sense. */
static bool is_graph_connected(const struct slow *slow, unsigned set)
{
	unsigned reached = set & -set;

	for (int round = 0; round < slow->n; round++)
		for (int a = 0; a < slow->n; a++)
			for (int b = 0; b < slow->n; b++)
				if (in(reached, a) && in(set, b) && slow->adjacent[a][b])
					reached |= 1U << b;
	return reached == set;
}

/* Def. 3: there is a subset of the I/O nodes such that the nodes and it are connected. */
static bool slow_connected(const struct slow *slow, unsigned set)
{
	for (unsigned pick = 0; pick < 1U << slow->nio; pick++) {
		unsigned with = set;

		for (int i = 0; i < slow->nio; i++)
			if (in(pick, i))
				with |= 1U << slow->io[i];
		if (is_graph_connected(slow, with))
			return true;
	}
	return false;
}

/* The compute nodes below a router: its own, else those of the nearest routers that have nodes. */
static unsigned below(const struct slow *slow, int router)
{
	unsigned own = 0, nearest = 0;
	int least = INT32_MAX;

	for (int node = 0; node < slow->n; node++) {
		int hops = slow->to_router[router][node];

		own |= hops == 0 ? 1U << node : 0;
		if (hops < least)
			nearest = 0;
		if (hops <= least) {
			least = hops;
			nearest |= 1U << node;
		}
	}
	return (own != 0 ? own : nearest) & slow->compute;
}

/* The set lies on one router, or all compute nodes below each router of each route between two
 * members are members; and no link of it joins two routers with no compute node below. */
static bool slow_convex(const struct slow *slow, unsigned set)
{
	for (int a = 0; a < slow->n; a++)
		for (int b = 0; b < slow->n; b++) {
			if (a == b || !in(set, a) || !in(set, b) || slow->npath[a][b] == 2)
				continue;
			for (int i = 0; i < slow->npath[a][b]; i++) {
				const struct topo_link *link =
					&slow->topo->graph->links[slow->path[a][b][i]];
				int x = link->a - slow->n, y = link->b - slow->n;

				if ((x >= 0 && (below(slow, x) & ~set) != 0) ||
				    (y >= 0 && (below(slow, y) & ~set) != 0))
					return false;
				if (x >= 0 && y >= 0 && below(slow, x) == 0 && below(slow, y) == 0)
					return false;
			}
		}
	return true;
}

static void links_of(const struct slow *slow, unsigned set, bool links[LINKS])
{
	memset(links, 0, LINKS * sizeof(*links));
	for (int a = 0; a < slow->n; a++)
		for (int b = 0; b < slow->n; b++)
			for (int i = 0; in(set, a) && in(set, b) && i < slow->npath[a][b]; i++)
				links[slow->path[a][b][i]] = true;
}

static bool share_link(const struct slow *slow, unsigned x, unsigned y)
{
	bool a[LINKS], b[LINKS];

	links_of(slow, x, a);
	links_of(slow, y, b);
	for (int i = 0; i < LINKS; i++)
		if (a[i] && b[i])
			return true;
	return false;
}

/* Def. 4, literally: L(π) ∩ L(V^C ∖ π) = ∅. */
static bool slow_literal(const struct slow *slow, unsigned set)
{
	return !share_link(slow, set, slow->compute & ~set);
}

/* Def. 5: a contiguous range of the ordering. */
static bool slow_contiguous(const struct slow *slow, unsigned set)
{
	int order[MOST], n = 0;
	bool wraps = str_eq(slow->topo->type->entry.name, "ring");

	for (int node = 0; node < slow->n; node++)
		if (in(slow->compute, node))
			order[n++] = node;
	for (int first = 0; first < n; first++) {
		unsigned range = 0;

		for (int i = first; i < first + size(set); i++)
			if (i < n || wraps)
				range |= 1U << order[i % n];
		if (range == set)
			return true;
	}
	return false;
}

/* Defs 7 and 8. */
static int largest(const struct slow *slow, unsigned set)
{
	int most = 0;

	for (int a = 0; a < slow->n; a++)
		for (int b = 0; b < slow->n; b++)
			if (in(set, a) && in(set, b) && slow->distance[a][b] > most)
				most = slow->distance[a][b];
	return most;
}

static int sum(const struct slow *slow, unsigned set)
{
	int total = 0;

	for (int a = 0; a < slow->n; a++)
		for (int b = 0; b < a; b++)
			if (in(set, a) && in(set, b))
				total += slow->distance[a][b];
	return total;
}

/* ---- both side by side ---- */

struct fast {
	struct pick pick;
	struct geometry geometry;
	struct checker checker;
};

static bool fast_open(struct fast *fast, const struct slow *slow, const char *name)
{
	struct err err = {{0}};

	CHECK_INT(pick_parse(&fast->pick, &checkers, name, &err), 0);
	CHECK_INT(geometry_open(&fast->geometry, slow->topo, slow->routing, NULL, &err), 0);
	if (checker_open(&fast->checker, &fast->pick, &fast->geometry, &err) == 0)
		return true;
	CHECK(slow->is_tree && str_eq(name, "connected"));
	geometry_close(&fast->geometry);
	pick_free(&fast->pick);
	return false;
}

static void fast_close(struct fast *fast)
{
	checker_close(&fast->checker);
	geometry_close(&fast->geometry);
	pick_free(&fast->pick);
}

static struct region region_of(unsigned set, int nodes[MOST])
{
	struct region region = {.nodes = nodes};

	for (int node = 0; node < MOST; node++)
		if (in(set, node))
			nodes[region.n++] = node;
	return region;
}

static void say_set(const struct slow *slow, const char *what, unsigned set, int got, int wanted,
		    const char *why)
{
	check_nfailed++;
	printf("%s on %s: {", what, slow->topo->name);
	for (int node = 0; node < slow->n; node++)
		if (in(set, node))
			printf(" %d", node);
	printf(" }: %d, by definition %d: %s\n", got, wanted, why);
}

/* Returns how many sets hold it. A set that breaks it has a witness. */
static int compare(const struct slow *slow, const char *name,
		   bool (*holds)(const struct slow *slow, unsigned set))
{
	struct buf why = {0};
	struct fast fast;
	int nodes[MOST], n = 0;

	if (!fast_open(&fast, slow, name))
		return 0;
	for (unsigned set = 1; set <= slow->compute; set++) {
		struct region region = region_of(set, nodes);
		enum verdict verdict;

		if ((set & ~slow->compute) != 0)
			continue;
		verdict = checker_check(&fast.checker, &region, &why);
		check_ndone++;
		if (verdict != (holds(slow, set) ? VERDICT_HOLDS : VERDICT_BROKEN) ||
		    (verdict == VERDICT_BROKEN) != (why.n > 0))
			say_set(slow, name, set, verdict, holds(slow, set), buf_text(&why));
		n += verdict == VERDICT_HOLDS;
	}
	fast_close(&fast);
	buf_free(&why);
	return n;
}

/* The least over all sets of a size, then every set against it. */
static void compare_least(const struct slow *slow, const char *name,
			  int (*measure)(const struct slow *slow, unsigned set))
{
	int least[MOST + 1], nodes[MOST];
	struct buf why = {0};
	struct fast fast;

	for (int n = 0; n <= MOST; n++)
		least[n] = INT32_MAX;
	for (unsigned set = 1; set <= slow->compute; set++)
		if ((set & ~slow->compute) == 0 && measure(slow, set) < least[size(set)])
			least[size(set)] = measure(slow, set);
	CHECK(fast_open(&fast, slow, name));
	for (unsigned set = 1; set <= slow->compute; set++) {
		struct region region = region_of(set, nodes);
		int wanted = measure(slow, set) == least[size(set)], got;

		if ((set & ~slow->compute) != 0)
			continue;
		got = checker_check(&fast.checker, &region, &why);
		check_ndone++;
		if (got != wanted)
			say_set(slow, name, set, got, wanted, buf_text(&why));
	}
	fast_close(&fast);
	buf_free(&why);
}

/* Def. 6 with each I/O node; Prop. 2: a local job that targets an I/O node has one of the compute
 * nodes adjacent to it (or itself, if it computes), so there are no more such jobs than those. */
static void compare_local(const struct slow *slow)
{
	struct buf why = {0};
	struct fast fast;
	int nodes[MOST];

	CHECK(fast_open(&fast, slow, "local"));
	for (unsigned set = 1; set <= slow->compute; set++)
		for (int i = 0; i < slow->nio + slow->ncoupled; i++) {
			struct region region = region_of(set, nodes);
			struct io_place place = {slow->io[i], slow->topo->router_of[slow->io[i]]};
			bool wanted = in(set, slow->io[i]), beside = false;

			if ((set & ~slow->compute) != 0)
				continue;
			for (int node = 0; node < slow->n; node++)
				wanted = wanted ||
					 (in(set, node) && slow->adjacent[node][slow->io[i]]);
			beside = wanted;
			wanted = wanted && (slow->is_tree || slow_connected(slow, set));
			region.io = &place;
			region.nio = 1;
			if ((checker_check(&fast.checker, &region, &why) == VERDICT_HOLDS) !=
			    wanted)
				say_set(slow, "local", set, !wanted, wanted, buf_text(&why));
			CHECK(!wanted || beside);
		}
	fast_close(&fast);
	buf_free(&why);
}

/* Closed convex sets that are disjoint share no link; linkdisjoint says so too. Prop. 1. */
static void check_propositions(const struct slow *slow)
{
	struct buf why = {0};
	struct fast fast;
	int x[MOST], y[MOST];

	CHECK(fast_open(&fast, slow, "linkdisjoint"));
	for (unsigned a = 1; a <= slow->compute; a++) {
		if ((a & ~slow->compute) != 0 || !slow_convex(slow, a))
			continue;
		CHECK(slow->is_tree || slow_connected(slow, a));
		for (unsigned b = a + 1; b <= slow->compute; b++)
			if ((b & ~slow->compute) == 0 && (a & b) == 0 && slow_convex(slow, b))
				CHECK(!share_link(slow, a, b));
	}
	for (unsigned a = 1; a <= slow->compute; a += 7)
		for (unsigned b = 1; b <= slow->compute; b += 5) {
			struct region ra = region_of(a, x), rb = region_of(b, y);

			if ((a & b) != 0 || ((a | b) & ~slow->compute) != 0)
				continue;
			buf_clear(&why);
			CHECK_INT(fast.checker.type->compare(&fast.checker, &ra, &rb, &why),
				  !share_link(slow, a, b));
		}
	fast_close(&fast);
	buf_free(&why);
}

static void check_machine(struct slow *slow)
{
	compare(slow, "contiguous", slow_contiguous);
	compare_least(slow, "proximate", largest);
	compare_least(slow, "compact", sum);
	compare_local(slow);
	if (!slow->is_tree)
		compare(slow, "connected", slow_connected);
	if (slow->n <= 12)
		compare(slow, "convex:literal", slow_literal);
	compare(slow, "convex", slow_convex);
	if (slow->n <= 12)
		check_propositions(slow);
}

static void set_io(struct slow *slow, struct topo_io *io, int *nodes, int n, bool is_separate)
{
	*io = (struct topo_io){.nodes = nodes, .nnodes = n, .is_separate = is_separate};
	slow->topo->io = io;
	slow->topo->nio = 1;
	for (int i = 0; i < n; i++) {
		slow->io[i] = nodes[i];
		if (is_separate)
			slow->compute &= ~(1U << nodes[i]);
	}
	slow->nio = is_separate ? n : 0;
	slow->ncoupled = is_separate ? 0 : n;
}

static void check_counts(void)
{
	/* boxes of a mesh; literally convex sets; arcs of at most half a ring, or all; subcubes */
	static const struct {
		const char *spec, *name;
		int wanted;
	} counts[] = {
		{"mesh:dims=4x4", "convex", 100},   {"mesh:dims=4x4", "convex:literal", 53},
		{"line:nodes=5", "convex", 15},     {"ring:nodes=7", "convex", 29},
		{"ring:nodes=8", "convex", 33},     {"hypercube:dims=3", "convex", 27},
		{"torus:dims=4x3", "convex", 63},   {"complete:nodes=5", "convex", 31},
		{"line:nodes=6", "contiguous", 21}, {"ring:nodes=6", "contiguous", 31},
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct slow slow;

		make(&slow, counts[i].spec);
		CHECK_INT(compare(&slow, counts[i].name,
				  str_eq(counts[i].name, "convex:literal") ? slow_literal
				  : str_eq(counts[i].name, "convex")       ? slow_convex
									   : slow_contiguous),
			  counts[i].wanted);
		drop(&slow);
	}
}

int main(void)
{
	static const char *const machines[] = {
		"line:nodes=5",
		"ring:nodes=7",
		"mesh:dims=4x3",
		"torus:dims=4x3",
		"hypercube:dims=3",
		"tree:arity=3x2x2",
		"fattree:k=2,levels=3",
		"dragonfly:groups=3,routers=2,nodes=2",
		"mesh:dims=2x2,per-router=3",
		"complete:nodes=6",
		"fattree:down=4x3,up=1x2,cables=1x1",
	};
	struct slow slow;

	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
		int middle[] = {1, 4}, ends[] = {0, 3};
		struct topo_io io;

		make(&slow, machines[m]);
		check_machine(&slow);
		set_io(&slow, &io, middle, 2, true);
		check_machine(&slow);
		slow.compute = (1U << slow.n) - 1;
		set_io(&slow, &io, ends, 2, false);
		check_machine(&slow);
		drop(&slow);
	}
	check_counts();
	return check_done();
}
