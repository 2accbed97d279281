/* policies.c - what holds of every policy on every machine, alone and within every constraint, in
 * random states: as many nodes as asked for, idle ones, none twice, the constraint kept by the
 * check that placecheck makes (which shares no code with what looks for nodes), the same by the
 * same seed, and a reason for whoever waits */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "place/constraint/constraint_list.h"
#include "measure/checker/geometry.h"
#include "machine/load.h"
#include "check.h"

enum { RUNNING = 2, ROUNDS = 5 };

static char permitted[] = "/tmp/policies-XXXXXX";

/* A machine in a state, with jobs that run on it. */
struct scene {
	struct topo *topo;
	struct routing *routing;
	struct geometry geometry;
	struct machine machine;
	struct traffic_window window;
	int_vec running[RUNNING];
	const char *spec;
};

static void die_of(const char *what, const struct err *err)
{
	printf("%s: %s\n", what, err->msg);
	exit(1);
}

static void start(struct scene *scene, const char *spec)
{
	struct err err;

	*scene = (struct scene){.spec = spec};
	if (topo_load(&scene->topo, spec, &err) != 0 ||
	    routing_open(&scene->routing, scene->topo, NULL, &err) != 0 ||
	    geometry_open(&scene->geometry, scene->topo, scene->routing, NULL, &err) != 0)
		die_of(spec, &err);
	machine_init(&scene->machine, scene->topo);
	scene->window.traffic = xcalloc((size_t)scene->topo->nrouters, sizeof(double));
	scene->window.stall = xcalloc((size_t)scene->topo->nrouters, sizeof(double));
}

static void stop(struct scene *scene)
{
	for (int i = 0; i < RUNNING; i++)
		free(scene->running[i].at);
	free(scene->window.traffic);
	free(scene->window.stall);
	machine_free(&scene->machine);
	geometry_close(&scene->geometry);
	routing_close(scene->routing);
	topo_free(scene->topo);
}

/* Busy nodes at random, some of them of jobs that run. */
static void shake(struct scene *scene, struct rng *rng)
{
	uint64_t busy = rng_below(rng, 80);
	int n = scene->topo->nnodes;

	for (int i = 0; i < RUNNING; i++)
		scene->running[i].n = 0;
	for (int node = 0; node < n; node++) {
		bool idle = rng_below(rng, 100) >= busy || node == n / 2;
		uint64_t job = rng_below(rng, RUNNING + 1);

		if (idle && !machine_is_idle(&scene->machine, node))
			machine_release(&scene->machine, node);
		if (!idle && machine_is_idle(&scene->machine, node))
			machine_take(&scene->machine, node);
		if (!idle && job < RUNNING)
			vec_push(&scene->running[job], node);
	}
	machine_forget(&scene->machine);
	for (int r = 0; r < scene->topo->nrouters; r++) {
		scene->window.traffic[r] = (double)rng_below(rng, 5);
		scene->window.stall[r] = (double)rng_below(rng, 5);
	}
}

/* ---- one policy, perhaps within a constraint ---- */

struct trial {
	struct scene *scene;
	const char *policy, *constraint; /* constraint NULL: none */
	struct pick pick;
	struct alloc alloc;
	struct constraint_list list;
	struct checker checker;
	struct pick check_pick;
	struct traffic_window *window; /* a copy of its own: orders are kept with a window */
	int nplaced;
};

/* False: the policy or the constraint says nothing on this machine, and says so. */
static bool open_trial(struct trial *trial)
{
	struct scene *scene = trial->scene;
	struct err err = {{0}};

	if (pick_parse(&trial->pick, &alloc_policies, trial->policy, &err) != 0)
		die_of(trial->policy, &err);
	if (alloc_open(&trial->alloc, &trial->pick, scene->topo, false, &err) != 0) {
		CHECK(strstr(err.msg, "are in no groups") != NULL ||
		      strstr(err.msg, strerror(ENOENT)) != NULL); /* a file of its example */
		pick_free(&trial->pick);
		return false;
	}
	if (trial->constraint == NULL)
		return true;
	if (constraint_list_open(&trial->list, scene->topo, &trial->constraint, 1, NULL, NULL,
				 &err) == 0) {
		if (pick_parse(&trial->check_pick, &checkers, trial->constraint, &err) != 0 ||
		    checker_open(&trial->checker, &trial->check_pick, &scene->geometry, &err) != 0)
			die_of(trial->constraint, &err);
		return true;
	}
	/* what is refused there is refused here */
	CHECK(err.msg[0] != '\0');
	CHECK_INT(pick_parse(&trial->check_pick, &checkers, trial->constraint, &err), 0);
	CHECK_INT(checker_open(&trial->checker, &trial->check_pick, &scene->geometry, &err), -1);
	pick_free(&trial->check_pick);
	alloc_close(&trial->alloc);
	pick_free(&trial->pick);
	return false;
}

static void close_trial(struct trial *trial)
{
	alloc_close(&trial->alloc);
	pick_free(&trial->pick);
	if (trial->constraint == NULL)
		return;
	checker_close(&trial->checker);
	pick_free(&trial->check_pick);
	constraint_list_close(&trial->list);
}

static int choose(struct trial *trial, int n, uint64_t seed, int_vec *nodes, struct buf *reason)
{
	struct scene *scene = trial->scene;
	struct job job = {.name = "j", .nnodes = n, .class = JOB_SENSITIVE, .sensitivity = 0.5};
	struct alloc_request request = {
		.machine = &scene->machine, .job = &job, .seed = seed, .traffic = trial->window};
	struct constraint_job jobs[RUNNING];
	struct constraint_case job_case = {.running = jobs, .nrunning = RUNNING};
	int_vec points = {0};
	struct err err = {{0}};
	int status;

	for (int i = 0; i < RUNNING; i++)
		jobs[i] = (struct constraint_job){scene->running[i].at, (int)scene->running[i].n};
	status = trial->constraint == NULL
			 ? alloc_choose(&trial->alloc, &request, nodes, reason, &err)
			 : constraint_list_choose(&trial->list, &trial->alloc, &request, &job_case,
						  nodes, &points, reason, &err);
	if (status < 0)
		printf("%s\n", err.msg);
	free(points.at);
	return status;
}

static void say(const struct trial *trial, int n, const char *what)
{
	printf("%s, %s, %s, %d nodes of %d: %s\n", trial->scene->spec, trial->policy,
	       trial->constraint != NULL ? trial->constraint : "no constraint", n,
	       trial->scene->machine.nidle, what);
	check_nfailed++;
}

/* By the check of the constraint; one that does not decide it (a bounded search) has no say. */
static void check_constraint(struct trial *trial, const int_vec *nodes)
{
	struct region region = {.nodes = nodes->at, .n = (int)nodes->n};
	struct buf why = {0};
	enum verdict verdict = VERDICT_HOLDS;

	if (!trial->checker.type->is_of_pairs)
		verdict = checker_check(&trial->checker, &region, &why);
	for (int i = 0; trial->checker.type->is_of_pairs && i < RUNNING; i++) {
		struct region other = {.nodes = trial->scene->running[i].at,
				       .n = (int)trial->scene->running[i].n};

		if (verdict == VERDICT_HOLDS)
			verdict = trial->checker.type->compare(&trial->checker, &other, &region,
							       &why);
	}
	check_ndone++;
	if (verdict == VERDICT_BROKEN)
		say(trial, region.n, buf_text(&why));
	buf_free(&why);
}

static void try_size(struct trial *trial, int n)
{
	struct machine *machine = &trial->scene->machine;
	int nidle = machine->nidle, status;
	bool *was_idle = xcalloc((size_t)machine->nnodes, sizeof(*was_idle));
	struct buf reason = {0}, again_reason = {0};
	int_vec nodes = {0}, again = {0};

	for (int node = 0; node < machine->nnodes; node++)
		was_idle[node] = machine_is_idle(machine, node);
	status = choose(trial, n, 7, &nodes, &reason);
	CHECK(status == 0 || status == 1);
	CHECK_INT(machine->nidle, nidle - (int)nodes.n);
	if ((int)nodes.n != (status == 1 ? n : 0))
		say(trial, n, "another number of nodes");
	if (status == 0 && reason.n == 0)
		say(trial, n, "no reason");
	for (size_t i = 0; i < nodes.n; i++) {
		if (!was_idle[nodes.at[i]])
			say(trial, n, "a node that is not idle, or one twice");
		was_idle[nodes.at[i]] = false;
		CHECK(!machine_is_idle(machine, nodes.at[i]));
	}
	machine_undo(machine, 0);
	CHECK_INT(machine->nidle, nidle);
	if (status == 1 && trial->constraint != NULL)
		check_constraint(trial, &nodes);
	CHECK_INT(choose(trial, n, 7, &again, &again_reason), status);
	machine_undo(machine, 0);
	if (again.n != nodes.n ||
	    (nodes.n > 0 && memcmp(again.at, nodes.at, nodes.n * sizeof(*nodes.at)) != 0) ||
	    strcmp(buf_text(&reason), buf_text(&again_reason)) != 0)
		say(trial, n, "another answer at the second time");
	trial->nplaced += status;
	free(was_idle);
	free(nodes.at);
	free(again.at);
	buf_free(&reason);
	buf_free(&again_reason);
}

static int check_trial(struct scene *scene, const char *policy, const char *constraint)
{
	struct trial trial = {.scene = scene, .policy = policy, .constraint = constraint};
	struct rng rng = rng_make(1, scene->spec, policy, constraint);

	if (!open_trial(&trial))
		return -1;
	for (int round = 0; round < ROUNDS; round++) {
		int nidle;

		shake(scene, &rng);
		trial.window = xmalloc(sizeof(*trial.window));
		*trial.window = scene->window;
		nidle = scene->machine.nidle;
		try_size(&trial, 1);
		try_size(&trial, 1 + (int)rng_below(&rng, (uint64_t)nidle));
		try_size(&trial, 1 + (int)rng_below(&rng, (uint64_t)(nidle < 6 ? nidle : 6)));
		try_size(&trial, nidle);
		try_size(&trial, nidle + 1); /* waits */
		free(trial.window);
	}
	close_trial(&trial);
	return trial.nplaced;
}

/* Some sets of the machine, as lines of a file. */
static void write_permitted(const struct topo *topo)
{
	FILE *file = fopen(permitted, "w");

	if (file == NULL)
		exit(1);
	for (int n = 1; n <= topo->nnodes; n++)
		for (int first = 0; first + n <= topo->nnodes; first += 2)
			fprintf(file, n > 1 ? "n[%d-%d]\n" : "n%d\n", first, first + n - 1);
	fclose(file);
}

/* Every policy by its example, and these variants. */
static const char *const variants[] = {
	"block",       "block:sizes=[2,4]", "contiguous:fit=best", "fragment", "jokanovic:bug=sst",
	"nedd:smooth", "slurm:fit=first",
};
enum { NVARIANTS = sizeof(variants) / sizeof(*variants) };

static const char *policy_at(int k)
{
	return k < NVARIANTS ? variants[k] : alloc_policies.entries[k - NVARIANTS]->example;
}

static void check_names(void)
{
	/* constraints and their checks have the same names and parameters */
	CHECK_INT(constraints.n, checkers.n);
	for (int i = 0; i < constraints.n; i++) {
		const struct param *a = constraints.entries[i]->params;
		const struct param *b = checkers.entries[i]->params;

		CHECK_TEXT(checkers.entries[i]->name, constraints.entries[i]->name);
		for (; a->key != NULL && b->key != NULL; a++, b++) {
			CHECK_TEXT(b->key, a->key);
			CHECK_INT(b->type, a->type);
		}
		CHECK(a->key == NULL && b->key == NULL);
	}
}

int main(void)
{
	static const char *const machines[] = {
		"line:nodes=14",        "ring:nodes=11",
		"mesh:dims=4x3",        "torus:dims=4x3,per-router=2",
		"hypercube:dims=4",     "tree:arity=3x3x2",
		"fattree:k=2,levels=4", "dragonfly:groups=5,routers=2,nodes=2",
	};
	char from_file[64];
	const char *const names[] = {
		NULL,     "clusters",       "clusters:size=3", "compact", "connected", "contiguous",
		"convex", "convex:literal", "linkdisjoint",    "local",   "proximate", from_file};

	if (mkstemp(permitted) < 0)
		return 1;
	snprintf(from_file, sizeof(from_file), "file:path=%s", permitted);
	check_names();
	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
		struct scene scene;

		start(&scene, machines[m]);
		write_permitted(scene.topo);
		for (size_t c = 0; c < sizeof(names) / sizeof(names[0]); c++) {
			int nplaced = 0, nopened = 0;

			for (int p = 0; p < NVARIANTS + alloc_policies.n; p++) {
				int n = check_trial(&scene, policy_at(p), names[c]);

				nplaced += n > 0 ? n : 0;
				nopened += n >= 0;
			}
			CHECK(nopened == 0 || nplaced > 0);
		}
		stop(&scene);
	}
	unlink(permitted);
	return check_done();
}
