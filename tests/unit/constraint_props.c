/* constraint_props.c - Propositions 1 and 2 of Bleuse et al., what convexity is for: no shared
 * links, and numbers that are known */
#include <stdlib.h>

#include "place/constraint/connected_pieces.h"
#include "place/constraint/convex.h"
#include "place/constraint/constraint_list.h"
#include "check.h"
#include "machine.h"

enum { STEPS = 1000000000 };

/* ---- all convex sets of a machine, and the links that each uses ---- */

struct convex_set {
	uint32_t nodes;
	uint64_t links;
};

struct collection {
	struct space *space;
	VEC(struct convex_set) sets;
};

static int collect(void *context, const int *nodes, int n)
{
	struct collection *collection = context;
	struct convex_set set = {0};
	int nnodes = collection->space->topo->nnodes;

	for (int i = 0; i < n; i++) {
		set.nodes |= 1U << nodes[i];
		for (int k = 0; k < n; k++) {
			int_vec path = {0};

			if (i != k)
				route_path(collection->space->routing, nodes[i], nodes[k], &path);
			for (size_t p = 0; p < path.n; p++)
				if (path.at[p] / 2 >= nnodes)
					set.links |= UINT64_C(1) << (path.at[p] / 2 - nnodes);
			free(path.at);
		}
	}
	/* Proposition 1 */
	CHECK(connected_is(collection->space, nodes, n));
	vec_push(&collection->sets, set);
	return 0;
}

static void check_convex(const char *spec, const char *io)
{
	struct topo *topo = machine_with_io(spec, io, true);
	const char *text = "convex";
	struct constraint_list list;
	struct collection collection = {.space = &list.space};
	struct machine machine;
	struct err err;

	CHECK(constraint_list_open(&list, topo, &text, 1, NULL, NULL, &err) == 0);
	machine_init(&machine, topo);
	for (int node = 0; node < topo->nnodes; node++)
		if (!list.space.computes[node])
			machine_take(&machine, node);
	for (int n = 1; n <= machine.nidle; n++) {
		struct job job = {.name = "j", .nnodes = n};
		struct alloc_request request = {.machine = &machine, .job = &job};
		struct constraint_case job_case = {0};

		constraint_list_all(&list, &request, &job_case, STEPS, collect, &collection);
	}
	/* sets that have no node in common have no link in common */
	CHECK(collection.sets.n > (size_t)topo->nnodes / 2);
	for (size_t i = 0; i < collection.sets.n; i++)
		for (size_t k = 0; k < i; k++)
			if ((collection.sets.at[i].nodes & collection.sets.at[k].nodes) == 0)
				CHECK((collection.sets.at[i].links & collection.sets.at[k].links) ==
				      0);
	free(collection.sets.at);
	machine_free(&machine);
	constraint_list_close(&list);
	topo_free(topo);
}

/* The definition as it is written allows what is not connected: all nodes but an inner column. */
static void check_literal(void)
{
	static const int nodes[] = {0, 2, 3, 4, 6, 7, 8, 10, 11};
	struct topo *topo = machine("mesh:dims=4x3");
	struct search search = {.steps = STEPS};
	struct space space;
	struct err err;

	CHECK(space_open(&space, topo, NULL, NULL, &err) == 0);
	CHECK_INT(convex_is_literal(&space, nodes, 9, &search), 1);
	CHECK_INT(convex_is_closed(&space, nodes, 9, &search), 0);
	CHECK(!connected_is(&space, nodes, 9));
	space_close(&space);
	topo_free(topo);
}

/* ---- Proposition 2 ---- */

static int adjacent_nodes(const struct space *space, const struct io_point *point)
{
	int n = 0, r = point->router;

	for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
		n += space->computes[space->node[k]] && space->node[k] != point->node;
	for (int p = space->first_peer[r]; p < space->first_peer[r + 1]; p++)
		n += space->ncompute[space->peer[p]];
	return n + space->computes[point->node];
}

/* Local jobs fill a machine: no I/O node has more of them than compute nodes next to it, and itself
 * if it computes. */
static void check_jobs(const char *spec, const char *io, bool is_separate, uint64_t seed)
{
	struct topo *topo = machine_with_io(spec, io, is_separate);
	const char *text = "local";
	struct rng rng = rng_make(seed, "jobs", spec, io);
	struct constraint_list list;
	struct machine machine;
	struct alloc alloc;
	struct pick pick;
	struct err err;
	int *njobs, most = 0;

	CHECK(constraint_list_open(&list, topo, &text, 1, NULL, NULL, &err) == 0);
	CHECK(pick_parse(&pick, &alloc_policies, "rdn", &err) == 0);
	CHECK(alloc_open(&alloc, &pick, topo, false, &err) == 0);
	machine_init(&machine, topo);
	for (int node = 0; node < topo->nnodes; node++)
		if (!list.space.computes[node])
			machine_take(&machine, node);
	njobs = xcalloc((size_t)list.space.npoints, sizeof(*njobs));
	for (int i = 0; i < 200; i++) {
		struct job job = {.name = "j", .nnodes = 1 + (int)rng_below(&rng, 3)};
		struct alloc_request request = {
			.machine = &machine, .job = &job, .seed = seed + (uint64_t)i};
		int pinned = (int)rng_below(&rng, (uint64_t)list.space.npoints);
		struct constraint_case job_case = {
			.io = {.wanted = 1, .pinned = &pinned, .npinned = i % 2}};
		int_vec nodes = {0}, points = {0};
		struct buf reason = {0};

		if (constraint_list_choose(&list, &alloc, &request, &job_case, &nodes, &points,
					   &reason, &err) == 1)
			njobs[points.at[0]]++;
		free(nodes.at);
		free(points.at);
		buf_free(&reason);
	}
	for (int i = 0; i < list.space.npoints; i++) {
		CHECK(njobs[i] <= adjacent_nodes(&list.space, &list.space.points[i]));
		most = njobs[i] > most ? njobs[i] : most;
	}
	CHECK(most > 0);
	free(njobs);
	machine_free(&machine);
	alloc_close(&alloc);
	pick_free(&pick);
	constraint_list_close(&list);
	topo_free(topo);
}

/* ---- numbers that are known ---- */

static int count_one(void *context, const int *nodes, int n)
{
	(void)nodes, (void)n;
	++*(int *)context;
	return 0;
}

/* Sets of a number of nodes on the empty machine; wanted 0: of any number. */
static int count(const char *spec, const char *constraint, int wanted)
{
	struct constraint_list list;
	struct machine machine;
	struct topo *topo;
	struct err err;
	int n = 0;

	CHECK(topo_load(&topo, spec, &err) == 0);
	CHECK(constraint_list_open(&list, topo, &constraint, 1, NULL, NULL, &err) == 0);
	machine_init(&machine, topo);
	for (int q = wanted > 0 ? wanted : 1; q <= (wanted > 0 ? wanted : topo->nnodes); q++) {
		struct job job = {.name = "j", .nnodes = q};
		struct alloc_request request = {.machine = &machine, .job = &job};
		struct constraint_case job_case = {0};

		CHECK_INT(constraint_list_all(&list, &request, &job_case, STEPS, count_one, &n),
			  SEARCH_ALL);
	}
	machine_free(&machine);
	constraint_list_close(&list);
	topo_free(topo);
	return n;
}

static void check_numbers(void)
{
	CHECK_INT(count("mesh:dims=4x4", "convex", 0), 100);
	CHECK_INT(count("mesh:dims=4x4", "convex:literal", 0), 53);
	for (int q = 1; q <= 12; q++)
		CHECK((count("torus:dims=8x8", "convex", q) == 0) ==
		      (q == 5 || q == 7 || q == 10 || q == 11));
	CHECK_INT(count("hypercube:dims=4", "convex", 0), 81);
}

/* The least sums of a mesh of 3 x 3 x 3, counted once over all 2^27 sets; from every starting
 * order. */
static void check_cube(void)
{
	static const int least[] = {0,   1,   4,   8,   16,  25,  36,  48,  68,
				    89,  112, 136, 168, 201, 238, 278, 324, 369,
				    420, 477, 536, 599, 664, 737, 812, 891, 972};
	const char *constraint = "compact";
	struct constraint_list list;
	struct machine machine;
	struct alloc alloc;
	struct topo *topo;
	struct pick pick;
	struct err err;

	CHECK(topo_load(&topo, "mesh:dims=3x3x3", &err) == 0);
	CHECK(constraint_list_open(&list, topo, &constraint, 1, NULL, NULL, &err) == 0);
	CHECK(pick_parse(&pick, &alloc_policies, "rdn", &err) == 0);
	CHECK(alloc_open(&alloc, &pick, topo, false, &err) == 0);
	machine_init(&machine, topo);
	for (int i = 0; i < 4 * 27; i++) {
		struct job job = {.name = "j", .nnodes = i % 27 + 1};
		struct alloc_request request = {
			.machine = &machine, .job = &job, .seed = (uint64_t)i};
		struct constraint_case job_case = {0};
		struct buf reason = {0};
		int_vec nodes = {0}, points = {0};
		size_t mark = machine_mark(&machine);
		int sum = 0;

		CHECK_INT(constraint_list_choose(&list, &alloc, &request, &job_case, &nodes,
						 &points, &reason, &err),
			  1);
		for (size_t a = 0; a < nodes.n; a++)
			for (size_t b = 0; b < a; b++)
				for (int unit = 1; unit < 27; unit *= 3)
					sum += abs(nodes.at[a] / unit % 3 - nodes.at[b] / unit % 3);
		CHECK_INT(sum, least[i % 27]);
		machine_undo(&machine, mark);
		free(nodes.at);
		free(points.at);
		buf_free(&reason);
	}
	machine_free(&machine);
	constraint_list_close(&list);
	alloc_close(&alloc);
	pick_free(&pick);
	topo_free(topo);
}

int main(void)
{
	check_convex("mesh:dims=4x3", NULL);
	check_convex("mesh:dims=4x3", "n[5-6]");
	check_convex("torus:dims=4x4", NULL);
	check_convex("torus:dims=5x3", "n[2,7,11]");
	check_convex("hypercube:dims=4", "n[0,15]");
	check_convex("ring:nodes=11", "n[3,4]");
	check_convex("dragonfly:groups=4,routers=3,nodes=1", NULL);
	check_convex("mesh:dims=3x2,per-router=2", NULL);
	check_literal();
	for (uint64_t seed = 1; seed <= 5; seed++) {
		check_jobs("torus:dims=5x5", "n[6,18]", true, seed);
		check_jobs("torus:dims=5x5", "n[6,18]", false, seed);
		check_jobs("mesh:dims=6x4", "n[0,9,20]", true, seed);
		check_jobs("hypercube:dims=4", "n[5,6]", false, seed);
	}
	check_numbers();
	check_cube();
	return check_done();
}
