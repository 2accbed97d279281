/* node_jobs.c - a jobs stream shares the devices of a node, or of many */
#include "cosched/node_jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/names.h"
#include "base/str.h"
#include "base/threads.h"
#include "cosched/node_run.h"
#include "cosched/side_rows.h"
#include "formats/out.h"
#include "model/kinds.h"

/* Rows of whole runs that are read for each thread before they are simulated. */
enum { ROWS_OF_A_THREAD = 1024 };

struct cosched_session {
	const struct run_context *context;
	const struct cosched_options *options;
	struct devices devices;
	struct kernels kernels;
	struct pick pick;
	char *policy; /* as the column says it */
	struct node_rules rules;
	struct node_setup setup;
	struct table_in *in;
	struct table_out *table;
	struct side_rows side;
	struct {
		int run, submit, app, size, init, launches, priority, nodelist, job;
	} from;
	struct {
		int start, end, policy, devices, switches, reason;
	} to;
	VEC(struct node_run *) batch; /* the last of [nruns] is being read; behind it, spare ones */
	engine_pool *pools;           /* [nthreads] */
	size_t nruns, nrows;          /* in hand */
	bool is_within_run;           /* the last of them goes on */
	struct map runs;
	struct map told; /* what warnings were given of */
	struct cosched_result *result;
};

/* ---- writing ---- */

static void write_row(struct cosched_session *session, const struct run_row *row)
{
	struct table_out *table = session->table;
	char devices[DEVICES_TEXT];

	table_out_pass(table, &row->row);
	table_out_text(table, session->to.policy, session->policy);
	table_out_text(table, session->to.reason, row->reason);
	if (row->reason == NULL) {
		devices_text(&session->devices, row->result.devices, devices);
		table_out_seconds(table, session->to.start, row->result.start_ns);
		table_out_seconds(table, session->to.end, row->result.end_ns);
		table_out_text(table, session->to.devices, devices);
		table_out_int(table, session->to.switches, row->result.nswitches);
		session->result->njobs++;
	} else {
		table_out_text(table, session->to.start, NULL);
		table_out_text(table, session->to.end, NULL);
		table_out_text(table, session->to.devices, NULL);
		table_out_text(table, session->to.switches, NULL);
		session->result->nunable++;
	}
	table_out_emit(table);
}

static const char *job_name(const struct cosched_session *session, const struct node_run *run,
			    int64_t id)
{
	return node_run_row(run, id)->row.cells[session->from.job];
}

/* What has happened and was not written yet. */
static void write_run(struct cosched_session *session, struct node_run *run)
{
	struct run_row *row;

	for (size_t i = 0; i < run->spans.n; i++) {
		const struct run_event *event = &run->spans.at[i];

		side_rows_span(&session->side, run->name, job_name(session, run, event->id),
			       event->node, session->devices.at[event->device].name,
			       engine_span_name(event->span), event->start_ns, event->end_ns);
	}
	for (size_t i = 0; i < run->slices.n; i++) {
		const struct run_event *event = &run->slices.at[i];

		side_rows_slice(&session->side, run->name, job_name(session, run, event->id),
				event->node, session->devices.at[event->device].name, event->slice,
				event->start_ns, event->end_ns);
	}
	run->spans.n = run->slices.n = 0;
	while ((row = node_run_next(run)) != NULL)
		write_row(session, row);
}

static void write_bound(struct cosched_session *session, const struct node_run *run)
{
	if (session->options->side.bound == NULL)
		return;
	if (run->has_too_many)
		warn("--bound: run %s: more than %d jobs of a node have no bound",
		     run->name != NULL ? run->name : ".", BOUND_JOBS);
	side_rows_bound(&session->side, run->name, run->bound_s);
}

/* Whether this is the first time that the key is spoken of. */
static bool is_first(struct cosched_session *session, const char *key)
{
	size_t n = strlen(key);
	bool first = map_get(&session->told, key, n) < 0;

	if (first)
		map_set(&session->told, key, n, 0);
	return first;
}

/* Says once of a kernel which devices can't hold it or have no rate for it, and of an application
 * that its memory is not known. */
static void tell(struct cosched_session *session, const struct kernel *kernel)
{
	char text[DEVICES_TEXT];
	bool has_memory = false;
	uint32_t without_rate = 0;
	char *key;

	for (int d = 0; d < session->devices.n; d++) {
		has_memory = has_memory || session->devices.at[d].memory_bytes > 0;
		without_rate |= (uint32_t)(kernel->slice_ns[d] == 0) << d;
	}
	without_rate &= ~kernel->too_small;
	if (has_memory && kernel->bytes < 0 && is_first(session, kernel->app))
		warn("%s: its bytes are not given, so its memory is not checked", kernel->app);
	if ((kernel->too_small | without_rate) == 0)
		return;
	key = xasprintf("%s\t%s", kernel->app, kernel->size);
	if (is_first(session, key)) {
		devices_text(&session->devices, kernel->too_small, text);
		if (kernel->too_small != 0)
			warn("%s %s needs %.10g bytes, more than %s has: it never runs there",
			     kernel->app, kernel->size, kernel->bytes, text);
		devices_text(&session->devices, without_rate, text);
		if (without_rate != 0)
			say("%s %s has no rate for %s: it never runs there", kernel->app,
			    kernel->size, text);
	}
	free(key);
}

/* ---- reading ---- */

static int read_job(struct cosched_session *session, const struct row *row, struct engine_job *job,
		    struct err *err)
{
	const char *app = row_text(row, session->from.app),
		   *size = row_text(row, session->from.size);
	int64_t priority = 0;
	int has = row_seconds(row, session->from.submit, "submit_s", &job->arrival_ns, err);

	if (has < 0)
		return -1;
	if (has == 0 && session->from.submit >= 0)
		return row_error(row, err,
				 "submit_s is missing; expected the time when the job arrives");
	if (app == NULL || size == NULL)
		return row_error(row, err,
				 "app and size are missing; expected those of a row of --kernels");
	job->kernel = kernels_find(&session->kernels, app, size);
	if (job->kernel == NULL)
		return row_error(row, err, "there are no kernels of app %s, size %s", app, size);
	job->launches = 1;
	job->init_ns = job->kernel->init_ns > 0 ? job->kernel->init_ns : 0;
	if (row_int(row, session->from.launches, "launches", 1, 1000000000, &job->launches, err) <
		    0 ||
	    row_int(row, session->from.priority, "priority", -1000000000, 1000000000, &priority,
		    err) < 0 ||
	    row_seconds(row, session->from.init, "init_s", &job->init_ns, err) < 0)
		return -1;
	if (job->init_ns < 0 || job->init_ns > INT64_C(100000000) * 1000000000)
		return row_error(row, err, "init_s: expected 0 to 1e8 seconds");
	job->priority = (int32_t)priority;
	return 0;
}

/* ---- runs ---- */

static bool has_threads(const struct cosched_session *session)
{
	return session->context->nthreads > 1;
}

static void simulate_one(void *context, int number, size_t item)
{
	struct cosched_session *session = context;

	node_run_simulate(session->batch.at[item], &session->pools[number]);
}

/* The runs in hand. The first one that went wrong counts, and those behind it were never there. */
static int simulate_batch(struct cosched_session *session, struct err *err)
{
	int64_t nthreads = session->context->nthreads;

	threads_share((size_t)nthreads < session->nruns ? (int)nthreads : (int)session->nruns,
		      session->nruns, simulate_one, session);
	for (size_t i = 0; i < session->nruns; i++) {
		struct node_run *run = session->batch.at[i];

		write_run(session, run);
		if (run->status != 0) {
			*err = run->err;
			session->nruns = 0;
			return -1;
		}
		if (!run->is_cut)
			write_bound(session, run);
	}
	session->nruns = session->nrows = 0;
	return 0;
}

/* With one thread a run is simulated and written as it is read, in the memory of the jobs that are
 * alive; with several when some are read. */
static int end_run(struct cosched_session *session, struct err *err)
{
	struct node_run *run = session->batch.at[session->nruns - 1];
	int status;

	session->is_within_run = false;
	if (has_threads(session))
		return session->nrows < (size_t)session->context->nthreads * ROWS_OF_A_THREAD
			       ? 0
			       : simulate_batch(session, err);
	status = node_run_finish(run, err);
	write_run(session, run);
	if (status == 0)
		write_bound(session, run);
	session->nruns = 0;
	return status;
}

static int begin_run(struct cosched_session *session, const struct row *row, struct err *err)
{
	const char *run = row_text(row, session->from.run), *name = run != NULL ? run : ".";
	int64_t number = (int64_t)session->runs.n;

	if (session->nruns > 0) {
		const char *current = session->batch.at[session->nruns - 1]->name;

		if (str_eq(current != NULL ? current : ".", name))
			return 0;
		if (end_run(session, err) != 0)
			return -1;
	}
	if (map_add(&session->runs, name, strlen(name), number) != number)
		return row_error(
			row, err,
			"run: '%s' was there before: the rows of a run must be consecutive", name);
	if (session->nruns == session->batch.n)
		vec_push(&session->batch, node_run_new(&session->setup));
	session->batch.at[session->nruns]->pool = &session->pools[0];
	node_run_begin(session->batch.at[session->nruns++], run);
	session->is_within_run = true;
	session->result->nruns++;
	return 0;
}

static int take_row(struct cosched_session *session, const struct row *row, struct err *err)
{
	struct run_row taken = {.row = *row};
	struct node_run *run;
	int status;

	if (begin_run(session, row, err) != 0 || read_job(session, row, &taken.job, err) != 0)
		return -1;
	run = session->batch.at[session->nruns - 1];
	if (taken.job.arrival_ns < run->last_ns)
		return row_error(
			row, err,
			"submit_s goes back: the jobs of a run must be in the order of submission");
	tell(session, taken.job.kernel);
	taken.nodelist = row_text(row, session->from.nodelist);
	taken.reason = taken.job.kernel->too_small != 0 ? "no device has the memory"
							: "no device can run it";
	for (int d = 0; d < session->devices.n; d++)
		if (taken.job.kernel->slice_ns[d] > 0)
			taken.reason = NULL;
	node_run_add(run, &taken);
	session->nrows++;
	if (has_threads(session))
		return 0;
	status = node_run_go_on(run, err);
	write_run(session, run);
	return status;
}

static int open_all(struct cosched_session *session, char *const *paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct cosched_options *options = session->options;

	if (devices_load(&session->devices, options->devices, err) != 0 ||
	    kernels_read(&session->kernels, &session->devices, options->kernels, err) != 0)
		return -1;
	if (pick_parse(&session->pick, &node_policies, options->policy, err) != 0)
		return err_prefix(err, "--policy: ");
	session->policy = pick_text(&session->pick);
	session->rules.release_changed = options->release_changed;
	node_policy_set(&session->pick, &session->rules);
	if (table_open(&session->in, kinds, paths, session->context->accepts_partial, err) != 0)
		return -1;
	table_unique(session->in);
	session->setup = (struct node_setup){.devices = &session->devices,
					     .rules = &session->rules,
					     .ncolumns = table_ncolumns(session->in),
					     .keeps_spans = options->side.timeline != NULL,
					     .keeps_slices = options->side.slices != NULL,
					     .keeps_bound = options->side.bound != NULL};
	session->from.job = table_find(session->in, "job");
	session->from.run = table_find(session->in, "run");
	session->from.submit = table_find(session->in, "submit_s");
	session->from.app = table_find(session->in, "app");
	session->from.size = table_find(session->in, "size");
	session->from.init = table_find(session->in, "init_s");
	session->from.launches = table_find(session->in, "launches");
	session->from.priority = table_find(session->in, "priority");
	session->from.nodelist = table_find(session->in, "nodelist");
	return 0;
}

static void close_all(struct cosched_session *session)
{
	for (size_t i = 0; i < session->batch.n; i++)
		node_run_free(session->batch.at[i]);
	vec_free(&session->batch);
	for (int64_t i = 0; i < session->context->nthreads; i++)
		engine_pool_free(&session->pools[i]);
	free(session->pools);
	map_free(&session->runs);
	map_free(&session->told);
	free(session->policy);
	if (session->pick.entry != NULL)
		pick_free(&session->pick);
	table_close(session->in);
	kernels_free(&session->kernels);
	devices_free(&session->devices);
}

static void begin_output(struct cosched_session *session, struct out *out)
{
	session->table = table_out_new(out, &kind_jobs);
	table_out_like(session->table, session->in);
	session->to.start = table_out_column(session->table, "start_s");
	session->to.end = table_out_column(session->table, "end_s");
	session->to.policy = table_out_column(session->table, "policy");
	session->to.devices = table_out_column(session->table, "devices");
	session->to.switches = table_out_column(session->table, "switches");
	session->to.reason = table_out_column(session->table, "reason");
}

/* Of a run that breaks off what the jobs that were read show is simulated, with any number of
 * threads. Errors come in the order of the jobs. */
static int take_all(struct cosched_session *session, struct err *err)
{
	struct row row;
	struct err earlier;
	int status;

	while ((status = table_next(session->in, &row, err)) == 1)
		if ((status = take_row(session, &row, err)) != 0)
			break;
	if (session->nruns == 0)
		return status;
	if (status == 0 && end_run(session, err) != 0)
		return -1;
	if (!has_threads(session) || session->nruns == 0)
		return status;
	session->batch.at[session->nruns - 1]->is_cut = session->is_within_run;
	if (simulate_batch(session, &earlier) != 0) {
		*err = earlier;
		return -1;
	}
	return status;
}

int cosched_stream(const struct run_context *context, const struct cosched_options *options,
		   char *const *paths, struct cosched_result *result, struct err *err)
{
	struct cosched_session session = {
		.context = context,
		.options = options,
		.pools = xcalloc((size_t)context->nthreads, sizeof(engine_pool)),
		.result = result};
	struct out *out = NULL;
	struct err why;
	int status;

	*result = (struct cosched_result){0};
	status = open_all(&session, paths, err);
	if (status == 0)
		status =
			side_rows_open(&session.side, context, &options->side, session.policy, err);
	if (status == 0 && (status = out_open(&out, context->output, context->command, err)) == 0) {
		begin_output(&session, out);
		status = take_all(&session, err);
		result->is_whole = status == 0 && table_is_whole(session.in);
		table_out_end(session.table, result->is_whole);
		if (out_close(out, result->is_whole, status == 0 ? err : &why) != 0)
			status = -1;
	}
	if (side_rows_close(&session.side, result->is_whole, status == 0 ? err : &why) != 0)
		status = -1;
	close_all(&session);
	return status;
}
