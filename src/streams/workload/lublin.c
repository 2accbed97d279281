/* lublin.c - jobs as the workload model of Lublin and Feitelson makes them */
#include "workload/lublin.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "workload/workload.h"
#include "base/mem.h"
#include "base/rng.h"
#include "model/kinds.h"

static const struct param params[] = {
	{.key = "jobs",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 100000000,
	 .def = "10000",
	 .meaning = "number of jobs"},
	{.key = "load",
	 .type = PARAM_REAL,
	 .min = 1e-6,
	 .max = 100,
	 .optional = true,
	 .meaning = "offered load: arrivals are stretched until node-seconds divided by "
		    "(nodes times last arrival) is this; default: the model's"},
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 26,
	 .optional = true,
	 .unit = "nodes",
	 .meaning = "size of the machine; default: the topology's"},
	{.key = "types",
	 .type = PARAM_BOOL,
	 .def = "yes",
	 .meaning = "yes: batch and interactive jobs with separate parameters; no: "
		    "parameters fitted to all jobs"},
	{.key = "overestimate",
	 .type = PARAM_REAL,
	 .min = 1,
	 .max = 1000,
	 .def = "1",
	 .meaning = "the walltime is the runtime times a random number from 1 to this"},
	{.key = "runs",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1000000,
	 .optional = true,
	 .meaning = "independent repetitions, with a column run"},
	{0}};

struct lublin_job {
	double submit_s;
	int64_t runtime_s;
	int nodes;
	bool is_batch;
};

struct lublin_run {
	const struct pick *pick;
	char name[24];
	uint64_t seed;
	int nodes;
	bool has_types;
	struct lublin_job *jobs; /* [njobs] */
	int64_t njobs;
};

static void draw_run(struct lublin_run *run)
{
	struct lublin_arrivals kinds[2]; /* interactive, batch */
	double next[2];
	const struct lublin_kind *of[2] = {run->has_types ? &lublin_interactive : &lublin_all,
					   &lublin_batch};

	for (int k = 0; k < 2; k++) {
		lublin_arrivals_open(
			&kinds[k], of[k],
			rng_make(run->seed, "lublin-arrivals", run->name, of[k]->name));
		next[k] = k == 0 || run->has_types ? lublin_next(&kinds[k]) : INFINITY;
	}
	for (int64_t i = 0; i < run->njobs; i++) {
		struct lublin_job *job = &run->jobs[i];
		char number[24];
		struct rng rng;

		snprintf(number, sizeof(number), "%" PRId64, i + 1);
		rng = rng_make(run->seed, "lublin-job", run->name, number);
		job->is_batch = next[1] < next[0];
		job->submit_s = next[job->is_batch];
		next[job->is_batch] = lublin_next(&kinds[job->is_batch]);
		job->nodes = lublin_size(of[job->is_batch], run->nodes, &rng);
		job->runtime_s = lublin_runtime(of[job->is_batch], job->nodes, &rng);
	}
}

static void stretch(struct lublin_run *run, double load)
{
	double node_seconds = 0, factor;

	for (int64_t i = 0; i < run->njobs; i++)
		node_seconds += (double)run->jobs[i].runtime_s * run->jobs[i].nodes;
	factor = node_seconds / load / run->nodes / run->jobs[run->njobs - 1].submit_s;
	for (int64_t i = 0; i < run->njobs; i++)
		run->jobs[i].submit_s *= factor;
}

static void write_run(const struct lublin_run *run, struct table_out *table)
{
	double overestimate = pick_real(run->pick, "overestimate");

	for (int64_t i = 0; i < run->njobs; i++) {
		const struct lublin_job *job = &run->jobs[i];
		char number[24];
		struct rng rng;
		double times;

		snprintf(number, sizeof(number), "%" PRId64, i + 1);
		rng = rng_make(run->seed, "lublin-walltime", run->name, number);
		times = 1 + rng_unit(&rng) * (overestimate - 1);
		if (pick_has(run->pick, "runs"))
			table_out_text(table, table_out_column(table, "run"), run->name);
		table_out_int(table, table_out_column(table, "job"), i + 1);
		table_out_int(table, table_out_column(table, "nodes"), job->nodes);
		table_out_int(table, table_out_column(table, "submit_s"),
			      (int64_t)floor(job->submit_s));
		table_out_int(table, table_out_column(table, "runtime_s"), job->runtime_s);
		table_out_int(table, table_out_column(table, "walltime_s"),
			      (int64_t)ceil((double)job->runtime_s * times));
		if (run->has_types)
			table_out_text(table, table_out_column(table, "queue"),
				       job->is_batch ? "batch" : "interactive");
		table_out_emit(table);
	}
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	struct lublin_run run = {.pick = pick,
				 .seed = input->seed,
				 .has_types = pick_bool(pick, "types"),
				 .njobs = pick_int(pick, "jobs")};
	int64_t nruns = pick_has(pick, "runs") ? pick_int(pick, "runs") : 1;
	struct table_out *table;

	if (!pick_has(pick, "nodes") && input->topo == NULL)
		return err_set(err, "lublin: how large is the machine? -t or nodes= is needed");
	run.nodes = pick_has(pick, "nodes") ? (int)pick_int(pick, "nodes") : input->topo->nnodes;
	table = table_out_new(input->out, &kind_jobs);
	workload_record(input, table);
	run.jobs = xcalloc((size_t)run.njobs, sizeof(*run.jobs));
	for (int64_t i = 1; i <= nruns; i++) {
		snprintf(run.name, sizeof(run.name), "%" PRId64, i);
		draw_run(&run);
		if (pick_has(pick, "load"))
			stretch(&run, pick_real(pick, "load"));
		write_run(&run, table);
	}
	table_out_end(table, true);
	free(run.jobs);
	return 0;
}

const struct workload workload_lublin = {
	.entry = {.name = "lublin",
		  .example = "lublin:jobs=20,nodes=64,load=.85",
		  .summary = "jobs with the sizes, running times and daily cycle of "
			     "arrivals found in logs of supercomputers",
		  .paper = "Lublin, Feitelson: The workload on parallel "
			   "supercomputers, JPDC 63, 2003",
		  .params = params},
	.write = write,
};
