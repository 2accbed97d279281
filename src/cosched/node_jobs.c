/* node_jobs.c - a jobs stream shares the devices of a node, or of many */
#include "cosched/node_jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/names.h"
#include "base/str.h"
#include "cosched/bound.h"
#include "cosched/engine.h"
#include "cosched/side_rows.h"
#include "formats/hostlist.h"
#include "formats/out.h"
#include "model/kinds.h"

/* A row that is not written yet: its jobs, one on each node, have not all completed, or one before
 * it has not. */
struct waiting {
	struct row row; /* its own copy */
	struct engine_result result;
	int nrunning; /* nodes it runs on or waits for */
	const char *reason;
};

struct node {
	struct work *work;
	char *name; /* "" where jobs have no nodelist */
	int64_t last_id;
	struct engine *engine;
	engine_jobs jobs; /* of the run, where its bound is asked for */
};

struct work {
	const struct run_context *context;
	const struct cosched_options *options;
	struct devices devices;
	struct kernels kernels;
	struct pick pick;
	char *policy; /* as the column says it */
	struct node_rules rules;
	struct table_in *in;
	struct table_out *table;
	struct side_rows side;
	struct {
		int run, submit, app, size, init, launches, priority, nodelist, job;
	} from;
	struct {
		int start, end, policy, devices, switches, reason;
	} to;
	VEC(struct waiting) rows; /* [n] in the order of input; the first `written` are gone */
	size_t written;
	int64_t base;              /* id of the first of rows */
	int64_t first_ns, last_ns; /* submission of the first and the last job of the run */
	char *run;                 /* NULL: no column, or "." */
	bool has_run;
	struct map runs;
	VEC(struct node *) nodes;
	struct map node_of;
	struct map told; /* what warnings were given of */
	struct cosched_result *result;
};

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

static void write_row(struct work *work, struct waiting *waiting)
{
	struct table_out *table = work->table;
	char devices[DEVICES_TEXT];

	table_out_pass(table, &waiting->row);
	table_out_text(table, work->to.policy, work->policy);
	table_out_text(table, work->to.reason, waiting->reason);
	if (waiting->reason == NULL) {
		devices_text(&work->devices, waiting->result.devices, devices);
		table_out_seconds(table, work->to.start, waiting->result.start_ns);
		table_out_seconds(table, work->to.end, waiting->result.end_ns);
		table_out_text(table, work->to.devices, devices);
		table_out_int(table, work->to.switches, waiting->result.nswitches);
		work->result->njobs++;
	} else {
		table_out_text(table, work->to.start, NULL);
		table_out_text(table, work->to.end, NULL);
		table_out_text(table, work->to.devices, NULL);
		table_out_text(table, work->to.switches, NULL);
		work->result->nunable++;
	}
	table_out_emit(table);
	free(waiting->row.cells);
}

/* Writes what is complete up to the first row that is not. */
static void write_ready(struct work *work)
{
	while (work->written < work->rows.n && work->rows.at[work->written].nrunning == 0)
		write_row(work, &work->rows.at[work->written++]);
	if (work->written == work->rows.n || work->written > 4096) {
		work->rows.n -= work->written;
		memmove(work->rows.at, work->rows.at + work->written,
			work->rows.n * sizeof(*work->rows.at));
		work->base += (int64_t)work->written;
		work->written = 0;
	}
}

static void done(void *context, const struct engine_result *result)
{
	const struct node *node = context;
	struct waiting *waiting = &node->work->rows.at[result->id - node->work->base];

	if (waiting->result.devices == 0 || result->start_ns < waiting->result.start_ns)
		waiting->result.start_ns = result->start_ns;
	if (waiting->result.devices == 0 || result->end_ns > waiting->result.end_ns)
		waiting->result.end_ns = result->end_ns;
	waiting->result.devices |= result->devices;
	waiting->result.nswitches += result->nswitches;
	waiting->nrunning--;
}

static const char *job_name(const struct node *node, int64_t id)
{
	return node->work->rows.at[id - node->work->base].row.cells[node->work->from.job];
}

static void span(void *context, int64_t id, int device, enum engine_span what, int64_t start_ns,
		 int64_t end_ns)
{
	const struct node *node = context;

	side_rows_span(&node->work->side, node->work->run, job_name(node, id), node->name,
		       node->work->devices.at[device].name, engine_span_name(what), start_ns,
		       end_ns);
}

static void slice(void *context, int64_t id, int device, int64_t number, int64_t start_ns,
		  int64_t end_ns)
{
	const struct node *node = context;

	side_rows_slice(&node->work->side, node->work->run, job_name(node, id), node->name,
			node->work->devices.at[device].name, number, start_ns, end_ns);
}

/* ---- nodes ---- */

static struct node *find_node(struct work *work, const char *name)
{
	int64_t i = map_add(&work->node_of, name, strlen(name), (int64_t)work->nodes.n);

	if ((size_t)i == work->nodes.n) {
		struct node *node = xcalloc(1, sizeof(*node));
		struct engine_sink sink = {
			.context = node,
			.done = done,
			.span = work->options->side.timeline != NULL ? span : NULL,
			.slice = work->options->side.slices != NULL ? slice : NULL};

		node->work = work;
		node->last_id = -1;
		node->name = xstrdup(name);
		node->engine = engine_new(&work->devices, &work->rules, &sink);
		vec_push(&work->nodes, node);
	}
	return work->nodes.at[i];
}

/* Whether this is the first time that the key is spoken of. */
static bool is_first(struct work *work, const char *key)
{
	size_t n = strlen(key);
	bool first = map_get(&work->told, key, n) < 0;

	if (first)
		map_set(&work->told, key, n, 0);
	return first;
}

/* Says once of a kernel which devices can't hold it, and of an application that its memory is not
 * known. */
static void tell(struct work *work, const struct kernel *kernel)
{
	char text[DEVICES_TEXT];
	bool has_memory = false;

	for (int d = 0; d < work->devices.n; d++)
		has_memory = has_memory || work->devices.at[d].memory_bytes > 0;
	if (has_memory && kernel->bytes < 0 && is_first(work, kernel->app))
		warn("%s: its bytes are not given, so its memory is not checked", kernel->app);
	if (kernel->too_small != 0) {
		char *key = xasprintf("%s\t%s", kernel->app, kernel->size);

		devices_text(&work->devices, kernel->too_small, text);
		if (is_first(work, key))
			warn("%s %s needs %.10g bytes, more than %s has: it never runs there",
			     kernel->app, kernel->size, kernel->bytes, text);
		free(key);
	}
}

/* ---- reading ---- */

static int read_job(struct work *work, const struct row *row, struct engine_job *job,
		    struct err *err)
{
	const char *app = row_text(row, work->from.app), *size = row_text(row, work->from.size);
	int64_t priority = 0;
	int has = row_seconds(row, work->from.submit, "submit_s", &job->arrival_ns, err);

	if (has < 0)
		return -1;
	if (has == 0 && work->from.submit >= 0)
		return row_error(row, err,
				 "submit_s is missing; expected the time when the job arrives");
	if (app == NULL || size == NULL)
		return row_error(row, err,
				 "app and size are missing; expected those of a row of --kernels");
	job->kernel = kernels_find(&work->kernels, app, size);
	if (job->kernel == NULL)
		return row_error(row, err, "there are no kernels of app %s, size %s", app, size);
	job->launches = 1;
	job->init_ns = job->kernel->init_ns > 0 ? job->kernel->init_ns : 0;
	if (row_int(row, work->from.launches, "launches", 1, 1000000000, &job->launches, err) < 0 ||
	    row_int(row, work->from.priority, "priority", -1000000000, 1000000000, &priority, err) <
		    0 ||
	    row_seconds(row, work->from.init, "init_s", &job->init_ns, err) < 0)
		return -1;
	if (job->init_ns < 0 || job->init_ns > INT64_C(100000000) * 1000000000)
		return row_error(row, err, "init_s: expected 0 to 1e8 seconds");
	job->priority = (int32_t)priority;
	return 0;
}

/* A job on its way to the nodes of its list. */
struct pushing {
	struct work *work;
	const struct engine_job *job;
	struct waiting *waiting;
};

static int push_to(void *context, const char *name, size_t n, struct err *err)
{
	struct pushing *pushing = context;
	char *text = xstrndup(name, n);
	struct node *node = find_node(pushing->work, text);

	free(text);
	if (node->last_id == pushing->job->id)
		return err_set(err, "'%s' is there twice", node->name);
	node->last_id = pushing->job->id;
	pushing->waiting->nrunning++;
	if (pushing->work->options->side.bound != NULL)
		vec_push(&node->jobs, *pushing->job);
	return engine_push(node->engine, pushing->job, err);
}

static int push(struct work *work, const struct row *row, const struct engine_job *job,
		struct waiting *waiting, struct err *err)
{
	const char *nodelist = row_text(row, work->from.nodelist);
	struct pushing pushing = {work, job, waiting};
	struct err why;

	if (nodelist == NULL)
		return push_to(&pushing, "", 0, err);
	if (hostlist_walk(nodelist, push_to, &pushing, &why) != 0)
		return row_error(row, err, "nodelist: %s", why.msg);
	return 0;
}

/* What the run takes at least: the most of its nodes. */
static int write_bound(struct work *work, struct err *err)
{
	double most = NAN, seconds;

	for (size_t i = 0; i < work->nodes.n; i++) {
		struct node *node = work->nodes.at[i];

		if (bound_makespan(&work->devices, &node->jobs, &seconds, err) != 0)
			return err_prefix(err, "--bound: ");
		if (node->jobs.n > BOUND_JOBS)
			warn("--bound: run %s: more than %d jobs of a node have no bound",
			     work->run != NULL ? work->run : ".", BOUND_JOBS);
		most = isnan(most) || seconds > most ? seconds : most;
		node->jobs.n = 0;
	}
	side_rows_bound(&work->side, work->run, most - (double)work->first_ns / 1e9);
	return 0;
}

static int end_run(struct work *work, struct err *err)
{
	for (size_t i = 0; i < work->nodes.n; i++)
		if (engine_finish(work->nodes.at[i]->engine, err) != 0)
			return -1;
	write_ready(work);
	return work->options->side.bound != NULL ? write_bound(work, err) : 0;
}

static int begin_run(struct work *work, const struct row *row, struct err *err)
{
	const char *run = row_text(row, work->from.run), *name = run != NULL ? run : ".";
	int64_t number = (int64_t)work->runs.n;

	if (work->has_run && str_eq(work->run != NULL ? work->run : ".", name))
		return 0;
	if (work->has_run && end_run(work, err) != 0)
		return -1;
	if (map_add(&work->runs, name, strlen(name), number) != number)
		return row_error(row, err,
				 "run: '%s' was there before: the rows of a run stand together",
				 name);
	free(work->run);
	work->run = run != NULL ? xstrdup(run) : NULL;
	work->has_run = true;
	work->last_ns = INT64_MIN;
	work->result->nruns++;
	return 0;
}

static int take_row(struct work *work, const struct row *row, struct err *err)
{
	struct waiting waiting = {0};
	struct engine_job job = {0};

	if (begin_run(work, row, err) != 0 || read_job(work, row, &job, err) != 0)
		return -1;
	if (job.arrival_ns < work->last_ns)
		return row_error(
			row, err,
			"submit_s goes back: the jobs of a run stand in the order of submission");
	if (work->last_ns == INT64_MIN)
		work->first_ns = job.arrival_ns;
	work->last_ns = job.arrival_ns;
	tell(work, job.kernel);
	waiting.row = copy_row(row, table_ncolumns(work->in));
	job.id = work->base + (int64_t)work->rows.n;
	waiting.reason =
		job.kernel->too_small != 0 ? "no device has the memory" : "no device can run it";
	for (int d = 0; d < work->devices.n; d++)
		if (job.kernel->slice_ns[d] > 0)
			waiting.reason = NULL;
	vec_push(&work->rows, waiting);
	if (waiting.reason == NULL &&
	    push(work, row, &job, &work->rows.at[work->rows.n - 1], err) != 0)
		return -1;
	write_ready(work);
	return 0;
}

static int open_all(struct work *work, char *const *paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct cosched_options *options = work->options;

	if (devices_load(&work->devices, options->devices, err) != 0 ||
	    kernels_read(&work->kernels, &work->devices, options->kernels, err) != 0)
		return -1;
	if (pick_parse(&work->pick, &node_policies, options->policy, err) != 0)
		return err_prefix(err, "--policy: ");
	work->policy = pick_text(&work->pick);
	work->rules.release_changed = options->release_changed;
	node_policy_set(&work->pick, &work->rules);
	if (table_open(&work->in, kinds, paths, work->context->accepts_partial, err) != 0)
		return -1;
	table_unique(work->in);
	work->from.job = table_find(work->in, "job");
	work->from.run = table_find(work->in, "run");
	work->from.submit = table_find(work->in, "submit_s");
	work->from.app = table_find(work->in, "app");
	work->from.size = table_find(work->in, "size");
	work->from.init = table_find(work->in, "init_s");
	work->from.launches = table_find(work->in, "launches");
	work->from.priority = table_find(work->in, "priority");
	work->from.nodelist = table_find(work->in, "nodelist");
	return 0;
}

static void close_all(struct work *work)
{
	for (size_t i = work->written; i < work->rows.n; i++)
		free(work->rows.at[i].row.cells);
	vec_free(&work->rows);
	for (size_t i = 0; i < work->nodes.n; i++) {
		engine_free(work->nodes.at[i]->engine);
		vec_free(&work->nodes.at[i]->jobs);
		free(work->nodes.at[i]->name);
		free(work->nodes.at[i]);
	}
	vec_free(&work->nodes);
	map_free(&work->node_of);
	map_free(&work->runs);
	map_free(&work->told);
	free(work->run);
	free(work->policy);
	if (work->pick.entry != NULL)
		pick_free(&work->pick);
	table_close(work->in);
	kernels_free(&work->kernels);
	devices_free(&work->devices);
}

static void begin_output(struct work *work, struct out *out)
{
	work->table = table_out_new(out, &kind_jobs);
	table_out_like(work->table, work->in);
	work->to.start = table_out_column(work->table, "start_s");
	work->to.end = table_out_column(work->table, "end_s");
	work->to.policy = table_out_column(work->table, "policy");
	work->to.devices = table_out_column(work->table, "devices");
	work->to.switches = table_out_column(work->table, "switches");
	work->to.reason = table_out_column(work->table, "reason");
}

static int take_all(struct work *work, struct err *err)
{
	struct row row;
	int status;

	while ((status = table_next(work->in, &row, err)) == 1)
		if (take_row(work, &row, err) != 0)
			return -1;
	return status == 0 && work->has_run ? end_run(work, err) : status;
}

int cosched_stream(const struct run_context *context, const struct cosched_options *options,
		   char *const *paths, struct cosched_result *result, struct err *err)
{
	struct work work = {.context = context, .options = options, .result = result};
	struct out *out = NULL;
	struct err why;
	int status;

	*result = (struct cosched_result){0};
	status = open_all(&work, paths, err);
	if (status == 0)
		status = side_rows_open(&work.side, context, &options->side, work.policy, err);
	if (status == 0 && (status = out_open(&out, context->output, context->command, err)) == 0) {
		begin_output(&work, out);
		status = take_all(&work, err);
		result->is_whole = status == 0 && table_is_whole(work.in);
		table_out_end(work.table, result->is_whole);
		if (out_close(out, result->is_whole, status == 0 ? err : &why) != 0)
			status = -1;
	}
	if (side_rows_close(&work.side, result->is_whole, status == 0 ? err : &why) != 0)
		status = -1;
	close_all(&work);
	return status;
}
