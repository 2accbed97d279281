/* cosched.c - the workloads of Khetawat's dissertation: jobs that share a node's devices */
#include "workload/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/explog.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/str.h"
#include "formats/table.h"
#include "model/kinds.h"

/* Table 4.1; spmv is of 2^N, xsbench of N lookups. The first eight are the applications of
 * workload 4. */
static const struct kind_of_job {
	const char *app, *size;
} table_4_1[] = {
	{"mandelbrot", "2048"},  {"mandelbrot", "4096"}, {"mandelbrot", "8192"},
	{"mandelbrot", "16384"}, {"gemm", "4096"},       {"gemm", "8192"},
	{"gemm", "16384"},       {"gemm", "22400"},      {"spmv", "28"},
	{"spmv", "29"},          {"spmv", "30"},         {"spmv", "31"},
	{"xsbench", "16M"},      {"xsbench", "32M"},     {"xsbench", "64M"},
};
enum { ALL = 15, TWO_APPS = 8, JOBS_OF_W4 = 12 };

static const struct param params[] = {
	{.key = "w",
	 .type = PARAM_WORD,
	 .choices = "1|2|3|4|random",
	 .def = "1",
	 .meaning = "workload of Table 4.2; random: random jobs of Table 4.1"},
	{.key = "runs",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1e9,
	 .def = "1",
	 .meaning = "repetitions, each with new random choices"},
	{.key = "count",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1e9,
	 .def = "15",
	 .unit = "jobs",
	 .meaning = "random: number of jobs"},
	{.key = "iat",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .unit = "s",
	 .meaning = "mean time between two arrivals; default: the workload's"},
	{.key = "iat-max",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .unit = "s",
	 .meaning = "instead of iat: the maximum of a uniform distribution from 0"},
	{.key = "draw",
	 .type = PARAM_WORD,
	 .choices = "uniform|exponential",
	 .def = "uniform",
	 .meaning = "distribution of the times between arrivals; uniform: from 0 to twice"
		    " the mean"},
	{.key = "order",
	 .type = PARAM_WORD,
	 .choices = "random|table",
	 .def = "random",
	 .meaning = "order of the jobs"},
	{.key = "mix",
	 .type = PARAM_TEXT,
	 .def = "twice",
	 .meaning = "workload 4: its 12 jobs: twice (S, M and L of both applications, twice), "
		    "drawn (with replacement), or a "
		    "list such as [gemm:4096,mandelbrot:2048]"},
	{0}};

struct job_list {
	VEC(struct kind_of_job) of;
	char *text; /* what a list of the user points to */
};

/* A list APP:SIZE,… as the user gave it. */
static int read_mix(struct job_list *jobs, const char *text, struct err *err)
{
	size_t n = strlen(text);
	bool is_bracketed = n > 1 && text[0] == '[' && text[n - 1] == ']';

	jobs->text = is_bracketed ? xstrndup(text + 1, n - 2) : xstrdup(text);
	for (char *at = jobs->text; at != NULL;) {
		char *comma = strchr(at, ','), *colon;

		if (comma != NULL)
			*comma++ = '\0';
		colon = strchr(at, ':');
		if (colon == NULL || colon == at || colon[1] == '\0')
			return err_set(err, "cosched: mix: '%s' is not APP:SIZE, as in gemm:4096",
				       at);
		*colon = '\0';
		vec_push(&jobs->of, (struct kind_of_job){at, colon + 1});
		at = comma;
	}
	return 0;
}

/* The jobs of a run, in the order of the table. */
static int list_jobs(struct job_list *jobs, const struct pick *pick, uint64_t seed, const char *run,
		     struct err *err)
{
	const char *w = pick_word(pick, "w"), *mix = pick_word(pick, "mix");
	struct rng rng = rng_make(seed, "cosched jobs", run, NULL);
	int64_t drawn = str_eq(w, "random")    ? pick_int(pick, "count")
			: str_eq(mix, "drawn") ? JOBS_OF_W4
					       : 0;

	jobs->of.n = 0;
	if (str_eq(w, "random") || (str_eq(w, "4") && drawn > 0)) {
		for (int64_t i = 0; i < drawn; i++)
			vec_push(&jobs->of,
				 table_4_1[rng_below(&rng, str_eq(w, "4") ? TWO_APPS : ALL)]);
	} else if (str_eq(w, "4") && str_eq(mix, "twice")) {
		for (int i = 0; i < JOBS_OF_W4; i++)
			vec_push(&jobs->of, table_4_1[i % 6 / 3 * 4 + i % 3]);
	} else if (str_eq(w, "4")) {
		free(jobs->text);
		return read_mix(jobs, mix, err);
	} else {
		for (int i = 0; i < ALL; i++)
			vec_push(&jobs->of, table_4_1[i]);
	}
	return 0;
}

static double mean_gap_s(const struct pick *pick)
{
	static const double means[] = {2.3, 10.5, 23.9, 2.2};
	const char *w = pick_word(pick, "w");

	if (pick_has(pick, "iat-max"))
		return pick_real(pick, "iat-max") / 2;
	if (pick_has(pick, "iat"))
		return pick_real(pick, "iat");
	return str_eq(w, "random") ? means[1] : means[w[0] - '1'];
}

/* Whole milliseconds. */
static int64_t draw_gap_ns(const struct pick *pick, struct rng *rng, double mean_s)
{
	double u = rng_unit(rng);
	double gap_s =
		pick_is(pick, "draw", "uniform") ? 2 * mean_s * u : -mean_s * same_log(1 - u);

	return (int64_t)(gap_s * 1000 + 0.5) * 1000000;
}

static void write_run(const struct pick *pick, struct table_out *table, const struct job_list *jobs,
		      uint64_t seed, const char *run)
{
	struct rng gaps = rng_make(seed, "cosched gaps", run, NULL);
	struct rng order = rng_make(seed, "cosched order", run, NULL);
	int *at = xcalloc(jobs->of.n, sizeof(*at));
	double mean_s = mean_gap_s(pick);
	int64_t now_ns = 0;

	for (size_t i = 0; i < jobs->of.n; i++)
		at[i] = (int)i;
	if (pick_is(pick, "order", "random"))
		rng_shuffle(&order, at, jobs->of.n);
	for (size_t i = 0; i < jobs->of.n; i++) {
		const struct kind_of_job *job = &jobs->of.at[at[i]];

		table_out_text(table, table_out_column(table, "run"), run);
		table_out_int(table, table_out_column(table, "job"), (int64_t)i + 1);
		table_out_int(table, table_out_column(table, "nodes"), 1);
		table_out_seconds(table, table_out_column(table, "submit_s"), now_ns);
		table_out_text(table, table_out_column(table, "app"), job->app);
		table_out_text(table, table_out_column(table, "size"), job->size);
		table_out_emit(table);
		now_ns += draw_gap_ns(pick, &gaps, mean_s);
	}
	free(at);
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	struct table_out *table = table_out_new(input->out, &kind_jobs);
	struct job_list jobs = {0};
	int status = 0;

	workload_record(input, table);
	if (pick_has(pick, "iat") && pick_has(pick, "iat-max"))
		status = err_set(err, "cosched: iat and iat-max say the same thing: give one");
	else if (mean_gap_s(pick) > 1e5)
		status = err_set(err, "cosched: a mean of more than 1e5 s between two arrivals");
	for (int64_t run = 1; run <= pick_int(pick, "runs") && status == 0; run++) {
		char name[32];

		snprintf(name, sizeof(name), "%lld", (long long)run);
		status = list_jobs(&jobs, pick, input->seed, name, err);
		if (status == 0)
			write_run(pick, table, &jobs, input->seed, name);
	}
	table_out_end(table, status == 0);
	vec_free(&jobs.of);
	free(jobs.text);
	return status;
}

const struct workload workload_cosched = {
	.entry = {.name = "cosched",
		  .example = "cosched:w=4,runs=2",
		  .summary = "jobs that share a node's devices, as cosched simulates them",
		  .paper = "Khetawat, dissertation, Tables 4.1 and 4.2",
		  .params = params},
	.write = write,
};
