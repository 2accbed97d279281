/* counter_jobs.c - the placed jobs that leave their traces in the counters */
#include <stdlib.h>
#include <string.h>

#include "traffic/counters/counter_samples.h"
#include "base/str.h"

struct job_columns {
	int run, nodelist, intensity, pattern, start, end;
};

static int run_number(struct counter_jobs *jobs, const char *run)
{
	size_t n = strlen(run);
	int64_t at = map_add(&jobs->run_ids, run, n, (int64_t)jobs->runs.n);

	if (at == (int64_t)jobs->runs.n)
		vec_push(&jobs->runs, arena_strndup(&jobs->arena, run, n));
	return (int)at;
}

static int read_times(const struct row *row, const struct job_columns *columns,
		      struct counter_jobs *jobs, struct counter_job *job, struct err *err)
{
	int has_start = row_seconds(row, columns->start, "start_s", &job->start, err);
	int has_end = has_start < 0 ? -1 : row_seconds(row, columns->end, "end_s", &job->end, err);

	if (has_end < 0)
		return -1;
	if (has_start == 0)
		job->start = INT64_MIN;
	else if (jobs->first_start == INT64_MIN || job->start < jobs->first_start)
		jobs->first_start = job->start;
	if (has_end == 0)
		job->end = INT64_MAX;
	else if (job->end > jobs->last_end)
		jobs->last_end = job->end;
	if (job->end < job->start)
		return row_error(row, err, "end_s is before start_s");
	return 0;
}

static int read_job(struct counter_jobs *jobs, const struct row *row,
		    const struct job_columns *columns, const struct topo *topo, double intensity,
		    struct err *err)
{
	const char *list = row_text(row, columns->nodelist), *run = row_text(row, columns->run);
	const char *pattern = row_text(row, columns->pattern);
	struct counter_job job = {.first = (int)jobs->nodes.n, .intensity = intensity};
	struct err why;

	if (list == NULL)
		return 0;
	job.run = run_number(jobs, run != NULL ? run : ".");
	job.is_broadcast = pattern != NULL && str_starts(pattern, "gpcnet-rma-broadcast");
	if (row_real(row, columns->intensity, "intensity", 0, 1e12, &job.intensity, err) < 0 ||
	    read_times(row, columns, jobs, &job, err) != 0)
		return -1;
	if (topo_nodelist_read(topo, list, &jobs->nodes, &why) != 0)
		return row_error(row, err, "nodelist: %s", why.msg);
	job.n = (int)jobs->nodes.n - job.first;
	vec_push(&jobs->jobs, job);
	return 0;
}

struct span {
	int64_t start, end;
	int run;
};

static int by_start(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->run - y->run;
}

/* Runs are separate machines: their counters can follow each other in one file, not mix. */
static int check_runs(const struct counter_jobs *jobs, const struct table_in *in, struct err *err)
{
	struct span *spans = xcalloc(jobs->runs.n, sizeof(*spans));
	int status = 0;

	for (size_t r = 0; r < jobs->runs.n; r++)
		spans[r] = (struct span){INT64_MAX, INT64_MIN, (int)r};
	for (size_t i = 0; i < jobs->jobs.n; i++) {
		const struct counter_job *job = &jobs->jobs.at[i];
		struct span *span = &spans[job->run];

		span->start = job->start < span->start ? job->start : span->start;
		span->end = job->end > span->end ? job->end : span->end;
	}
	if (jobs->runs.n > 1)
		qsort(spans, jobs->runs.n, sizeof(*spans), by_start);
	for (size_t r = 1; r < jobs->runs.n && status == 0; r++)
		if (spans[r].start < spans[r - 1].end)
			status = err_set(
				err, "%s: runs %s and %s overlap in time; pick one by run=",
				table_folder(in)[0] != '\0' ? table_folder(in) : "jobs",
				jobs->runs.at[spans[r - 1].run], jobs->runs.at[spans[r].run]);
	free(spans);
	return status;
}

int counter_jobs_read(struct counter_jobs *jobs, struct table_in *in, const struct topo *topo,
		      const char *run, double intensity, struct err *err)
{
	struct job_columns columns = {
		.run = table_find(in, "run"),
		.nodelist = table_find(in, "nodelist"),
		.intensity = table_find(in, "intensity"),
		.pattern = table_find(in, "pattern"),
		.start = table_find(in, "start_s"),
		.end = table_find(in, "end_s"),
	};
	struct row row;
	bool is_run_seen = false;
	int status;

	*jobs = (struct counter_jobs){.first_start = INT64_MIN, .last_end = INT64_MIN};
	while ((status = table_next(in, &row, err)) == 1) {
		const char *here = row_text(&row, columns.run);

		if (run != NULL && (here == NULL || !str_eq(here, run)))
			continue;
		is_run_seen = true;
		if (read_job(jobs, &row, &columns, topo, intensity, err) != 0)
			return -1;
	}
	if (status != 0)
		return -1;
	if (run != NULL && !is_run_seen)
		return err_set(err, "counters: run: no job has the run '%s'", run);
	return check_runs(jobs, in, err);
}

void counter_jobs_free(struct counter_jobs *jobs)
{
	vec_free(&jobs->jobs);
	vec_free(&jobs->nodes);
	vec_free(&jobs->runs);
	map_free(&jobs->run_ids);
	arena_free(&jobs->arena);
}
