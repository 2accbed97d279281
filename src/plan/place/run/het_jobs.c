/* het_jobs.c - the components of a heterogeneous job wait and start as one */
#include "place/run/het_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "place/run/eligible.h"
#include "place/run/run.h"

static bool is_component(const struct job *row)
{
	return row->het_job != NULL && row->nodelist == NULL;
}

/* ---- from rows to jobs ---- */

static int64_t later(int64_t a_ns, int64_t b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns; /* JOB_NO_TIME is the least */
}

/* Of two lengths the longer; unknown if one is. */
static int64_t longer(int64_t a_ns, int64_t b_ns)
{
	return a_ns == JOB_NO_TIME || b_ns == JOB_NO_TIME ? JOB_NO_TIME : later(a_ns, b_ns);
}

static void join(struct job *job, const struct job *row)
{
	job->nnodes += row->nnodes;
	job->submit_ns = later(job->submit_ns, row->submit_ns);
	job->eligible_ns = later(job->eligible_ns, row->eligible_ns);
	job->runtime_ns = longer(job->runtime_ns, job_length(row));
	job->walltime_ns = longer(job->walltime_ns, job_planned_length(row));
	job->depends_delay_ns = later(job->depends_delay_ns, row->depends_delay_ns);
}

/* What a job asks for besides nodes and time its components ask for. */
static struct job first_of(const struct job *row)
{
	struct job job = *row;

	if (!is_component(row))
		return job;
	job.leaf_switches = job.segment = job.io_nodes = 0;
	job.io_pinned = NULL;
	job.exclusive_topo = false;
	job.runtime_ns = job_length(row);
	job.walltime_ns = job_planned_length(row);
	return job;
}

static void number_rows(struct het_jobs *het, const struct job *rows)
{
	struct map ids = {0};

	for (int i = 0; i < het->nrows; i++) {
		const char *name = rows[i].het_job;
		int64_t id = !is_component(&rows[i]) ? het->n
						     : map_add(&ids, name, strlen(name), het->n);

		het->job_of[i] = (int)id;
		if (id == het->n)
			het->jobs[het->n++] = first_of(&rows[i]);
		else
			join(&het->jobs[id], &rows[i]);
		het->part_of[i] = het->jobs[id].ncomponents;
		het->jobs[id].ncomponents += is_component(&rows[i]);
	}
	map_free(&ids);
}

static void list_components(struct het_jobs *het, const struct job *rows)
{
	int next = 0;

	for (int j = 0; j < het->n; j++) {
		het->jobs[j].components = &het->components[next];
		next += het->jobs[j].ncomponents;
	}
	for (int i = 0; i < het->nrows; i++)
		if (is_component(&rows[i]))
			het->components[het->jobs[het->job_of[i]].components - het->components +
					het->part_of[i]] = &rows[i];
}

/* A component, or the job by its own name, stands for the whole of it: names to lists of names. */
static void add_names(const struct het_jobs *het, const struct job *rows, struct map *ids,
		      struct buf *lists)
{
	int n = 0;

	for (int i = 0; i < het->nrows; i++) {
		const char *name = het->jobs[het->job_of[i]].name;
		int64_t id;

		if (rows[i].het_job == NULL)
			continue;
		id = map_add(ids, rows[i].het_job, strlen(rows[i].het_job), n);
		if (id < n && het->part_of[i] == 0)
			buf_char(&lists[id], ',');
		if (id == n || het->part_of[i] == 0)
			buf_str(&lists[id], name);
		n += id == n;
		if (map_add(ids, rows[i].name, strlen(rows[i].name), n) == n)
			buf_str(&lists[n++], name);
	}
}

static void translate(const char *names, const struct map *ids, struct buf *lists, struct buf *text)
{
	for (; *names != '\0'; names += *names == ',') {
		size_t n = strcspn(names, ",");
		int64_t id = map_get(ids, names, n);

		if (text->n > 0)
			buf_char(text, ',');
		if (id >= 0)
			buf_str(text, buf_text(&lists[id]));
		else
			buf_add(text, names, n);
		names += n;
	}
}

/* A job waits for what any of its components waits for. */
static void translate_depends(struct het_jobs *het, const struct job *rows)
{
	struct buf *lists = xcalloc(2 * (size_t)het->nrows + 1, sizeof(*lists));
	struct buf *depends = xcalloc((size_t)het->n + 1, sizeof(*depends));
	struct map ids = {0};

	add_names(het, rows, &ids, lists);
	for (int i = 0; i < het->nrows; i++)
		if (rows[i].depends != NULL)
			translate(rows[i].depends, &ids, lists, &depends[het->job_of[i]]);
	for (int j = 0; j < het->n; j++) {
		het->jobs[j].depends = depends[j].text; /* NULL: it waits for none */
		vec_push(&het->texts, depends[j].text);
	}
	free(depends);
	for (int i = 0; i < 2 * het->nrows; i++)
		buf_free(&lists[i]);
	free(lists);
	map_free(&ids);
}

bool het_jobs_open(struct het_jobs *het, const struct job *rows, struct outcome *outcomes, int n)
{
	bool has_any = false;

	for (int i = 0; i < n; i++)
		has_any |= is_component(&rows[i]);
	if (!has_any)
		return false;
	*het = (struct het_jobs){.rows = outcomes, .nrows = n};
	het->jobs = xcalloc((size_t)n, sizeof(*het->jobs));
	het->outcomes = xcalloc((size_t)n, sizeof(*het->outcomes));
	het->components = xcalloc((size_t)n, sizeof(*het->components));
	het->job_of = xcalloc((size_t)n, sizeof(int));
	het->part_of = xcalloc((size_t)n, sizeof(int));
	het->is_decided = xcalloc((size_t)n, sizeof(bool));
	number_rows(het, rows);
	list_components(het, rows);
	translate_depends(het, rows);
	return true;
}

/* ---- from jobs to rows ---- */

static struct outcome *outcome_of(const struct het_jobs *het, int row)
{
	struct outcome *outcome = &het->outcomes[het->job_of[row]];

	return outcome->parts != NULL ? &outcome->parts[het->part_of[row]] : outcome;
}

void het_job_start(const struct schedule *schedule, const struct job *job, struct outcome *outcome)
{
	struct buf text = {0};
	int first = 0;

	outcome->parts = xcalloc((size_t)job->ncomponents, sizeof(*outcome->parts));
	outcome->nparts = job->ncomponents;
	for (int i = 0; i < job->ncomponents; i++) {
		const struct job *component = job->components[i];
		struct outcome *part = &outcome->parts[i];
		int_vec nodes = {.at = outcome->nodes.at + first, .n = (size_t)component->nnodes};

		part->is_placed = part->is_decided = true;
		part->start_ns = outcome->start_ns;
		part->end_ns = time_after(outcome->start_ns, job_length(component));
		if (part->end_ns == INT64_MAX)
			part->end_ns = JOB_NO_TIME;
		buf_clear(&text);
		topo_nodelist_add(schedule->topo, nodes.at, nodes.n, &text);
		part->nodelist = xstrdup(buf_text(&text));
		part->nnodes = component->nnodes;
		part->partition = eligible_partition_text(schedule, component, &nodes);
		first += component->nnodes;
	}
	buf_free(&text);
}

/* Parts of a job that gets no nodes; and why, of any. */
static void split(struct outcome *outcome, int n)
{
	if (outcome->parts == NULL) {
		outcome->parts = xcalloc((size_t)n, sizeof(*outcome->parts));
		outcome->nparts = n;
		for (int i = 0; i < n; i++)
			outcome->parts[i].is_decided = outcome->parts[i].is_over = true;
	}
	for (int i = 0; i < n && outcome->reason != NULL; i++)
		outcome->parts[i].reason = xstrdup(outcome->reason);
}

void het_jobs_decided(void *context, int job, struct outcome *outcome)
{
	struct het_jobs *het = context;

	if (het->jobs[job].ncomponents > 0)
		split(outcome, het->jobs[job].ncomponents);
	het->is_decided[job] = true;
	for (; het->ntold < het->nrows && het->is_decided[het->job_of[het->ntold]]; het->ntold++)
		if (het->decided != NULL)
			het->decided(het->context, het->ntold, outcome_of(het, het->ntold));
}

void het_jobs_close(struct het_jobs *het)
{
	for (int i = 0; i < het->nrows; i++) {
		struct outcome *outcome = outcome_of(het, i);

		het->rows[i] = *outcome;
		*outcome = (struct outcome){.parts = outcome->parts, .nparts = outcome->nparts};
		het->rows[i].parts = NULL;
		het->rows[i].nparts = 0;
	}
	for (int j = 0; j < het->n; j++)
		outcome_free(&het->outcomes[j]);
	for (size_t i = 0; i < het->texts.n; i++)
		free(het->texts.at[i]);
	vec_free(&het->texts);
	free(het->jobs);
	free(het->outcomes);
	free(het->components);
	free(het->job_of);
	free(het->part_of);
	free(het->is_decided);
}
