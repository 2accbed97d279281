/* night_limits.c - what the limits that jobs ask of the network cost them and others in waiting */
#include "report/night_limits.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/str.h"
#include "model/kinds.h"
#include "place/place.h"
#include "report/night_asks.h"
#include "report/night_eval.h"
#include "report/night_measure.h"

/* With the limits, and without. */
enum { WITH, WITHOUT, RUNS };

struct replaying {
	const struct night *night;
	const struct night_options *options;
	int64_t *starts[RUNS]; /* [jobs] JOB_NO_TIME: none */
};

static const struct table_kind *const jobs_only[] = {&kind_jobs, NULL};

static bool is_limit(const char *column)
{
	static const char *const limits[] = {"leaf_switches",  "switch_wait_s", "segment",
					     "exclusive_topo", "within",        "slices",
					     "spread",         "balance",       "together"};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (str_eq(column, limits[i]))
			return true;
	return false;
}

static int copy_rows(struct table_in *in, struct table_out *table, struct err *err)
{
	int n = table_ncolumns(in), *to = xmalloc(((size_t)n + 1) * sizeof(*to)), status;
	struct row row;

	for (int i = 0; i < n; i++)
		to[i] = is_limit(table_column(in, i))
				? -1
				: table_out_column(table, table_column(in, i));
	while ((status = table_next(in, &row, err)) == 1) {
		for (int i = 0; i < n; i++)
			if (to[i] >= 0)
				table_out_text(table, to[i], row_text(&row, i));
		table_out_emit(table);
	}
	free(to);
	return status;
}

/* The jobs without what they ask of the network. */
static int write_free(char **paths, const char *path, struct err *err)
{
	struct table_out *table;
	struct table_in *in;
	struct out *out;
	int status;

	if (table_open(&in, jobs_only, paths, true, err) != 0)
		return -1;
	if (out_open(&out, path, NULL, err) != 0) {
		table_close(in);
		return -1;
	}
	table = table_out_new(out, &kind_jobs);
	status = copy_rows(in, table, err);
	table_out_end(table, status == 0);
	table_close(in);
	return out_close(out, status == 0, status == 0 ? err : &(struct err){0}) != 0 ? -1 : status;
}

/* When the jobs of a replay started. */
static int read_starts(struct replaying *replaying, const char *path, int64_t *starts,
		       struct err *err)
{
	const struct night *night = replaying->night;
	char *paths[] = {(char *)path, NULL};
	int job, policy, start, status;
	struct table_in *in;
	struct row row;

	if (table_open(&in, jobs_only, paths, true, err) != 0)
		return -1;
	job = table_find(in, "job");
	policy = table_find(in, "policy");
	start = table_find(in, "start_s");
	while ((status = table_next(in, &row, err)) == 1) {
		const char *by = row_text(&row, policy), *name = row_text(&row, job);
		const struct night_job *of = name != NULL ? night_first_of(night, name) : NULL;
		int64_t ns = JOB_NO_TIME;

		if (of == NULL || by == NULL || str_eq(by, JOB_RECORDED))
			continue;
		if (row_seconds(&row, start, "start_s", &ns, err) < 0) {
			status = -1;
			break;
		}
		starts[of - night->jobs.at] = ns;
	}
	table_close(in);
	return status;
}

static int replay(struct replaying *replaying, char **paths, int64_t *starts, struct err *err)
{
	const struct night *night = replaying->night;
	struct run_context run = *replaying->options->context;
	char *nodes[] = {(char *)night_nodes_path(night), NULL}, *path = night_temporary(err);
	struct allocate_options how = {.policy = replaying->options->replay,
				       .queue = "easy",
				       .at_ns = JOB_NO_TIME,
				       .replays = true};
	struct allocate_result result;
	bool was_quiet;
	int status;

	if (path == NULL)
		return -1;
	how.nodes = nodes[0] != NULL ? nodes : NULL;
	run.output = path;
	run.topology = night->topo->source;
	run.accepts_partial = true;
	/* what a replay does not look at is no news of the night */
	was_quiet = die_set_quiet(true);
	status = allocate_stream(&run, &how, paths, &result, err);
	die_set_quiet(was_quiet);
	if (status == 0)
		status = read_starts(replaying, path, starts, err);
	unlink(path);
	free(path);
	return status;
}

static int replay_both(struct replaying *replaying, struct err *err)
{
	char **paths = night_job_paths(replaying->night, false), *path = night_temporary(err);
	char *without[] = {path, NULL};
	int status = path == NULL ? -1 : write_free(paths, path, err);

	if (status == 0)
		status = replay(replaying, paths, replaying->starts[WITH], err);
	if (status == 0)
		status = replay(replaying, without, replaying->starts[WITHOUT], err);
	if (path != NULL)
		unlink(path);
	free(path);
	free(paths);
	return status;
}

/* ---- what it cost ---- */

static int by_number(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Times in order, and the sum of those before each. */
struct times {
	VEC(int64_t) at;
	double *sums; /* [at.n + 1] in nanoseconds */
};

static void times_sort(struct times *times)
{
	if (times->at.n > 1)
		qsort(times->at.at, times->at.n, sizeof(int64_t), by_number);
	times->sums = xcalloc(times->at.n + 1, sizeof(double));
	for (size_t i = 0; i < times->at.n; i++)
		times->sums[i + 1] = times->sums[i] + (double)times->at.at[i];
}

/* The sum of t less each time before t. */
static double times_since(const struct times *times, int64_t t)
{
	size_t low = 0, high = times->at.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (times->at.at[middle] < t)
			low = middle + 1;
		else
			high = middle;
	}
	return (double)low * (double)t - times->sums[low];
}

static int64_t clip(const struct night *night, int64_t ns)
{
	return ns == JOB_NO_TIME || ns > night->until_ns ? night->until_ns
	       : ns < night->since_ns                    ? night->since_ns
							 : ns;
}

/* From its submission to its start of a run, within the window. */
static int64_t waited(const struct replaying *replaying, size_t job, int of)
{
	const struct night *night = replaying->night;

	return clip(night, replaying->starts[of][job]) - clip(night, night->jobs.at[job].submit_ns);
}

static bool takes_part(const struct night_job *job)
{
	return job->group == 0 && !job->is_counted && job->phase != NIGHT_WITHDRAWN &&
	       job->submit_ns != JOB_NO_TIME;
}

static int by_others(const void *a, const void *b)
{
	const struct night_limit *x = a, *y = b;

	if (x->others_ns != y->others_ns)
		return x->others_ns < y->others_ns ? 1 : -1;
	if (x->later_ns != y->later_ns)
		return x->later_ns < y->later_ns ? 1 : -1;
	return (x->job > y->job) - (x->job < y->job);
}

static void find_worst(const struct replaying *replaying, struct night_limits *limits)
{
	const struct night *night = replaying->night;
	struct times from = {0}, to = {0};

	/* who started later waits longer from one start to the other */
	for (size_t i = 0; i < night->jobs.n; i++) {
		if (!takes_part(&night->jobs.at[i]))
			continue;
		limits->with_ns += waited(replaying, i, WITH);
		limits->without_ns += waited(replaying, i, WITHOUT);
		if (waited(replaying, i, WITH) <= waited(replaying, i, WITHOUT))
			continue;
		vec_push(&from.at, clip(night, replaying->starts[WITHOUT][i]));
		vec_push(&to.at, clip(night, replaying->starts[WITH][i]));
	}
	times_sort(&from);
	times_sort(&to);
	for (size_t i = 0; i < night->jobs.n; i++) {
		int64_t first, last;
		double all;

		if (!takes_part(&night->jobs.at[i]) ||
		    (night->jobs.at[i].asks & NIGHT_ASKS_NETWORK) == 0)
			continue;
		first = clip(night, replaying->starts[WITHOUT][i]);
		last = clip(night, replaying->starts[WITH][i]);
		if (last <= first)
			continue;
		all = times_since(&from, last) - times_since(&from, first) -
		      (times_since(&to, last) - times_since(&to, first));
		vec_push(&limits->worst,
			 (struct night_limit){(int)i, last - first,
					      (int64_t)(all + 0.5) - (last - first)});
	}
	if (limits->worst.n > 1)
		qsort(limits->worst.at, limits->worst.n, sizeof(*limits->worst.at), by_others);
	vec_free(&from.at);
	vec_free(&to.at);
	free(from.sums);
	free(to.sums);
}

int night_limits_find(const struct night *night, const struct night_options *options,
		      struct night_limits *limits, struct err *err)
{
	struct replaying replaying = {.night = night, .options = options};
	int status;

	*limits = (struct night_limits){0};
	if (options->replay == NULL || night->topo == NULL || night->policies.n != 1 ||
	    !str_eq(night->policies.at[0], JOB_RECORDED))
		return 0;
	for (size_t i = 0; i < night->jobs.n; i++)
		limits->njobs += takes_part(&night->jobs.at[i]) &&
				 (night->jobs.at[i].asks & NIGHT_ASKS_NETWORK) != 0;
	if (limits->njobs == 0)
		return 0;
	for (int run = 0; run < RUNS; run++) {
		replaying.starts[run] = xmalloc(night->jobs.n * sizeof(int64_t));
		for (size_t i = 0; i < night->jobs.n; i++)
			replaying.starts[run][i] = JOB_NO_TIME;
	}
	status = replay_both(&replaying, err);
	if (status == 0)
		find_worst(&replaying, limits);
	for (int run = 0; run < RUNS; run++)
		free(replaying.starts[run]);
	if (status == 0 || options->context->is_strict)
		return status;
	warn("--replay: %s", err->msg);
	limits->failure = xstrdup(err->msg);
	return 0;
}

void night_limits_free(struct night_limits *limits)
{
	vec_free(&limits->worst);
	free(limits->failure);
}
