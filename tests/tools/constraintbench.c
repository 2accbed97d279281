/* constraintbench.c - CPU time of decisions under constraints, for tests/bench/constraints.sh */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "place/constraint/constraint_list.h"
#include "machine/load.h"
#include "base/die.h"
#include "base/num.h"

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int64_t number(const char *text)
{
	int64_t value;

	if (num_int(text, 0, INT32_MAX, &value) != 0)
		die("'%s' is no number", text);
	return value;
}

/* Jobs that run. */
struct busy {
	int_vec nodes, first;
	VEC(struct constraint_job) jobs;
};

/* A part of the machine is busy: runs of up to 64 nodes, a job each. */
static void fill(struct machine *machine, int percent, struct busy *busy)
{
	struct rng rng = rng_make(1, "busy", NULL, NULL);
	int wanted = (int)((int64_t)machine->nnodes * percent / 100);

	while (machine->nnodes - machine->nidle < wanted) {
		int node = (int)rng_below(&rng, (uint64_t)machine->nnodes);
		int n = 1 + (int)rng_below(&rng, 64);

		vec_push(&busy->first, (int)busy->nodes.n);
		for (int i = node; i < node + n && i < machine->nnodes; i++)
			if (machine_is_idle(machine, i)) {
				machine_take(machine, i);
				vec_push(&busy->nodes, i);
			}
	}
	vec_push(&busy->first, (int)busy->nodes.n);
	for (size_t i = 0; i + 1 < busy->first.n; i++)
		vec_push(&busy->jobs,
			 (struct constraint_job){&busy->nodes.at[busy->first.at[i]],
						 busy->first.at[i + 1] - busy->first.at[i]});
	machine_forget(machine);
}

struct seen {
	int64_t n;
};

static int count(void *context, const int *nodes, int n)
{
	struct seen *seen = context;

	(void)nodes;
	(void)n;
	seen->n++;
	return 0;
}

/* Milliseconds of a decision (the first one, and the mean of the next), what it said; then all sets
 * that there are within a bound, and milliseconds for them. */
int main(int argc, char **argv)
{
	struct constraint_list list;
	struct topo *topo;
	struct alloc alloc;
	struct pick pick;
	struct machine machine;
	struct job job = {.name = "j"};
	struct alloc_request request = {.machine = &machine, .job = &job, .seed = 1};
	struct constraint_case cause = {0};
	int_vec nodes = {0}, points = {0};
	struct buf reason = {0};
	struct seen seen = {0};
	struct busy busy = {0};
	double first, start, next = 0, all;
	const char *constraint;
	int end, status, repeats = 5;
	struct err err;

	if (argc != 6)
		die("wanted MACHINE NODES PERCENT-BUSY POLICY CONSTRAINT");
	constraint = argv[5];
	job.nnodes = (int)number(argv[2]);
	if (topo_load(&topo, argv[1], &err) != 0 ||
	    pick_parse(&pick, &alloc_policies, argv[4], &err) != 0 ||
	    alloc_open(&alloc, &pick, topo, false, &err) != 0 ||
	    constraint_list_open(&list, topo, &constraint, 1, NULL, NULL, &err) != 0)
		die("%s", err.msg);
	machine_init(&machine, topo);
	fill(&machine, (int)number(argv[3]), &busy);
	cause.running = busy.jobs.at;
	cause.nrunning = (int)busy.jobs.n;
	start = cpu_s();
	status = constraint_list_choose(&list, &alloc, &request, &cause, &nodes, &points, &reason,
					&err);
	first = cpu_s() - start;
	machine_undo(&machine, 0);
	for (int i = 0; i < repeats; i++) {
		start = cpu_s();
		constraint_list_choose(&list, &alloc, &request, &cause, &nodes, &points, &reason,
				       &err);
		next += cpu_s() - start;
		machine_undo(&machine, 0);
	}
	start = cpu_s();
	end = constraint_list_all(&list, &request, &cause, SEARCH_STEPS, count, &seen);
	all = cpu_s() - start;
	printf("%s\t%.2f\t%.2f\t%s\t%lld\t%s\t%.1f\n", constraint, first * 1e3,
	       next / repeats * 1e3, status == 1 ? "placed" : buf_text(&reason), (long long)seen.n,
	       end == SEARCH_ALL ? "all" : "bound", all * 1e3);
	machine_free(&machine);
	constraint_list_close(&list);
	alloc_close(&alloc);
	pick_free(&pick);
	topo_free(topo);
	free(busy.nodes.at);
	free(busy.first.at);
	free(busy.jobs.at);
	free(nodes.at);
	free(points.at);
	buf_free(&reason);
	return 0;
}
