/* io_phases.c - what metrics of I/O operations share: phases, bytes and times of each job */
#include "measure/metric/io_phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/kinds.h"

const struct table_kind *const io_phases_kinds[] = {&kind_iotrace, NULL};

int io_phases_open(void **state, const struct pick *pick, const struct metric_context *context,
		   struct err *err)
{
	struct io_phases *phases = xcalloc(1, sizeof(*phases));

	(void)err;
	phases->gap_ns = llround(pick_real(pick, "gap") * 1e9);
	phases->rank = table_find(context->in, "rank");
	phases->op = table_find(context->in, "op");
	phases->start = table_find(context->in, "start_s");
	phases->end = table_find(context->in, "end_s");
	phases->bytes = table_find(context->in, "bytes");
	phases->job = table_find(context->in, "job");
	*state = phases;
	return 0;
}

void io_phases_free(void *state)
{
	struct io_phases *phases = state;

	for (size_t i = 0; i < phases->jobs.n; i++)
		vec_free(&phases->jobs.at[i].phases);
	vec_free(&phases->jobs);
	vec_free(&phases->spans);
	map_free(&phases->by_name);
	umap_free(&phases->ranks);
	arena_free(&phases->arena);
	free(phases);
}

static size_t job_of(struct io_phases *phases, const char *name)
{
	const char *key = name != NULL ? name : "";
	int64_t at = map_add(&phases->by_name, key, strlen(key), (int64_t)phases->jobs.n);
	struct io_job job = {0};

	if (at < (int64_t)phases->jobs.n)
		return (size_t)at;
	if (name != NULL)
		job.name = arena_strndup(&phases->arena, name, strlen(name));
	vec_push(&phases->jobs, job);
	return (size_t)at;
}

static struct io_rank *rank_of(struct io_phases *phases, size_t job, int64_t rank)
{
	uint64_t key = (uint64_t)job << 32 | (uint32_t)rank;
	int64_t at = (int64_t)phases->spans.n;

	if (umap_get(&phases->ranks, key, &at))
		return &phases->spans.at[at];
	umap_set(&phases->ranks, key, at);
	vec_push(&phases->spans, ((struct io_rank){0}));
	phases->jobs.at[job].nranks++;
	return &phases->spans.at[at];
}

static void add(struct io_phases *phases, size_t number, int64_t rank, int64_t start, int64_t end)
{
	struct io_rank *span = rank_of(phases, number, rank);
	struct io_job *job = &phases->jobs.at[number];
	struct io_span *phase;

	if (span->nphases == 0 || start - span->end_ns > phases->gap_ns) {
		span->nphases++;
		span->end_ns = end;
	}
	if ((size_t)span->nphases > job->phases.n)
		vec_push(&job->phases, ((struct io_span){start, end}));
	phase = &job->phases.at[span->nphases - 1];
	if (start < phase->start_ns)
		phase->start_ns = start;
	if (end > phase->end_ns)
		phase->end_ns = end;
	if (end > span->end_ns)
		span->end_ns = end;
}

int io_phases_row(void *state, const struct metric_item *item, struct metric_sink *sink,
		  struct err *err)
{
	struct io_phases *phases = state;
	const struct row *row = item->row;
	const char *op = row_text(row, phases->op);
	int64_t rank, start, end;
	double bytes;
	size_t job;
	int status;

	(void)sink;
	if (op == NULL || (!str_eq(op, "read") && !str_eq(op, "write") && !str_eq(op, "sync")))
		return 0;
	if (row_int(row, phases->rank, "rank", 0, INT32_MAX, &rank, err) < 0 ||
	    row_seconds(row, phases->start, "start_s", &start, err) < 0 ||
	    row_real(row, phases->bytes, "bytes", 0, 1e300, &bytes, err) < 0)
		return -1;
	status = row_seconds(row, phases->end, "end_s", &end, err);
	if (status < 0)
		return -1;
	if (status == 0)
		return row_error(row, err,
				 "end_s is missing; expected operations with an end, as netsim "
				 "--io writes them");
	if (end < start)
		return row_error(row, err, "end_s: the operation ends before it starts");
	job = job_of(phases, row_text(row, phases->job));
	add(phases, job, rank, start, end);
	phases->jobs.at[job].bytes += bytes;
	phases->jobs.at[job].time_ns += (double)(end - start);
	return 0;
}

double io_phases_seconds(const struct io_job *job)
{
	int64_t total = 0;

	for (size_t i = 0; i < job->phases.n; i++)
		total += job->phases.at[i].end_ns - job->phases.at[i].start_ns;
	return (double)total / 1e9;
}

static const char *name_of(struct io_phases *phases, const struct io_job *job, const char *name)
{
	struct buf text = {0};
	const char *kept;

	if (phases->jobs.n == 1 || job->name == NULL)
		return name;
	buf_printf(&text, "%s-%s", name, job->name);
	kept = arena_strndup(&phases->arena, text.text, text.n);
	buf_free(&text);
	return kept;
}

void io_phases_put(void *state, struct metric_sink *sink, const struct metric_output *output,
		   double (*value)(const struct io_job *job))
{
	struct io_phases *phases = state;

	for (size_t i = 0; i < phases->jobs.n; i++) {
		const struct io_job *job = &phases->jobs.at[i];

		metric_put(sink, name_of(phases, job, output->name), output->unit, value(job),
			   job->name);
	}
}
