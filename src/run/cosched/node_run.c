/* node_run.c - one run of jobs that share the devices of a node, or of many */
#include "cosched/node_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/hostlist.h"

/* ---- rows ---- */

static struct row copy_row(const struct row *row, int ncolumns)
{
	size_t n = (size_t)ncolumns * sizeof(char *);
	struct row copy = {.line = row->line, .file = row->file};
	char *text;

	for (int i = 0; i < ncolumns; i++)
		n += strlen(row->cells[i]) + 1;
	copy.cells = xmalloc(n);
	text = (char *)(copy.cells + ncolumns);
	for (int i = 0; i < ncolumns; i++) {
		size_t length = strlen(row->cells[i]) + 1;

		copy.cells[i] = text;
		memcpy(text, row->cells[i], length);
		text += length;
	}
	return copy;
}

struct run_row *node_run_add(struct node_run *run, const struct run_row *row)
{
	struct run_row *added;

	vec_push(&run->rows, *row);
	added = &run->rows.at[run->rows.n - 1];
	added->row = copy_row(&row->row, run->setup->ncolumns);
	for (int i = 0; i < run->setup->ncolumns && row->nodelist != NULL; i++)
		if (row->nodelist == row->row.cells[i])
			added->nodelist = added->row.cells[i];
	added->job.id = run->base + (int64_t)run->rows.n - 1;
	if (run->rows.n == 1 && run->base == 0)
		run->first_ns = added->job.arrival_ns;
	run->last_ns = added->job.arrival_ns;
	return added;
}

const struct run_row *node_run_row(const struct node_run *run, int64_t id)
{
	return &run->rows.at[id - run->base];
}

struct run_row *node_run_next(struct node_run *run)
{
	if (run->nwritten > 0)
		free(run->rows.at[run->nwritten - 1].row.cells);
	if (run->nwritten > 0)
		run->rows.at[run->nwritten - 1].row.cells = NULL;
	if (run->nwritten == run->rows.n || run->nwritten > 4096) {
		run->rows.n -= run->nwritten;
		run->npushed -= run->nwritten;
		memmove(run->rows.at, run->rows.at + run->nwritten,
			run->rows.n * sizeof(*run->rows.at));
		run->base += (int64_t)run->nwritten;
		run->nwritten = 0;
	}
	if (run->nwritten == run->npushed || run->rows.at[run->nwritten].nrunning > 0)
		return NULL;
	return &run->rows.at[run->nwritten++];
}

/* ---- what the engines report ---- */

static void done(void *context, const struct engine_result *result)
{
	const struct run_node *node = context;
	struct run_row *row = &node->run->rows.at[result->id - node->run->base];

	if (row->result.devices == 0 || result->start_ns < row->result.start_ns)
		row->result.start_ns = result->start_ns;
	if (row->result.devices == 0 || result->end_ns > row->result.end_ns)
		row->result.end_ns = result->end_ns;
	row->result.devices |= result->devices;
	row->result.nswitches += result->nswitches;
	row->nrunning--;
}

static void span(void *context, int64_t id, int device, enum engine_span what, int64_t start_ns,
		 int64_t end_ns)
{
	const struct run_node *node = context;
	struct run_event event = {.id = id,
				  .node = node->name,
				  .device = device,
				  .span = what,
				  .start_ns = start_ns,
				  .end_ns = end_ns};

	vec_push(&node->run->spans, event);
}

static void slice(void *context, int64_t id, int device, int64_t number, int64_t start_ns,
		  int64_t end_ns)
{
	const struct run_node *node = context;
	struct run_event event = {.id = id,
				  .node = node->name,
				  .device = device,
				  .slice = number,
				  .start_ns = start_ns,
				  .end_ns = end_ns};

	vec_push(&node->run->slices, event);
}

/* ---- nodes ---- */

static struct run_node *find_node(struct node_run *run, const char *name)
{
	int64_t i = map_add(&run->node_of, name, strlen(name), (int64_t)run->nodes.n);

	if ((size_t)i == run->nodes.n) {
		struct run_node *node = xcalloc(1, sizeof(*node));
		struct engine_sink sink = {.context = node,
					   .done = done,
					   .span = run->setup->keeps_spans ? span : NULL,
					   .slice = run->setup->keeps_slices ? slice : NULL};

		node->run = run;
		node->last_id = -1;
		node->name = xstrdup(name);
		if (run->pool->n > 0) {
			node->engine = run->pool->at[--run->pool->n];
			engine_listen(node->engine, &sink);
		} else {
			node->engine = engine_new(run->setup->devices, run->setup->rules, &sink);
		}
		vec_push(&run->nodes, node);
	}
	return run->nodes.at[i];
}

/* A job on its way to the nodes of its list. */
struct pushing {
	struct node_run *run;
	struct run_row *row;
};

static int push_to(void *context, const char *name, size_t n, struct err *err)
{
	struct pushing *pushing = context;
	const struct engine_job *job = &pushing->row->job;
	char *text = xstrndup(name, n);
	struct run_node *node = find_node(pushing->run, text);

	free(text);
	if (node->last_id == job->id)
		return err_set(err, "'%s' is there twice", node->name);
	node->last_id = job->id;
	pushing->row->nrunning++;
	if (pushing->run->setup->keeps_bound)
		vec_push(&node->jobs, *job);
	return engine_push(node->engine, job, err);
}

static int push(struct node_run *run, struct run_row *row, struct err *err)
{
	struct pushing pushing = {run, row};
	struct err why;

	if (row->reason != NULL)
		return 0;
	if (row->nodelist == NULL)
		return push_to(&pushing, "", 0, err);
	if (hostlist_walk(row->nodelist, push_to, &pushing, &why) != 0)
		return row_error(&row->row, err, "nodelist: %s", why.msg);
	return 0;
}

/* ---- the run ---- */

void engine_pool_free(engine_pool *pool)
{
	for (size_t i = 0; i < pool->n; i++)
		engine_free(pool->at[i]);
	vec_free(pool);
}

struct node_run *node_run_new(const struct node_setup *setup)
{
	struct node_run *run = xcalloc(1, sizeof(*run));

	run->setup = setup;
	run->last_ns = INT64_MIN;
	return run;
}

static void clear(struct node_run *run)
{
	for (size_t i = 0; i < run->rows.n; i++)
		free(run->rows.at[i].row.cells);
	for (size_t i = 0; i < run->nodes.n; i++) {
		engine_free(run->nodes.at[i]->engine);
		vec_free(&run->nodes.at[i]->jobs);
		free(run->nodes.at[i]->name);
		free(run->nodes.at[i]);
	}
	run->rows.n = run->nodes.n = run->spans.n = run->slices.n = 0;
	map_free(&run->node_of);
	free(run->name);
}

void node_run_free(struct node_run *run)
{
	if (run == NULL)
		return;
	clear(run);
	vec_free(&run->nodes);
	vec_free(&run->rows);
	vec_free(&run->spans);
	vec_free(&run->slices);
	free(run);
}

void node_run_begin(struct node_run *run, const char *name)
{
	clear(run);
	run->node_of = (struct map){0};
	run->name = name != NULL ? xstrdup(name) : NULL;
	run->npushed = run->nwritten = 0;
	run->base = 0;
	run->last_ns = INT64_MIN;
	run->bound_s = NAN;
	run->has_too_many = run->is_cut = false;
	run->status = 0;
}

int node_run_go_on(struct node_run *run, struct err *err)
{
	while (run->npushed < run->rows.n)
		if (push(run, &run->rows.at[run->npushed++], err) != 0)
			return -1;
	return 0;
}

/* What the run takes at least: the most of its nodes. */
static int find_bound(struct node_run *run, struct err *err)
{
	for (size_t i = 0; i < run->nodes.n; i++) {
		double seconds;

		if (bound_makespan(run->setup->devices, &run->nodes.at[i]->jobs, &seconds, err) !=
		    0)
			return err_prefix(err, "--bound: ");
		run->has_too_many = run->has_too_many || run->nodes.at[i]->jobs.n > BOUND_JOBS;
		if (isnan(run->bound_s) || seconds > run->bound_s)
			run->bound_s = seconds;
	}
	run->bound_s -= (double)run->first_ns / 1e9;
	return 0;
}

int node_run_finish(struct node_run *run, struct err *err)
{
	for (size_t i = 0; i < run->nodes.n; i++)
		if (engine_finish(run->nodes.at[i]->engine, err) != 0)
			return -1;
	for (size_t i = run->nodes.n; i-- > 0;) {
		vec_push(run->pool, run->nodes.at[i]->engine);
		run->nodes.at[i]->engine = NULL;
	}
	return run->setup->keeps_bound ? find_bound(run, err) : 0;
}

void node_run_simulate(struct node_run *run, engine_pool *pool)
{
	run->pool = pool;
	run->status = node_run_go_on(run, &run->err);
	if (run->status == 0 && !run->is_cut)
		run->status = node_run_finish(run, &run->err);
}
