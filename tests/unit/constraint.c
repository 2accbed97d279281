/* constraint.c - every constraint against its definition, over all subsets of small machines */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/constraint_list.h"
#include "machine/load.h"
#include "check.h"

enum { MOST = 16, NSETS = 1 << MOST, STEPS = 1000000000 };

/* A machine as the definitions see it: distances and routes between all pairs. */
struct world {
	struct topo *topo;
	int n;
	bool computes[MOST];
	bool next[MOST][MOST];        /* routers with a cable between them, or one router */
	uint32_t through[MOST][MOST]; /* nodes at the routers that the route visits */
	bool joins_io[MOST][MOST];    /* a link of the route joins two I/O nodes */
	int distance[MOST][MOST];     /* Def. 1: the fewest links between routers, levels */
	int routed[MOST][MOST];       /* by the routes instead */
	/* over sets of nodes that may be used: of so many nodes */
	int least_max[MOST + 1], least_sum[MOST + 1], least_blocks[2][MOST + 1];
	uint64_t links[MOST][MOST]; /* of both directions; links between routers only */
};

static int bits(uint32_t set)
{
	return __builtin_popcount(set);
}

static bool has(uint32_t set, int node)
{
	return set >> node & 1;
}

/* ---- the definitions, written down slowly ---- */

/* Def. 3: connected together with some of the separate I/O nodes. */
static bool is_connected(const struct world *world, uint32_t set)
{
	uint32_t io = 0, seen, last;

	for (int i = 0; i < world->n; i++)
		if (!world->computes[i])
			io |= 1U << i;
	seen = set & -set;
	do {
		last = seen;
		for (int i = 0; i < world->n; i++)
			for (int k = 0; k < world->n; k++)
				if (has(seen, i) && has(set | io, k) && world->next[i][k])
					seen |= 1U << k;
	} while (seen != last);
	return (set & ~seen) == 0;
}

/* Def. 4, closed: nodes at the routers of each route are members or separate I/O nodes. */
static bool is_closed(const struct world *world, uint32_t set)
{
	uint32_t io = 0, routers = 0;

	for (int i = 0; i < world->n; i++)
		if (!world->computes[i])
			io |= 1U << i;
	for (int i = 0; i < world->n; i++)
		if (has(set, i))
			routers |= 1U << world->topo->router_of[i];
	if (bits(routers) == 1)
		return true;
	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < world->n; k++)
			if (has(set, i) && has(set, k) &&
			    ((world->through[i][k] & ~set & ~io) != 0 || world->joins_io[i][k]))
				return false;
	return true;
}

/* The same in a tree: a switch on the route is theirs if all nodes below it are, so all nodes below
 * the switches between two of them are members. */
static bool is_subtree(const struct world *world, uint32_t set)
{
	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < world->n; k++) {
			if (!has(set, i) || !has(set, k) || world->distance[i][k] < 2)
				continue;
			for (int other = 0; other < world->n; other++)
				if (!has(set, other) && other != i &&
				    world->distance[i][other] <= world->distance[i][k])
					return false;
		}
	return true;
}

/* Def. 4, literally. */
static bool is_literal(const struct world *world, uint32_t set)
{
	uint64_t inside = 0, outside = 0;

	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < world->n; k++) {
			if (!world->computes[i] || !world->computes[k])
				continue;
			if (has(set, i) && has(set, k))
				inside |= world->links[i][k];
			if (!has(set, i) && !has(set, k))
				outside |= world->links[i][k];
		}
	return (inside & outside) == 0;
}

/* Def. 5, label order. */
static bool is_contiguous(const struct world *world, uint32_t set)
{
	bool wraps = world->topo->type->entry.name[0] == 'r';
	int nstarts = 0, last = -1, first = -1;

	for (int i = 0; i < world->n; i++)
		if (world->computes[i]) {
			if (first < 0)
				first = i;
			nstarts += has(set, i) && (last < 0 || !has(set, last));
			last = i;
		}
	return nstarts == 1 || (nstarts == 2 && wraps && has(set, first) && has(set, last));
}

static int max_of(const struct world *world, uint32_t set)
{
	int most = 0;

	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < i; k++)
			if (has(set, i) && has(set, k) && world->distance[i][k] > most)
				most = world->distance[i][k];
	return most;
}

static int sum_of(const struct world *world, uint32_t set)
{
	int sum = 0;

	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < i; k++)
			sum += has(set, i) && has(set, k) ? world->distance[i][k] : 0;
	return sum;
}

/* The routers that it lies in, or the blocks of four nodes that compute. */
static int nblocks_of(const struct world *world, uint32_t set, bool by_four)
{
	uint32_t used = 0;
	int n = 0;

	for (int i = 0; i < world->n; i++) {
		if (has(set, i))
			used |= 1U << (by_four ? n / 4 : world->topo->router_of[i]);
		n += world->computes[i];
	}
	return bits(used);
}

static void lessen(int *least, int value)
{
	if (value < *least)
		*least = value;
}

/* Defs 7 and 8 and clusters, over sets of these nodes. */
static void find_least(struct world *world, uint32_t nodes)
{
	for (int n = 0; n <= MOST; n++)
		world->least_max[n] = world->least_sum[n] = world->least_blocks[0][n] =
			world->least_blocks[1][n] = INT32_MAX;
	for (uint32_t set = 1; set < 1U << world->n; set++) {
		int n = bits(set);

		if ((set & ~nodes) != 0)
			continue;
		lessen(&world->least_max[n], max_of(world, set));
		lessen(&world->least_sum[n], sum_of(world, set));
		lessen(&world->least_blocks[0][n], nblocks_of(world, set, false));
		lessen(&world->least_blocks[1][n], nblocks_of(world, set, true));
	}
}

static bool is_proximate(const struct world *world, uint32_t set)
{
	return max_of(world, set) == world->least_max[bits(set)];
}

static bool is_compact(const struct world *world, uint32_t set)
{
	return sum_of(world, set) == world->least_sum[bits(set)];
}

static bool is_clusters(const struct world *world, uint32_t set)
{
	return nblocks_of(world, set, false) == world->least_blocks[0][bits(set)];
}

static bool is_clusters_of_four(const struct world *world, uint32_t set)
{
	return nblocks_of(world, set, true) == world->least_blocks[1][bits(set)];
}

/* ---- machines ---- */

static void trace(struct world *world, struct routing *routing, int a, int b)
{
	const struct topo_graph *graph = topo_graph(world->topo);
	int_vec path = {0};
	int last = -1;

	CHECK(route_path(routing, a, b, &path) > 0);
	for (size_t i = 0; i + 1 < path.n; i++) {
		const struct topo_link *link = &graph->links[path.at[i] / 2];
		int router = (path.at[i] % 2 == 0 ? link->b : link->a) - world->n;
		bool only_io = true;

		for (int k = 0; k < world->n; k++)
			if (world->topo->router_of[k] == router) {
				world->through[a][b] |= 1U << k;
				only_io = only_io && !world->computes[k];
			}
		if (last == 1 && only_io)
			world->joins_io[a][b] = true;
		last = only_io;
		if (i > 0) {
			CHECK(path.at[i] / 2 - world->n < 64);
			world->links[a][b] |= UINT64_C(1) << (path.at[i] / 2 - world->n);
		}
	}
	free(path.at);
}

/* The fewest links: as many rounds as there are nodes let every short cut through. */
static void find_hops(struct world *world)
{
	for (int round = 0; round < world->n; round++)
		for (int a = 0; a < world->n; a++)
			for (int b = 0; b < world->n; b++)
				for (int c = 0; c < world->n; c++)
					lessen(&world->distance[a][c],
					       world->distance[a][b] + world->distance[b][c]);
}

static void open_world(struct world *world, const char *spec, const char *io, bool is_separate)
{
	struct routing *routing;
	struct err err;

	*world = (struct world){0};
	if (topo_load(&world->topo, spec, &err) != 0) {
		printf("%s: %s\n", spec, err.msg);
		exit(1);
	}
	world->n = world->topo->nnodes;
	CHECK(world->n <= MOST);
	if (io != NULL) {
		int_vec nodes = {0};

		world->topo->io = xcalloc(1, sizeof(*world->topo->io));
		world->topo->nio = 1;
		CHECK(topo_nodelist_read(world->topo, io, &nodes, &err) == 0);
		world->topo->io[0].name = arena_strndup(&world->topo->arena, "io", 2);
		world->topo->io[0].nodes = nodes.at;
		world->topo->io[0].nnodes = (int)nodes.n;
		world->topo->io[0].is_separate = is_separate;
	}
	for (int i = 0; i < world->n; i++)
		world->computes[i] = true;
	for (int i = 0; io != NULL && is_separate && i < world->topo->io[0].nnodes; i++)
		world->computes[world->topo->io[0].nodes[i]] = false;
	CHECK(routing_open(&routing, world->topo, NULL, &err) == 0);
	for (int a = 0; a < world->n; a++)
		for (int b = 0; b < world->n; b++)
			if (a != b) {
				world->next[a][b] = route_hops(routing, a, b) <= 3;
				trace(world, routing, a, b);
				world->routed[a][b] = world->distance[a][b] =
					str_eq(world->topo->type->entry.name, "tree") ||
							str_eq(world->topo->type->entry.name,
							       "fattree")
						? route_hops(routing, a, b) / 2
						: route_hops(routing, a, b) - 2;
			}
	routing_close(routing);
	if (str_eq(world->topo->type->entry.name, "dragonfly"))
		find_hops(world);
}

/* ---- enumerated = defined ---- */

static unsigned char *expected; /* [NSETS] 1: it is, 2: and it was visited */
static int nvisited;

static int visit(void *context, const int *nodes, int n)
{
	uint32_t set = 0;

	(void)context;
	for (int i = 0; i < n; i++)
		set |= 1U << nodes[i];
	CHECK_INT(bits(set), n);
	if (expected[set] == 1) {
		expected[set] = 2;
		nvisited++;
	} else if (expected[set] == 0) {
		CHECK(!"a set that the definition does not allow");
	}
	return 0;
}

typedef bool definition(const struct world *world, uint32_t set);

/* What Def. 6 and linkdisjoint look at beside the nodes. */
static struct io_request io_wanted;
static uint32_t running[2];

/* Def. 6: enough I/O nodes (or those that are pinned) are members or adjacent to one. */
static bool is_local(const struct world *world, uint32_t set)
{
	const struct topo_io *io = world->topo->io;
	bool is_tree =
		world->topo->type->entry.name[0] == 't' && world->topo->type->entry.name[1] == 'r';
	int n = 0;

	if (!is_tree && !is_connected(world, set))
		return false;
	for (int i = 0; i < io->nnodes; i++) {
		bool is_near = has(set, io->nodes[i]), is_meant = io_wanted.npinned == 0;

		for (int k = 0; k < world->n; k++)
			is_near = is_near || (has(set, k) && world->next[io->nodes[i]][k]);
		for (int k = 0; k < io_wanted.npinned; k++) /* points are in label order */
			is_meant = is_meant || io_wanted.pinned[k] == i;
		n += is_near && is_meant;
	}
	return n >= io_wanted.wanted;
}

static uint64_t links_of(const struct world *world, uint32_t set)
{
	uint64_t links = 0;

	for (int i = 0; i < world->n; i++)
		for (int k = 0; k < world->n; k++)
			if (has(set, i) && has(set, k))
				links |= world->links[i][k];
	return links;
}

static bool is_disjoint(const struct world *world, uint32_t set)
{
	return (links_of(world, set) &
		(links_of(world, running[0]) | links_of(world, running[1]))) == 0;
}

struct
try {
	const struct world *world;
	struct constraint_list *list;
	struct alloc *alloc;
	struct machine machine;
	uint32_t idle;
	bool is_exact; /* none may be missed */
	bool is_soft;  /* best effort */
};

static void check_size(struct try *try, definition *is, int wanted, const char *what)
{
	struct job job = {.name = "j", .nnodes = wanted};
	struct alloc_request request = {.machine = &try->machine, .job = &job, .seed = 1};
	int at[2][MOST], n_at[2] = {0};
	struct constraint_job jobs[2] = {{at[0]}, {at[1]}};
	struct constraint_case cause = {
		.soft = try->is_soft, .io = io_wanted, .running = jobs, .nrunning = 2};
	struct buf reason = {0};
	int_vec nodes = {0}, points = {0};
	size_t mark = machine_mark(&try->machine);
	uint32_t got = 0;
	int n = 0, end, status;
	struct err err;

	for (int k = 0; k < 2; k++) {
		for (int node = 0; node < try->world->n; node++)
			if (has(running[k], node))
				at[k][n_at[k]++] = node;
		jobs[k].n = n_at[k];
	}
	for (uint32_t set = 1; set < 1U << try->world->n; set++) {
		expected[set] =
			bits(set) == wanted && (set & ~try->idle) == 0 && is(try->world, set);
		n += expected[set];
	}
	nvisited = 0;
	end = constraint_list_all(try->list, &request, &cause, STEPS, visit, NULL);
	if (try->is_exact) {
		CHECK_INT(end, SEARCH_ALL);
		if (n != nvisited)
			printf("%s: %d nodes, idle %x\n", what, wanted, try->idle);
		CHECK_INT(nvisited, n);
	}
	status = constraint_list_choose(try->list, try->alloc, &request, &cause, &nodes, &points,
					&reason, &err);
	for (size_t i = 0; i < nodes.n; i++)
		got |= 1U << nodes.at[i];
	if (try->is_exact && status != (n > 0))
		printf("%s: %d nodes, idle %x: %s\n", what, wanted, try->idle, buf_text(&reason));
	CHECK(try->is_exact ? status == (n > 0) : status <= (n > 0));
	CHECK(status == 0 || expected[got] > 0);
	machine_undo(&try->machine, mark);
	free(nodes.at);
	free(points.at);
	buf_free(&reason);
}

/* Least over all nodes of the machine; some of them, of the idle ones at best effort. */
static bool is_least(definition *is)
{
	return is == is_proximate || is == is_compact;
}

static void take_routes(struct world *world)
{
	memcpy(world->distance, world->routed, sizeof(world->distance));
}

static void check_on(const char *spec, const char *io, bool is_separate, const char *constraint,
		     definition *is, bool is_exact)
{
	struct world world;
	struct constraint_list list;
	struct alloc alloc;
	struct pick pick;
	struct rng rng = rng_make(1, "states", spec, constraint);
	uint32_t computing = 0;
	struct err err;

	open_world(&world, spec, io, is_separate);
	if (strstr(constraint, "distance=routes") != NULL)
		take_routes(&world);
	for (int node = 0; node < world.n; node++)
		computing |= (uint32_t)world.computes[node] << node;
	CHECK(pick_parse(&pick, &alloc_policies, "rdn", &err) == 0);
	CHECK(alloc_open(&alloc, &pick, world.topo, false, &err) == 0);
	if (constraint_list_open(&list, world.topo, &constraint, 1, NULL, NULL, &err) != 0) {
		printf("%s: %s: %s\n", spec, constraint, err.msg);
		exit(1);
	}
	for (int state = 0; state < 4; state++) {
		struct try try = {&world, &list, &alloc, .is_exact = is_exact};

		machine_init(&try.machine, world.topo);
		for (int node = 0; node < world.n; node++)
			if (!world.computes[node] ||
			    (state > 0 && rng_below(&rng, 8) < (uint64_t)state))
				machine_take(&try.machine, node);
			else
				try.idle |= 1U << node;
		running[0] = running[1] = 0;
		for (int node = 0; node < world.n && is == is_disjoint; node++)
			if (!has(try.idle, node))
				running[rng_below(&rng, 2)] |= 1U << node;
		if (is_least(is) || is == is_clusters || is == is_clusters_of_four)
			find_least(&world, computing);
		for (int wanted = 1; wanted <= bits(try.idle); wanted++)
			check_size(&try, is, wanted, constraint);
		/* best effort: the least over what is idle now */
		if (is_least(is))
			find_least(&world, try.idle);
		try.is_soft = true;
		for (int wanted = 1; is_least(is) && wanted <= bits(try.idle); wanted++)
			check_size(&try, is, wanted, constraint);
		machine_free(&try.machine);
	}
	constraint_list_close(&list);
	alloc_close(&alloc);
	pick_free(&pick);
	topo_free(world.topo);
}

static void check(const char *spec, const char *io, const char *constraint, definition *is,
		  bool is_exact)
{
	check_on(spec, io, true, constraint, is, is_exact);
}

/* One, two and three I/O nodes of any; then some that are named. */
static void check_local(const char *spec, const char *io, bool is_separate)
{
	static const int pinned[] = {2, 0};

	for (io_wanted.wanted = 0; io_wanted.wanted <= 3; io_wanted.wanted++)
		check_on(spec, io, is_separate, "local", is_local, true);
	io_wanted.pinned = pinned;
	for (int n = 1; n <= 2; n++) {
		io_wanted.npinned = io_wanted.wanted = n;
		check_on(spec, io, is_separate, "local", is_local, true);
	}
	io_wanted = (struct io_request){0};
}

int main(void)
{
	static const char *const direct[] = {
		"line:nodes=9",
		"ring:nodes=8",
		"ring:nodes=9",
		"mesh:dims=4x3",
		"torus:dims=4x3",
		"torus:dims=5x2",
		"hypercube:dims=4",
		"torus:dims=2x2x3",
		"mesh:dims=3x2,per-router=2",
		"complete:nodes=6",
		"torus:dims=4x2,per-router=2",
		"dragonfly:groups=3,routers=2,nodes=2",
		"dragonfly:groups=4,routers=3,nodes=1",
	};
	static const char *const dragonflies[] = {"dragonfly:groups=5,routers=2,nodes=1",
						  "dragonfly:groups=4,routers=3,nodes=1",
						  "dragonfly:groups=7,routers=2,nodes=1"};
	static const char *const hierarchies[] = {"tree:arity=3x2x2", "fattree:k=2,levels=3",
						  "tree:arity=4x3"};

	expected = xcalloc(NSETS, 1);
	for (size_t i = 0; i < sizeof(direct) / sizeof(*direct); i++) {
		check(direct[i], NULL, "connected", is_connected, true);
		check(direct[i], NULL, "contiguous", is_contiguous, true);
		check(direct[i], NULL, "convex", is_closed, true);
		check(direct[i], NULL, "proximate", is_proximate, true);
		check(direct[i], NULL, "compact", is_compact, true);
		check(direct[i], NULL, "clusters", is_clusters, true);
		check(direct[i], NULL, "clusters:size=4", is_clusters_of_four, true);
	}
	for (size_t i = 0; i < sizeof(hierarchies) / sizeof(*hierarchies); i++) {
		check(hierarchies[i], NULL, "contiguous", is_contiguous, true);
		check(hierarchies[i], NULL, "convex", is_subtree, true);
		check(hierarchies[i], NULL, "proximate", is_proximate, true);
		check(hierarchies[i], NULL, "compact", is_compact, true);
		check(hierarchies[i], NULL, "clusters", is_clusters, true);
	}
	/* a third group is a short cut that no minimal route takes */
	for (size_t i = 0; i < sizeof(dragonflies) / sizeof(*dragonflies); i++) {
		check(dragonflies[i], NULL, "proximate", is_proximate, true);
		check(dragonflies[i], NULL, "compact", is_compact, true);
		check(dragonflies[i], NULL, "proximate:distance=routes", is_proximate, true);
		check(dragonflies[i], NULL, "compact:distance=routes", is_compact, true);
	}
	/* blocks of two nodes and of one; of four and of three */
	check("mesh:dims=3x2,per-router=2", "n[1,3,5]", "clusters", is_clusters, true);
	check("tree:arity=4x3", "n[0-2,4,5]", "clusters", is_clusters, true);
	check("mesh:dims=4x3", "n[0,7,9]", "clusters:size=4", is_clusters_of_four, true);
	check("mesh:dims=4x3", "n[5-6]", "connected", is_connected, true);
	check("torus:dims=4x3", "n[1,5,10]", "connected", is_connected, true);
	check("mesh:dims=4x3", "n[5-6]", "contiguous", is_contiguous, true);
	check("mesh:dims=4x3", "n[5-6]", "convex", is_closed, false);
	check("torus:dims=4x3", "n[1,5,10]", "convex", is_closed, false);
	check("mesh:dims=4x3", NULL, "convex:literal", is_literal, true);
	check("ring:nodes=7", NULL, "convex:literal", is_literal, true);
	check("mesh:dims=3x3", "n4", "convex:literal", is_literal, true);
	check_local("torus:dims=4x3", "n[1,5,10]", true);
	check_local("torus:dims=4x3", "n[1,5,10]", false);
	check_local("mesh:dims=4x3", "n[0,5,6,11]", true);
	check_local("line:nodes=11", "n[2,5,8]", true);
	check_local("line:nodes=11", "n[2,5,6,9]", false);
	check_local("hypercube:dims=3", "n[0,3,5]", false);
	check_local("mesh:dims=3x2,per-router=2", "n[0,5,11]", true);
	check_local("dragonfly:groups=3,routers=2,nodes=2", "n[0,5,11]", false);
	check_local("tree:arity=3x2x2", "n[0,5,11]", true);
	check_local("tree:arity=3x2x2", "n[0,1,11]", false);
	check("mesh:dims=4x3", NULL, "linkdisjoint", is_disjoint, true);
	check("torus:dims=4x3", NULL, "linkdisjoint", is_disjoint, true);
	check("ring:nodes=9", NULL, "linkdisjoint", is_disjoint, true);
	check("fattree:k=2,levels=3", NULL, "linkdisjoint", is_disjoint, true);
	check("dragonfly:groups=3,routers=2,nodes=2", NULL, "linkdisjoint", is_disjoint, true);
	free(expected);
	return check_done();
}
