/* constraint.c - every constraint against its definition, over all subsets of small machines */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/constraint_list.h"
#include "machine/load.h"
#include "check.h"
#include "constraint_world.h"

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
	struct rng rng;
};

/* What is said without regions: whether there is a set among the idle nodes, and when there
 * is one. */
static void check_answers(struct try *try, definition *is, int wanted, bool is_there,
			  struct rng *rng)
{
	struct free_times times = {0};
	int64_t at[MOST], least = INT64_MAX, got;
	bool is_exact;
	int fits = constraint_list_fits(try->list, try->machine.idle.level[0], wanted);

	CHECK(fits < 0 || fits == is_there);
	free_times_start(&times, &try->machine);
	for (int node = 0; node < try->world->n; node++)
		at[node] = has(try->idle, node)          ? INT64_MIN
			   : !try->world->computes[node] ? INT64_MAX
							 : (int64_t)rng_below(rng, 6);
	for (int64_t time_ns = 0; time_ns < 5; time_ns++) /* those of 5 are never free */
		for (int node = 0; node < try->world->n; node++)
			if (at[node] == time_ns)
				free_times_add(&times, node, time_ns);
	for (uint32_t set = 1; set < 1U << try->world->n; set++) {
		int64_t most = INT64_MIN;

		for (int node = 0; node < try->world->n; node++)
			if (has(set, node) && at[node] > most)
				most = at[node] < 5 ? at[node] : INT64_MAX;
		if (bits(set) == wanted && most < least && is(try->world, set))
			least = most;
	}
	got = constraint_list_earliest(try->list, &times, wanted, &is_exact);
	CHECK(is_exact ? got == least : got <= least);
	free_times_free(&times);
}

static void check_size(struct try *try, definition *is, int wanted, const char *what)
{
	struct job job = {.name = "j", .nnodes = wanted};
	struct alloc_request request = {.machine = &try->machine, .job = &job, .seed = 1};
	int at[2][MOST], n_at[2] = {0};
	struct constraint_job jobs[2] = {{at[0]}, {at[1]}};
	struct constraint_case job_case = {
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
	if (io_wanted.wanted == 0 && !try->is_soft)
		check_answers(try, is, wanted, n > 0, &try->rng);
	nvisited = 0;
	end = constraint_list_all(try->list, &request, &job_case, STEPS, visit, NULL);
	if (try->is_exact) {
		CHECK_INT(end, SEARCH_ALL);
		if (n != nvisited)
			printf("%s: %d nodes, idle %x\n", what, wanted, try->idle);
		CHECK_INT(nvisited, n);
	}
	status = constraint_list_choose(try->list, try->alloc, &request, &job_case, &nodes, &points,
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
		struct try try = {&world, &list, &alloc, .is_exact = is_exact, .rng = rng};

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
	static const char *const dragonflies[] = {
		"dragonfly:groups=5,routers=2,nodes=1", "dragonfly:groups=4,routers=3,nodes=1",
		"dragonfly:groups=7,routers=2,nodes=1", "dragonfly:groups=5,routers=3,nodes=1"};
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
		check(dragonflies[i], NULL, "convex", is_closed, true);
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
