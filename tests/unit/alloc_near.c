/* alloc_near.c - policies that look for runs, near nodes and pieces, against all choices there are
 * on small machines in random states */
#include <stdlib.h>

#include "place/policy/policy.h"
#include "measure/checker/geometry.h"
#include "machine/load.h"
#include "check.h"
#include "model/topo_type.h"

enum { MOST = 16 };

struct scene {
	struct topo *topo;
	struct routing *routing;
	struct geometry geometry; /* distances, as placecheck has them */
	struct machine machine;
	struct pick pick;
	struct alloc alloc;
	int n;
	unsigned idle;
	int_vec nodes;
	struct buf reason;
};

static bool in(unsigned set, int node)
{
	return (set >> node & 1) != 0;
}

static void start(struct scene *scene, const char *spec, const char *policy)
{
	struct err err;

	*scene = (struct scene){0};
	if (topo_load(&scene->topo, spec, &err) != 0 ||
	    routing_open(&scene->routing, scene->topo, NULL, &err) != 0 ||
	    geometry_open(&scene->geometry, scene->topo, scene->routing, NULL, &err) != 0 ||
	    pick_parse(&scene->pick, &alloc_policies, policy, &err) != 0 ||
	    alloc_open(&scene->alloc, &scene->pick, scene->topo, false, &err) != 0) {
		printf("%s on %s: %s\n", policy, spec, err.msg);
		exit(1);
	}
	scene->n = scene->topo->nnodes;
	CHECK(scene->n <= MOST);
	machine_init(&scene->machine, scene->topo);
	scene->idle = (1U << scene->n) - 1;
}

static void stop(struct scene *scene)
{
	scene->topo->io = NULL;
	scene->topo->nio = 0;
	machine_free(&scene->machine);
	alloc_close(&scene->alloc);
	pick_free(&scene->pick);
	geometry_close(&scene->geometry);
	routing_close(scene->routing);
	topo_free(scene->topo);
	free(scene->nodes.at);
	buf_free(&scene->reason);
}

static void set_idle(struct scene *scene, unsigned idle)
{
	for (int node = 0; node < scene->n; node++) {
		if (in(idle, node) && !machine_is_idle(&scene->machine, node))
			machine_release(&scene->machine, node);
		if (!in(idle, node) && machine_is_idle(&scene->machine, node))
			machine_take(&scene->machine, node);
	}
	machine_forget(&scene->machine);
	scene->idle = idle;
}

/* What the policy takes of n nodes, as a set; 0: the job waits. The machine is as before. */
static unsigned choose(struct scene *scene, int n)
{
	struct job job = {.name = "j", .nnodes = n};
	struct alloc_request request = {.machine = &scene->machine, .job = &job, .seed = 1};
	unsigned set = 0;
	struct err err;
	int status;

	status = alloc_choose(&scene->alloc, &request, &scene->nodes, &scene->reason, &err);
	CHECK(status >= 0);
	CHECK(status == 1 || scene->reason.n > 0);
	for (size_t i = 0; i < scene->nodes.n; i++) {
		CHECK(in(scene->idle, scene->nodes.at[i]) && !in(set, scene->nodes.at[i]));
		set |= 1U << scene->nodes.at[i];
	}
	CHECK_INT(__builtin_popcount(set), status == 1 ? n : 0);
	machine_undo(&scene->machine, 0);
	return set;
}

static int largest(const struct scene *scene, unsigned set)
{
	int most = 0;

	for (int a = 0; a < scene->n; a++)
		for (int b = 0; b < a; b++)
			if (in(set, a) && in(set, b)) {
				int distance = geometry_distance(&scene->geometry, a, b);

				most = distance > most ? distance : most;
			}
	return most;
}

static int sum(const struct scene *scene, unsigned set)
{
	int total = 0;

	for (int a = 0; a < scene->n; a++)
		for (int b = 0; b < a; b++)
			if (in(set, a) && in(set, b))
				total += geometry_distance(&scene->geometry, a, b);
	return total;
}

/* No set of as many idle nodes has less. */
static void check_least(const char *spec, const char *policy,
			int (*measure)(const struct scene *scene, unsigned set))
{
	struct rng rng = rng_make(1, spec, NULL, policy);
	struct scene scene;

	start(&scene, spec, policy);
	for (int round = 0; round < 30; round++) {
		int least[MOST + 1];

		set_idle(&scene,
			 round == 0 ? scene.idle : (unsigned)rng_below(&rng, 1U << scene.n) | 1);
		for (int n = 0; n <= MOST; n++)
			least[n] = INT32_MAX;
		for (unsigned set = scene.idle; set > 0; set = (set - 1) & scene.idle) {
			int n = __builtin_popcount(set), value = measure(&scene, set);

			least[n] = value < least[n] ? value : least[n];
		}
		for (int n = 1; n <= __builtin_popcount(scene.idle); n++)
			CHECK_INT(measure(&scene, choose(&scene, n)), least[n]);
	}
	stop(&scene);
}

/* ---- runs ---- */

/* A run is a set of consecutive places that can't be longer: by trying every first place and every
 * length. Separate I/O nodes are no places. */
static int runs_of(const struct scene *scene, unsigned io, bool ring, unsigned *runs, int *firsts)
{
	int place[MOST], n = 0, nruns = 0;

	for (int node = 0; node < scene->n; node++)
		if (!in(io, node))
			place[n++] = node;
	for (int first = 0; first < n; first++) {
		unsigned run = 0;
		int before = first > 0 ? first - 1 : ring ? n - 1 : -1, length = 0;
		bool all = (scene->idle & ~io) == (((1U << scene->n) - 1) & ~io);

		if (!in(scene->idle, place[first]) ||
		    (before >= 0 && in(scene->idle, place[before]) && !(all && first == 0)))
			continue;
		while (length < n && (ring || first + length < n) &&
		       in(scene->idle, place[(first + length) % n]))
			run |= 1U << place[(first + length++) % n];
		firsts[nruns] = first;
		runs[nruns++] = run;
	}
	return nruns;
}

static void check_runs(const char *spec, const char *policy, unsigned io_nodes, bool best)
{
	struct rng rng = rng_make(1, spec, NULL, policy);
	bool ring = strncmp(spec, "ring", 4) == 0;
	struct topo_io io = {.nodes = (int[MOST]){0}, .is_separate = true};
	struct scene scene;

	start(&scene, spec, "simple");
	for (int node = 0; node < scene.n; node++)
		if (in(io_nodes, node))
			io.nodes[io.nnodes++] = node;
	scene.topo->io = &io;
	scene.topo->nio = 1;
	alloc_close(&scene.alloc);
	pick_free(&scene.pick);
	CHECK_INT(pick_parse(&scene.pick, &alloc_policies, policy, &(struct err){0}), 0);
	CHECK_INT(alloc_open(&scene.alloc, &scene.pick, scene.topo, false, &(struct err){0}), 0);
	for (int round = 0; round < 200; round++) {
		unsigned runs[MOST];
		int firsts[MOST], nruns;

		set_idle(&scene, round == 0 ? scene.idle & ~io_nodes
					    : (unsigned)rng_below(&rng, 1U << scene.n) & ~io_nodes);
		nruns = runs_of(&scene, io_nodes, ring, runs, firsts);
		for (int n = 1; n <= __builtin_popcount(scene.idle); n++) {
			int chosen = -1;
			unsigned got = choose(&scene, n);

			for (int i = 0; i < nruns; i++) {
				int length = __builtin_popcount(runs[i]);

				if (length >= n &&
				    (chosen < 0 ||
				     (best && length < __builtin_popcount(runs[chosen]))))
					chosen = i;
			}
			CHECK_INT(got != 0, chosen >= 0);
			CHECK(chosen < 0 || (got & ~runs[chosen]) == 0);
		}
	}
	stop(&scene);
}

/* Beside an I/O node if any window of n is, and among those in a run of the least length. */
static void check_line_greedy(const char *spec, unsigned io_nodes, bool separate)
{
	struct rng rng = rng_make(1, spec, NULL, "line-greedy");
	bool ring = strncmp(spec, "ring", 4) == 0;
	struct topo_io io = {.nodes = (int[MOST]){0}, .is_separate = separate};
	unsigned away = separate ? io_nodes : 0;
	struct scene scene;

	start(&scene, spec, "simple");
	for (int node = 0; node < scene.n; node++)
		if (in(io_nodes, node))
			io.nodes[io.nnodes++] = node;
	scene.topo->io = &io;
	scene.topo->nio = 1;
	alloc_close(&scene.alloc);
	pick_free(&scene.pick);
	CHECK_INT(pick_parse(&scene.pick, &alloc_policies, "line-greedy", &(struct err){0}), 0);
	CHECK_INT(alloc_open(&scene.alloc, &scene.pick, scene.topo, false, &(struct err){0}), 0);
	for (int round = 0; round < 300; round++) {
		unsigned runs[MOST];
		int firsts[MOST], nruns;

		set_idle(&scene, (unsigned)rng_below(&rng, 1U << scene.n) & ~away);
		nruns = runs_of(&scene, away, ring, runs, firsts);
		for (int n = 1; n <= __builtin_popcount(scene.idle); n++) {
			unsigned got = choose(&scene, n);
			int beside_best = INT32_MAX, got_run = -1;
			bool got_beside = false;

			for (int node = 0; node < scene.n; node++)
				for (int other = 0; other < scene.n; other++)
					if (in(got, node) && in(io_nodes, other) &&
					    (node == other ||
					     geometry_distance(&scene.geometry, node, other) == 1))
						got_beside = true;
			for (int i = 0; i < nruns; i++) {
				int length = __builtin_popcount(runs[i]), place[MOST], np = 0;

				if (got != 0 && (got & ~runs[i]) == 0)
					got_run = length;
				for (int node = 0; node < scene.n; node++)
					if (!in(away, node))
						place[np++] = node;
				for (int from = 0; from + n <= length; from++)
					for (int k = 0; k < n; k++)
						for (int other = 0; other < scene.n; other++) {
							int node =
								place[(firsts[i] + from + k) % np];

							if (in(io_nodes, other) &&
							    length < beside_best &&
							    (node == other ||
							     geometry_distance(&scene.geometry,
									       node, other) == 1))
								beside_best = length;
						}
			}
			CHECK_INT(got_beside, beside_best < INT32_MAX && got != 0);
			CHECK(!got_beside || got_run == beside_best);
		}
	}
	stop(&scene);
}

/* ---- pieces ---- */

/* One piece if there is one with room, by the check of connectivity; on direct networks. */
static void check_grow(const char *spec)
{
	struct rng rng = rng_make(1, spec, NULL, "grow");
	struct scene scene;
	struct pick pick;
	struct checker checker;
	struct buf witness = {0};
	int nodes[MOST];

	start(&scene, spec, "grow");
	CHECK_INT(pick_parse(&pick, &checkers, "connected", &(struct err){0}), 0);
	CHECK_INT(checker_open(&checker, &pick, &scene.geometry, &(struct err){0}), 0);
	for (int round = 0; round < 40; round++) {
		unsigned can = 0; /* sizes that a connected set has */

		set_idle(&scene, (unsigned)rng_below(&rng, 1U << scene.n) | 2);
		for (unsigned set = scene.idle; set > 0; set = (set - 1) & scene.idle) {
			struct region region = {.nodes = nodes};

			for (int node = 0; node < scene.n; node++)
				if (in(set, node))
					nodes[region.n++] = node;
			if (checker_check(&checker, &region, &witness) == VERDICT_HOLDS)
				can |= 1U << region.n;
		}
		for (int n = 1; n <= __builtin_popcount(scene.idle); n++) {
			unsigned got = choose(&scene, n);
			struct region region = {scene.nodes.at, n, NULL, 0};

			CHECK(got != 0);
			CHECK_INT(checker_check(&checker, &region, &witness) == VERDICT_HOLDS,
				  in(can, n));
			CHECK_INT(strcmp(buf_text(&scene.reason), "1 piece") == 0, in(can, n));
		}
	}
	buf_free(&witness);
	checker_close(&checker);
	pick_free(&pick);
	stop(&scene);
}

/* ---- neighbours ---- */

/* Sorted by (the congestor's nodes at the router, −idle nodes there, label), one after
 * the other. */
static void check_neighbours(const char *spec, const char *policy, unsigned congestor,
			     bool busy_end)
{
	struct rng rng = rng_make(1, spec, NULL, policy);
	struct scene scene;

	start(&scene, spec, policy);
	for (int round = 0; round < 100; round++) {
		int key[MOST], order[MOST], n = 0, wanted;
		unsigned from;

		set_idle(&scene, (unsigned)rng_below(&rng, 1U << scene.n) | 1);
		from = congestor != 0 ? congestor : ~scene.idle;
		for (int node = 0; node < scene.n; node++) {
			int at = n;

			key[node] = 0;
			for (int other = 0; other < scene.n; other++)
				if (scene.topo->router_of[other] == scene.topo->router_of[node])
					key[node] += 100 * in(from, other) - in(scene.idle, other);
			if (!in(scene.idle, node))
				continue;
			for (; at > 0 && key[order[at - 1]] > key[node]; at--)
				order[at] = order[at - 1];
			order[at] = node;
			n++;
		}
		wanted = 1 + (int)rng_below(&rng, (uint64_t)n);
		choose(&scene, wanted);
		for (int i = 0; i < wanted; i++)
			CHECK_INT(scene.nodes.at[i], order[busy_end ? n - 1 - i : i]);
	}
	stop(&scene);
}

int main(void)
{
	static const char *const trees[] = {"tree:arity=3x2x2",
					    "tree:arity=2x2x2x2",
					    "fattree:k=2,levels=3",
					    "tree:arity=4x3",
					    "fattree:down=3x4,up=1x2,cables=1x1",
					    "complete:nodes=8",
					    "complete:nodes=12,per-router=3"};

	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		check_least(trees[i], "proximate", largest);
		check_least(trees[i], "compact", sum);
	}
	check_least("line:nodes=13", "proximate", largest);
	check_least("line:nodes=13", "compact", sum);
	check_least("line:nodes=12,per-router=2", "compact", sum);
	check_least("mesh:dims=4x3", "proximate", largest);
	check_least("mesh:dims=2x6", "proximate", largest);
	check_runs("line:nodes=12", "contiguous", 0, false);
	check_runs("line:nodes=12", "contiguous:fit=best", 0, true);
	check_runs("ring:nodes=12", "contiguous", 0, false);
	check_runs("ring:nodes=12", "contiguous:fit=best", 0x011, true);
	check_runs("mesh:dims=4x3", "contiguous", 0x060, false);
	check_line_greedy("line:nodes=12", 0x084, true);
	check_line_greedy("line:nodes=12", 0x084, false);
	check_line_greedy("ring:nodes=11", 0x101, true);
	check_line_greedy("ring:nodes=11", 0x101, false);
	check_grow("mesh:dims=4x3");
	check_grow("torus:dims=4x3");
	check_grow("hypercube:dims=3");
	check_grow("dragonfly:groups=3,routers=2,nodes=2");
	check_neighbours("tree:arity=4x4", "congestor-neighbours", 0, false);
	check_neighbours("tree:arity=4x4", "congestor-neighbours:end=busy", 0, true);
	check_neighbours("tree:arity=4x4", "congestor-neighbours:congestor=n[0-1,6,12-13]", 0x3043,
			 false);
	check_neighbours("tree:arity=4x4", "congestor-neighbours:congestor=n[0-1,6,12-13],end=busy",
			 0x3043, true);
	return check_done();
}
