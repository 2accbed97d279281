/* level_spread.c - the workloads that Level-Spread was judged by */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workload/level_spread.h"
#include "workload/workload.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/kinds.h"

static const struct param params[] = {
	{.key = "sizes",
	 .type = PARAM_TEXT,
	 .def = "16",
	 .unit = "nodes",
	 .meaning = "sizes of the jobs, equally many of each: 16, 64, 16+64, …; quarter: "
		    "four jobs of a quarter of the machine; random: one small and one "
		    "large random size"},
	{.key = "util",
	 .type = PARAM_REAL,
	 .max = 1,
	 .def = "0.9",
	 .meaning = "largest fraction of the machine that all jobs together use"},
	{.key = "count",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 100000000,
	 .optional = true,
	 .meaning = "jobs of each size, instead of util"},
	{.key = "workloads",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 100000000,
	 .def = "1000",
	 .meaning = "number of random workloads"},
	{.key = "reps",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 100000000,
	 .optional = true,
	 .meaning = "repetitions of each workload; default: 10, or 1 of random workloads"},
	{.key = "order",
	 .type = PARAM_WORD,
	 .def = "small",
	 .choices = "small|large",
	 .meaning = "which jobs are placed first"},
	{.key = "draw",
	 .type = PARAM_WORD,
	 .def = "large",
	 .choices = "small|large",
	 .meaning = "random: which number of jobs is chosen first; the other one fills the "
		    "rest"},
	{.key = "patterns",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "one workload for each of a list such as [alltoall,halo2d], or all "
		    "six. Default for random workloads: a random pattern for each size"},
	{.key = "bytes",
	 .type = PARAM_BYTES,
	 .def = "1KiB",
	 .unit = "B",
	 .meaning = "size of a message"},
	{.key = "large-bytes",
	 .type = PARAM_BYTES,
	 .optional = true,
	 .unit = "B",
	 .meaning = "pattern of the jobs of the largest size, if different"},
	{.key = "iterations",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 2147483647,
	 .optional = true,
	 .meaning = "iterations of every pattern; default: 2 of alltoall and fft3d, 10 of"
		    " the others"},
	{.key = "mapping",
	 .type = PARAM_WORD,
	 .def = "random",
	 .choices = "random|in-order",
	 .meaning = "how ranks are placed on the nodes of a job"},
	{0}};

enum study_column {
	RUN,
	WORKLOAD,
	REP,
	JOB,
	NODES,
	SIZE,
	RANKS,
	PATTERN,
	BYTES,
	ITERATIONS,
	MAPPING,
	NCOLUMNS
};
static const char *const column_names[NCOLUMNS] = {
	"run",     "workload", "rep",        "job",    "nodes", "size", "ranks_per_node",
	"pattern", "bytes",    "iterations", "mapping"};

struct study {
	const struct pick *pick;
	struct table_out *table;
	int place[NCOLUMNS];
	int nnodes, group_size;
	uint64_t seed;
};

/* §V-B: two processors a node, one task on each. */
enum { RANKS_PER_NODE = 2 };

static int64_t iterations_of(const struct study *study, const char *pattern)
{
	if (pick_has(study->pick, "iterations"))
		return pick_int(study->pick, "iterations");
	return str_starts(pattern, "alltoall") || str_starts(pattern, "fft3d") ? 2 : 10;
}

static void write_job(const struct study *study, const struct study_workload *workload, int kind,
		      int64_t number)
{
	const struct study_size *size = &workload->sizes[kind];
	bool is_large = workload->nsizes > 1 ? kind == workload->nsizes - 1
					     : size->nodes > study->group_size;
	const char *bytes =
		is_large && pick_has(study->pick, "large-bytes") ? "large-bytes" : "bytes";
	const int *place = study->place;
	struct table_out *table = study->table;

	table_out_int(table, place[JOB], number);
	table_out_int(table, place[NODES], size->nodes);
	table_out_text(table, place[SIZE], is_large ? "large" : "small");
	table_out_int(table, place[RANKS], RANKS_PER_NODE);
	table_out_text(table, place[PATTERN], size->pattern);
	table_out_real(table, place[BYTES], pick_real(study->pick, bytes));
	table_out_int(table, place[ITERATIONS], iterations_of(study, size->pattern));
	table_out_text(table, place[MAPPING], pick_word(study->pick, "mapping"));
}

static void write_workload(const struct study *study, const struct study_workload *workload,
			   int64_t nreps)
{
	bool is_small_first = pick_is(study->pick, "order", "small");
	char run[256];

	for (int64_t rep = 1; rep <= nreps; rep++) {
		int64_t number = 0;

		snprintf(run, sizeof(run), "%s.%" PRId64, workload->name, rep);
		for (int k = 0; k < workload->nsizes; k++) {
			int kind = is_small_first ? k : workload->nsizes - 1 - k;

			for (int i = 0; i < workload->sizes[kind].njobs; i++) {
				table_out_text(study->table, study->place[RUN], run);
				table_out_text(study->table, study->place[WORKLOAD],
					       workload->name);
				table_out_int(study->table, study->place[REP], rep);
				write_job(study, workload, kind, ++number);
				table_out_emit(study->table);
			}
		}
	}
}

/* The jobs that fit, as many of each size: ⌊nodes · util / Σ sizes⌋ (§V-C). */
static int count_jobs(const struct study *study, struct study_workload *workload, bool is_quarter,
		      struct err *err)
{
	int64_t sum = 0, n;

	for (int k = 0; k < workload->nsizes; k++)
		sum += workload->sizes[k].nodes;
	if (sum < 1)
		return err_set(err, "level-spread: a quarter of a machine of %d nodes is not a job",
			       study->nnodes);
	/* the product may fall short of a whole number by its rounding */
	n = (int64_t)(study->nnodes * pick_real(study->pick, "util") / (double)sum + 1e-9);
	if (is_quarter)
		n = 4;
	if (pick_has(study->pick, "count"))
		n = pick_int(study->pick, "count");
	if (n < 1 || n * sum > study->nnodes)
		return err_set(err,
			       "level-spread: %" PRId64 " jobs of each size do not fit a machine "
			       "of %d nodes",
			       n < 1 ? 1 : n, study->nnodes);
	for (int k = 0; k < workload->nsizes; k++)
		workload->sizes[k].njobs = (int)n;
	return 0;
}

static int write_fixed(const struct study *study, const study_patterns *patterns, struct err *err)
{
	const char *sizes = pick_word(study->pick, "sizes");
	int64_t nreps = pick_has(study->pick, "reps") ? pick_int(study->pick, "reps") : 10;
	struct study_workload workload = {0};
	bool is_quarter = str_eq(sizes, "quarter");

	if (is_quarter) {
		workload.nsizes = 1;
		workload.sizes[0].nodes = study->nnodes / 4;
	} else if (study_sizes_parse(&workload, sizes, err) != 0) {
		return -1;
	}
	if (count_jobs(study, &workload, is_quarter, err) != 0)
		return -1;
	for (size_t p = 0; p < patterns->n; p++) {
		for (int k = 0; k < workload.nsizes; k++)
			workload.sizes[k].pattern = patterns->at[p];
		snprintf(workload.name, sizeof(workload.name), "%s.%s", sizes, patterns->at[p]);
		write_workload(study, &workload, nreps);
	}
	return 0;
}

/* One kind of pattern each (100 workloads of each of six, §VI-D), or drawn for each size. */
static int write_random(const struct study *study, const study_patterns *patterns, struct err *err)
{
	int64_t nreps = pick_has(study->pick, "reps") ? pick_int(study->pick, "reps") : 1;
	int64_t nworkloads = pick_int(study->pick, "workloads");
	bool is_mixed = !pick_has(study->pick, "patterns");
	bool is_large_first = pick_is(study->pick, "draw", "large");

	for (size_t p = 0; p < (is_mixed ? 1 : patterns->n); p++)
		for (int64_t i = 1; i <= nworkloads; i++) {
			struct study_workload workload = {0};

			if (study_draw(&workload, study->nnodes, study->group_size, is_large_first,
				       study->seed, i, err) != 0)
				return -1;
			if (is_mixed)
				study_draw_patterns(&workload, patterns, study->seed, i);
			else
				workload.sizes[0].pattern = workload.sizes[1].pattern =
					patterns->at[p];
			snprintf(workload.name, sizeof(workload.name), "random%" PRId64 ".%s", i,
				 is_mixed ? "mixed" : patterns->at[p]);
			write_workload(study, &workload, nreps);
		}
	return 0;
}

/* Nodes of the largest part that a machine nests in: of a group. */
static int group_size(const struct topo *topo)
{
	return topo->nnodes / topo->tiers[topo->ntiers - 1].n;
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	struct study study = {.pick = pick,
			      .table = table_out_new(input->out, &kind_jobs),
			      .nnodes = input->topo->nnodes,
			      .group_size = group_size(input->topo),
			      .seed = input->seed};
	study_patterns patterns = {0};
	int status;

	workload_record(input, study.table);
	for (int i = 0; i < NCOLUMNS; i++)
		study.place[i] = table_out_column(study.table, column_names[i]);
	status = study_patterns_parse(
		&patterns, pick_has(pick, "patterns") ? pick_word(pick, "patterns") : "all", err);
	if (status == 0)
		status = (pick_is(pick, "sizes", "random") ? write_random
							   : write_fixed)(&study, &patterns, err);
	table_out_end(study.table, status == 0);
	study_patterns_free(&patterns);
	return status;
}

const struct workload workload_level_spread = {
	.entry = {.name = "level-spread",
		  .example = "level-spread:sizes=16+64,util=.9,order=large,reps=2",
		  .summary = "jobs that fill a dragonfly as in the Level-Spread study: "
			     "equal jobs, two sizes, or random sizes, numbers and "
			     "patterns",
		  .paper = "Zhang et al., Level-Spread, IPDPS 2018, §V-C and §VI-D",
		  .params = params},
	.needs_topology = true,
	.write = write,
};
