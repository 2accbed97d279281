/* allocbench.c - CPU time of allocation decisions, for tests/bench/allocate.sh */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "place/policy/policy.h"
#include "machine/load.h"
#include "base/die.h"
#include "base/num.h"

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A window in which one router in ten was not seen. */
static void make_window(struct traffic_window *window, const struct topo *topo)
{
	struct rng rng = rng_make(1, "window", NULL, NULL);
	size_t n = (size_t)topo->nrouters;

	*window = (struct traffic_window){.traffic = xcalloc(n, sizeof(double)),
					  .stall = xcalloc(n, sizeof(double))};
	for (size_t r = 0; r < n; r++) {
		bool seen = rng_below(&rng, 10) > 0;

		window->traffic[r] = seen ? rng_unit(&rng) * 1e8 : NAN;
		window->stall[r] = seen ? rng_unit(&rng) * 1e6 : NAN;
	}
}

struct bench {
	struct topo *topo;
	struct machine machine;
	struct alloc alloc;
	struct traffic_window windows[2];
	int_vec nodes;
	struct buf reason;
};

/* Returns whether the job was placed. */
static bool choose(struct bench *bench, const char *name, int nnodes, int window)
{
	struct job job = {
		.name = name, .nnodes = nnodes, .class = JOB_SENSITIVE, .sensitivity = 0.5};
	struct alloc_request request = {.machine = &bench->machine,
					.job = &job,
					.seed = 1,
					.traffic = &bench->windows[window]};
	struct err err = {0};
	int status = alloc_choose(&bench->alloc, &request, &bench->nodes, &bench->reason, &err);

	if (status < 0)
		die("%s: %s", bench->alloc.policy->entry.name, err.msg);
	return status == 1;
}

/* Milliseconds of one decision: the first one after a new window, and the mean of the next ones. */
static void decisions(struct bench *bench, int nnodes)
{
	enum { REPEATS = 50 };
	double start = cpu_s(), first;

	for (int i = 0; i < REPEATS; i++) {
		size_t mark = machine_mark(&bench->machine);

		choose(bench, "job", nnodes, i & 1);
		machine_undo(&bench->machine, mark);
	}
	first = (cpu_s() - start) / REPEATS;
	start = cpu_s();
	for (int i = 0; i < REPEATS; i++) {
		size_t mark = machine_mark(&bench->machine);

		choose(bench, "job", nnodes, 0);
		machine_undo(&bench->machine, mark);
	}
	printf("\t%.3f\t%.3f", first * 1e3, (cpu_s() - start) / REPEATS * 1e3);
}

/* Jobs a second, and how many of 100 waited: the machine is filled in label order up to the load,
 * then one job after the other ends and the policy places a new one. */
static void throughput(struct bench *bench, int nnodes, int load_percent)
{
	enum { JOBS = 200000, CHUNK = 1000 };
	int njobs = (int)((int64_t)bench->machine.nidle * load_percent / 100 / nnodes), ndone = 0;
	int nwaiting = 0;
	int *held = xcalloc((size_t)njobs * (size_t)nnodes, sizeof(*held));
	struct rng rng = rng_make(1, "which", NULL, NULL);
	double start, passed = 0;

	for (int i = 0; i < njobs * nnodes; i++)
		machine_take(&bench->machine, held[i] = i);
	machine_forget(&bench->machine);
	start = cpu_s();
	while (ndone < JOBS && passed < 2) {
		for (int i = 0; i < CHUNK; i++) {
			int *at = held + rng_below(&rng, (uint64_t)njobs) * (uint64_t)nnodes;
			char name[16];

			snprintf(name, sizeof(name), "%d", i);
			machine_release_all(&bench->machine, at, (size_t)nnodes);
			if (choose(bench, name, nnodes, 0)) {
				memcpy(at, bench->nodes.at, (size_t)nnodes * sizeof(*at));
			} else { /* the one that ended goes on */
				machine_take_all(&bench->machine, at, (size_t)nnodes);
				nwaiting++;
			}
			machine_forget(&bench->machine);
		}
		ndone += CHUNK;
		passed = cpu_s() - start;
	}
	printf("\t%.0f\t%.0f", ndone / passed, 100.0 * nwaiting / ndone);
	free(held);
}

/* allocbench decide|pass TOPOLOGY NODES PERCENT POLICY */
int main(int argc, char **argv)
{
	struct bench bench = {0};
	struct rng rng = rng_make(1, "busy", NULL, NULL);
	struct pick pick;
	int64_t nnodes, percent;
	struct err err;

	die_set_name("allocbench");
	if (argc != 6 || num_int(argv[3], 1, INT32_MAX, &nnodes) != 0 ||
	    num_int(argv[4], 1, 100, &percent) != 0)
		die("expected decide|pass TOPOLOGY NODES PERCENT POLICY");
	if (topo_load(&bench.topo, argv[2], &err) != 0 ||
	    pick_parse(&pick, &alloc_policies, argv[5], &err) != 0 ||
	    alloc_open(&bench.alloc, &pick, bench.topo, false, &err) != 0)
		die("%s", err.msg);
	machine_init(&bench.machine, bench.topo);
	make_window(&bench.windows[0], bench.topo);
	make_window(&bench.windows[1], bench.topo);
	printf("%s", argv[5]);
	if (argv[1][0] == 'd') {
		for (int node = 0; node < bench.topo->nnodes; node++)
			if (rng_below(&rng, 100) < (uint64_t)percent)
				machine_take(&bench.machine, node);
		machine_forget(&bench.machine);
		decisions(&bench, (int)nnodes);
	} else {
		throughput(&bench, (int)nnodes, (int)percent);
	}
	putchar('\n');
	alloc_close(&bench.alloc);
	pick_free(&pick);
	for (int i = 0; i < 2; i++) {
		free(bench.windows[i].traffic);
		free(bench.windows[i].stall);
	}
	machine_free(&bench.machine);
	topo_free(bench.topo);
	free(bench.nodes.at);
	buf_free(&bench.reason);
	return 0;
}
