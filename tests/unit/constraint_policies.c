/* constraint_policies.c - every policy with every constraint on random states of machines; what
 * comes out is judged by placecheck's checkers, which share no code with what chose it */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "place/constraint/constraint_list.h"
#include "measure/checker/geometry.h"
#include "check.h"
#include "machine.h"

enum { STATES = 3 };

/* A machine in a state, for choosing and for judging. */
struct scene {
	struct topo *topo;
	struct constraint_list list;
	struct geometry geometry;
	struct checker checker;
	struct routing *routing;
	struct machine machine;
	struct traffic_window window;
	int *nodes_of[2], n_of[2]; /* two jobs that run */
	bool *was_idle;            /* [nnodes] */
	int nplaced;
};

static char permitted[] = "/tmp/placetools-permitted-XXXXXX";

/* Every four nodes in a row that may compute, as lines of a file. */
static void write_permitted(const struct topo *topo)
{
	FILE *file = fopen(permitted, "w");

	for (int node = 0; node + 4 <= topo->nnodes; node++) {
		bool computes = true;

		for (int i = 0; topo->nio > 0 && i < topo->io[0].nnodes; i++)
			computes = computes &&
				   (!topo->io[0].is_separate || topo->io[0].nodes[i] < node ||
				    topo->io[0].nodes[i] > node + 3);
		if (computes)
			fprintf(file, "n[%d-%d]\n", node, node + 3);
	}
	fclose(file);
}

static void set_state(struct scene *scene, struct rng *rng, int state)
{
	const struct topo *topo = scene->topo;

	machine_init(&scene->machine, topo);
	scene->n_of[0] = scene->n_of[1] = 0;
	for (int node = 0; node < topo->nnodes; node++) {
		bool is_busy = rng_below(rng, 8) < (uint64_t)state;
		int job = (int)rng_below(rng, 2);

		if (!scene->list.space.serves[node] || is_busy)
			machine_take(&scene->machine, node);
		if (is_busy && scene->list.space.serves[node])
			scene->nodes_of[job][scene->n_of[job]++] = node;
		scene->was_idle[node] = machine_is_idle(&scene->machine, node);
	}
	for (int r = 0; r < topo->nrouters; r++) {
		scene->window.traffic[r] = (double)rng_below(rng, 5);
		scene->window.stall[r] = (double)rng_below(rng, 5);
	}
	machine_forget(&scene->machine);
}

/* Whether the checkers see the constraint kept. */
static void judge(struct scene *scene, const int_vec *nodes, const int_vec *points,
		  const char *what)
{
	struct io_place io[64];
	struct region region = {nodes->at, (int)nodes->n, io, (int)points->n};
	struct buf witness = {0};
	enum verdict verdict = VERDICT_HOLDS;

	for (size_t i = 0; i < points->n; i++)
		io[i] = (struct io_place){scene->list.space.points[points->at[i]].node,
					  scene->list.space.points[points->at[i]].router};
	if (!scene->checker.type->is_of_pairs)
		verdict = checker_check(&scene->checker, &region, &witness);
	for (int k = 0; k < 2 && scene->checker.type->is_of_pairs; k++) {
		struct region other = {scene->nodes_of[k], scene->n_of[k], NULL, 0};

		if (other.n > 0 && scene->checker.type->compare(&scene->checker, &region, &other,
								&witness) == VERDICT_BROKEN)
			verdict = VERDICT_BROKEN;
	}
	if (verdict == VERDICT_BROKEN)
		printf("%s: %d nodes: %s\n", what, region.n, buf_text(&witness));
	CHECK(verdict != VERDICT_BROKEN);
	buf_free(&witness);
}

static void check_nodes(struct scene *scene, const int_vec *nodes, int wanted)
{
	bool *is_in = xcalloc((size_t)scene->topo->nnodes, sizeof(bool));

	CHECK_INT((int64_t)nodes->n, wanted);
	for (size_t i = 0; i < nodes->n; i++) {
		CHECK(scene->was_idle[nodes->at[i]]);
		CHECK(!is_in[nodes->at[i]]);
		CHECK(!machine_is_idle(&scene->machine, nodes->at[i]));
		is_in[nodes->at[i]] = true;
	}
	free(is_in);
}

static void try(struct scene *scene, struct alloc *alloc, int wanted, int io_nodes,
		const char *what)
{
	struct job job = {.name = "j", .nnodes = wanted, .sensitivity = NAN};
	struct alloc_request request = {
		.machine = &scene->machine, .job = &job, .traffic = &scene->window, .seed = 7};
	struct constraint_job jobs[2] = {{scene->nodes_of[0], scene->n_of[0]},
					 {scene->nodes_of[1], scene->n_of[1]}};
	struct constraint_case job_case = {
		.io = {.wanted = io_nodes}, .running = jobs, .nrunning = 2};
	int_vec nodes = {0}, points = {0}, again = {0};
	struct buf reason = {0};
	int nidle = scene->machine.nidle, status;
	struct err err;

	status = constraint_list_choose(&scene->list, alloc, &request, &job_case, &nodes, &points,
					&reason, &err);
	if (status < 0)
		printf("%s: %s\n", what, err.msg);
	CHECK(status >= 0);
	CHECK_INT(scene->machine.nidle, nidle - (status == 1 ? wanted : 0));
	CHECK(status == 1 || reason.n > 0); /* a job that waits knows why */
	CHECK_INT((int64_t)points.n, status == 1 ? io_nodes : 0);
	if (status == 1) {
		scene->nplaced++;
		check_nodes(scene, &nodes, wanted);
		judge(scene, &nodes, &points, what);
	}
	machine_undo(&scene->machine, 0);
	CHECK_INT(constraint_list_choose(&scene->list, alloc, &request, &job_case, &again, &points,
					 &reason, &err),
		  status);
	CHECK(again.n == nodes.n &&
	      (nodes.n == 0 || memcmp(again.at, nodes.at, nodes.n * sizeof(int)) == 0));
	machine_undo(&scene->machine, 0);
	free(nodes.at);
	free(points.at);
	free(again.at);
	buf_free(&reason);
}

/* Every policy that opens here: some want groups. */
static void try_policies(struct scene *scene, const char *what)
{
	static const int sizes[] = {1, 2, 3, 4, 6, 8, 9, 12};

	for (int p = 0; p < alloc_policies.n; p++) {
		const char *example = alloc_policies.entries[p]->example;
		struct alloc alloc;
		struct pick pick;
		struct err err;
		char text[128];

		if (strncmp(example, "file", 4) == 0)
			continue;
		CHECK(pick_parse(&pick, &alloc_policies, example, &err) == 0);
		if (alloc_open(&alloc, &pick, scene->topo, false, &err) == 0) {
			alloc_restart(&alloc);
			snprintf(text, sizeof(text), "%s %s %s", scene->topo->source, what,
				 example);
			for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
				if (sizes[i] <= scene->machine.nidle)
					try(scene, &alloc, sizes[i],
					    scene->list.space.npoints > 0 ? (int)i % 3 : 0, text);
			alloc_close(&alloc);
		}
		pick_free(&pick);
	}
}

static void check(const char *spec, const char *io, bool is_separate, const char *constraint)
{
	struct rng rng = rng_make(1, "scenes", spec, constraint);
	struct scene scene = {.topo = machine_with_io(spec, io, is_separate)};
	size_t n = (size_t)scene.topo->nnodes, nrouters = (size_t)scene.topo->nrouters;
	struct pick pick;
	struct err err;

	write_permitted(scene.topo);
	/* some constraints say nothing on some machines, and say so */
	if (constraint_list_open(&scene.list, scene.topo, &constraint, 1, NULL, NULL, &err) != 0) {
		CHECK(strstr(err.msg, "connected") != NULL);
		topo_free(scene.topo);
		return;
	}
	CHECK(routing_open(&scene.routing, scene.topo, NULL, &err) == 0);
	CHECK(geometry_open(&scene.geometry, scene.topo, scene.routing, NULL, &err) == 0);
	CHECK(pick_parse(&pick, &checkers, constraint, &err) == 0);
	CHECK(checker_open(&scene.checker, &pick, &scene.geometry, &err) == 0);
	scene.was_idle = xcalloc(n, sizeof(bool));
	scene.nodes_of[0] = xcalloc(n, sizeof(int));
	scene.nodes_of[1] = xcalloc(n, sizeof(int));
	scene.window.traffic = xcalloc(nrouters, sizeof(double));
	scene.window.stall = xcalloc(nrouters, sizeof(double));
	for (int state = 0; state < STATES; state++) {
		set_state(&scene, &rng, state * 2);
		try_policies(&scene, constraint);
		machine_free(&scene.machine);
	}
	if (scene.nplaced == 0)
		printf("%s %s: nothing was ever placed\n", spec, constraint);
	CHECK(scene.nplaced > 0);
	checker_close(&scene.checker);
	pick_free(&pick);
	geometry_close(&scene.geometry);
	routing_close(scene.routing);
	constraint_list_close(&scene.list);
	topo_free(scene.topo);
	free(scene.was_idle);
	free(scene.nodes_of[0]);
	free(scene.nodes_of[1]);
	free(scene.window.traffic);
	free(scene.window.stall);
}

int main(void)
{
	static const struct {
		const char *spec, *io;
		bool is_separate;
	} machines[] = {
		{"line:nodes=24", NULL, false},
		{"ring:nodes=20", "n[3,9,15]", true},
		{"mesh:dims=6x5", NULL, false},
		{"mesh:dims=6x5", "n[8,9,20]", true},
		{"torus:dims=4x4x2", "n[0,13,21]", false},
		{"hypercube:dims=5", NULL, false},
		{"torus:dims=4x3,per-router=2", NULL, false},
		{"tree:arity=4x3x3", NULL, false},
		{"tree:arity=4x3x3", "n[3,7,30]", true},
		{"fattree:k=3,levels=3", NULL, false},
		{"dragonfly:groups=5,routers=3,nodes=2", NULL, false},
		{"dragonfly:groups=4,routers=4x2,nodes=1", "n[5,30]", true},
		{"complete:nodes=12", NULL, false},
	};
	char file[64], *texts[] = {"clusters",   "clusters:size=4",
				   "compact",    "connected",
				   "contiguous", "contiguous:order=hilbert",
				   "convex",     "linkdisjoint",
				   "local",      "proximate",
				   file};
	int fd = mkstemp(permitted);

	CHECK(fd >= 0);
	close(fd);
	snprintf(file, sizeof(file), "file:path=%s", permitted);
	for (size_t m = 0; m < sizeof(machines) / sizeof(*machines); m++)
		for (size_t c = 0; c < sizeof(texts) / sizeof(*texts); c++)
			if (strcmp(texts[c], "contiguous:order=hilbert") != 0 ||
			    strncmp(machines[m].spec, "mesh", 4) == 0)
				check(machines[m].spec, machines[m].io, machines[m].is_separate,
				      texts[c]);
	unlink(permitted);
	return check_done();
}
