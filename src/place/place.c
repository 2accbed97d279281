/* place.c - a jobs stream gets its nodes */
#include "place/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/load.h"
#include "base/die.h"
#include "base/names.h"
#include "base/num.h"
#include "formats/out.h"
#include "model/kinds.h"
#include "place/candidates.h"
#include "place/run/confine.h"
#include "place/run/eligible.h"
#include "place/run/job_feed.h"
#include "place/node_states.h"
#include "place/queue/queue.h"

/* A job of a log that has begun, and does not say when it ended. */
struct open_job {
	size_t job;
	int64_t start_ns;
};

struct work {
	const struct run_context *context;
	const struct allocate_options *options;
	struct table_in *in;
	struct table_out *table;
	struct topo *topo;
	struct pick pick, queue;
	char *policy, *scheduler; /* as the columns say it; scheduler NULL: no queue */
	struct alloc alloc;
	struct traffic traffic;
	bool has_traffic, has_schedule;
	struct schedule schedule;
	struct job_columns columns;
	/* of the output; -1: not there */
	int start, end, nodelist, policy_column, scheduler_column, reason, io_nodelist, nodes,
		nodes_asked, run, exclusive;
	struct allocate_result *result;

	VEC(struct job) jobs; /* of one run */
	struct job_feed feed;
	struct arena kept[2]; /* rows that stay when others are over, in turn */
	int turn;
	struct row next; /* the first row of the next run, if it was read; in first */
	bool has_next;
	char *run_name;                 /* of the run that is read; NULL: none is */
	int64_t last_ns;                /* the latest time that a log to replay names */
	VEC(struct open_job) open_jobs; /* of it, that have no end */
	struct map runs;                /* those that were there: their rows are consecutive */
	struct arena first;             /* the cells of the run's first row */
};

/* ---- writing ---- */

/* A job of the run is decided, and all before it. */
static void write_job(void *context, int i, struct outcome *outcome)
{
	struct work *work = context;
	struct table_out *table = work->table;

	table_out_pass(table, &work->jobs.at[i].row);
	if (!outcome->is_booked) {
		table_out_text(table, work->start, NULL);
		table_out_text(table, work->end, NULL);
		table_out_text(table, work->nodelist, outcome->nodelist);
		table_out_text(table, work->policy_column, work->policy);
		if (work->scheduler != NULL)
			table_out_text(table, work->scheduler_column, work->scheduler);
		if (work->io_nodelist >= 0)
			table_out_text(table, work->io_nodelist, outcome->io_nodelist);
	}
	if (work->exclusive >= 0 && !outcome->is_booked && work->jobs.at[i].asks_share)
		table_out_text(table, work->exclusive, "no");
	if (work->nodes_asked >= 0) {
		table_out_int(table, work->nodes_asked, work->jobs.at[i].nnodes);
		if (outcome->nodelist != NULL)
			table_out_int(table, work->nodes, outcome->nnodes);
	}
	if (outcome->is_placed && outcome->start_ns != JOB_NO_TIME)
		table_out_seconds(table, work->start, outcome->start_ns);
	if (outcome->is_placed && outcome->end_ns != JOB_NO_TIME)
		table_out_seconds(table, work->end, outcome->end_ns);
	if (work->options->explains)
		table_out_text(table, work->reason, outcome->reason);
	table_out_emit(table);
	free(outcome->nodelist);
	free(outcome->io_nodelist);
	free(outcome->reason);
	outcome->nodelist = outcome->io_nodelist = outcome->reason = NULL;
	work->result->nplaced += outcome->is_placed && !outcome->is_booked;
	work->result->nbooked += outcome->is_booked;
	work->result->nwaiting += !outcome->is_placed;
}

/* ---- what the jobs meet ---- */

static int open_policy(struct work *work, struct err *err)
{
	const struct alloc_policy *policy;

	if (pick_parse(&work->pick, &alloc_policies, work->options->policy, err) != 0)
		return err_prefix(err, "--policy: ");
	if (pick_parse(&work->queue, &queues, work->options->queue, err) != 0)
		return err_prefix(err, "--queue: ");
	policy = (const struct alloc_policy *)work->pick.entry;
	if (policy->wants_traffic && work->options->traffic == NULL)
		return err_set(err, "the policy %s needs --traffic", work->pick.entry->name);
	if (!policy->wants_traffic && work->options->traffic != NULL)
		warn_no_effect("--traffic", "the policy %s does not look at it",
			       work->pick.entry->name);
	work->policy = pick_text(&work->pick);
	if (((const struct queue_policy *)work->queue.entry)->is_recorded)
		work->scheduler = pick_text(&work->queue);
	return alloc_open(&work->alloc, &work->pick, work->topo, work->context->accepts_partial,
			  err);
}

/* Constraints, and I/O nodes where jobs ask for them. */
static int open_confine(struct work *work, struct err *err)
{
	const struct allocate_options *options = work->options;
	const struct confine *confine;
	bool asks_io = work->columns.io_nodes >= 0 || work->columns.io_pinned >= 0;
	bool is_planned = ((const struct queue_policy *)work->queue.entry)->plans_ahead;

	if (options->nconstraints == 0 && !asks_io && !options->lists_candidates)
		return 0;
	if (confine_open(&work->schedule.confine, work->topo, options->constraints,
			 options->nconstraints, options->routing, work->schedule.use, err) != 0)
		return -1;
	confine = work->schedule.confine;
	if (is_planned && confine->reads_running)
		return err_set(err,
			       "linkdisjoint: the links of jobs that are only "
			       "planned are not known: not with -q %s",
			       work->queue.entry->name);
	for (int i = 0; is_planned && asks_io && i < confine->list.space.npoints; i++)
		if (confine->list.space.points[i].is_exclusive)
			return err_set(err, "exclusive I/O nodes can't be planned: not with -q %s",
				       work->queue.entry->name);
	return 0;
}

static int open_all(struct work *work, char *const *paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct allocate_options *options = work->options;
	const struct run_context *context = work->context;
	bool accepts_partial = context->accepts_partial;

	if (table_open(&work->in, kinds, paths, accepts_partial, err) != 0 ||
	    topo_resolve(&work->topo, context->topology, work->in, err) != 0 ||
	    open_policy(work, err) != 0)
		return -1;
	if (options->traffic != NULL) {
		if (traffic_read(&work->traffic, work->topo, options->traffic, accepts_partial,
				 err) != 0)
			return -1;
		work->has_traffic = true;
	}
	schedule_init(&work->schedule, work->topo, &work->alloc, &work->queue);
	work->has_schedule = true;
	if ((options->nodes != NULL &&
	     nodes_read(&work->schedule, options->nodes, accepts_partial, err) != 0) ||
	    (options->idle != NULL && nodes_set_idle(&work->schedule, options->idle, err) != 0))
		return -1;
	eligible_islands(&work->schedule.eligible, work->topo);
	if (options->replays)
		nodes_forget_jobs(&work->schedule);
	schedule_ready(&work->schedule);
	work->schedule.traffic = work->has_traffic ? &work->traffic : NULL;
	work->schedule.seed = context->seed;
	work->schedule.explains = options->explains;
	work->schedule.decided = write_job;
	work->schedule.context = work;
	job_columns_bind(&work->columns, work->in);
	return open_confine(work, err);
}

static void close_all(struct work *work)
{
	confine_close(work->schedule.confine);
	if (work->has_schedule)
		schedule_free(&work->schedule);
	if (work->has_traffic)
		traffic_free(&work->traffic);
	if (work->alloc.policy != NULL)
		alloc_close(&work->alloc);
	free(work->policy);
	free(work->scheduler);
	if (work->pick.entry != NULL)
		pick_free(&work->pick);
	if (work->queue.entry != NULL)
		pick_free(&work->queue);
	topo_free(work->topo);
	table_close(work->in);
	free(work->jobs.at);
	free(work->open_jobs.at);
	arena_free(&work->kept[0]);
	arena_free(&work->kept[1]);
	map_free(&work->runs);
	arena_free(&work->first);
}

static void begin_output(struct work *work, struct out *out)
{
	char seed[NUM_TEXT];

	work->table = table_out_new(out, &kind_jobs);
	table_out_like(work->table, work->in);
	topo_record(work->topo, work->table);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)work->context->seed);
	table_out_meta(work->table, "seed", seed);
	work->start = table_out_column(work->table, "start_s");
	work->end = table_out_column(work->table, "end_s");
	work->nodelist = table_out_column(work->table, "nodelist");
	work->policy_column = table_out_column(work->table, "policy");
	if (work->scheduler != NULL)
		work->scheduler_column = table_out_column(work->table, "scheduler");
	work->io_nodelist = work->nodes_asked = work->exclusive = -1;
	if (work->columns.io_nodes >= 0 || work->columns.io_pinned >= 0)
		work->io_nodelist = table_out_column(work->table, "io_nodelist");
	work->nodes = table_out_column(work->table, "nodes");
	if (work->schedule.confine != NULL && work->schedule.confine->pads)
		work->nodes_asked = table_out_column(work->table, "nodes_asked");
	if (work->options->replays && work->schedule.stock != NULL)
		work->exclusive = table_out_column(work->table, "exclusive");
	if (work->options->lists_candidates)
		work->run = table_out_column(work->table, "run");
	if (work->options->explains)
		work->reason = table_out_column(work->table, "reason");
}

/* A node list that a job might get: a separate run, [RUN/]JOB/NUMBER. */
static void write_candidate(void *context, int i, int64_t number, const int *nodes, int n,
			    const int_vec *points)
{
	struct work *work = context;
	const struct job *job = &work->jobs.at[i];
	struct buf text = {0};

	work->result->nplaced += number == 1;
	work->result->nwaiting += number == 0;
	if (number == 0)
		return;
	table_out_pass(work->table, &job->row);
	buf_printf(&text, "%s%s%s/%lld", job->run != NULL ? job->run : "",
		   job->run != NULL ? "/" : "", job->name, (long long)number);
	table_out_text(work->table, work->run, text.text);
	buf_clear(&text);
	topo_nodelist_add(work->topo, nodes, (size_t)n, &text);
	table_out_text(work->table, work->nodelist, text.text);
	if (points->n > 0 && work->io_nodelist >= 0) {
		buf_clear(&text);
		io_list_add(&work->schedule.confine->list.space, points->at, points->n, &text);
		table_out_text(work->table, work->io_nodelist, text.text);
	}
	table_out_text(work->table, work->policy_column, work->policy);
	if (work->nodes_asked >= 0) {
		table_out_int(work->table, work->nodes_asked, job->nnodes);
		table_out_int(work->table, work->nodes, n);
	}
	table_out_emit(work->table);
	buf_free(&text);
}

/* ---- run by run ---- */

/* Jobs that still ran when the log was made ended with it. */
static void end_open_jobs(struct work *work)
{
	for (size_t i = 0; i < work->open_jobs.n; i++)
		work->jobs.at[work->open_jobs.at[i].job].runtime_ns =
			work->last_ns - work->open_jobs.at[i].start_ns;
	if (work->open_jobs.n > 0)
		warn("%zu jobs have no end: taken as the last time of the log", work->open_jobs.n);
	work->open_jobs.n = 0;
	work->last_ns = INT64_MIN;
}

static int end_run(struct work *work, struct err *err)
{
	size_t n = work->jobs.n;
	struct outcome *outcomes = xcalloc(n, sizeof(*outcomes));
	int status;

	end_open_jobs(work);
	status = work->options->lists_candidates
			 ? candidates_run(&work->schedule, work->jobs.at, outcomes, (int)n,
					  write_candidate, work, err)
			 : schedule_run(&work->schedule, work->jobs.at, outcomes, (int)n, err);

	for (size_t i = 0; i < n; i++)
		outcome_free(&outcomes[i]);
	free(outcomes);
	work->jobs.n = 0;
	return status;
}

static bool same_run(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && str_eq(a, b));
}

/* The row outlives table_forget: its cells move into an arena. */
static void save_row(const struct work *work, struct row *row, struct arena *arena)
{
	int n = table_ncolumns(work->in);
	char **cells = arena_alloc(arena, (size_t)n * sizeof(*cells));

	for (int i = 0; i < n; i++)
		cells[i] = arena_strndup(arena, row->cells[i], strlen(row->cells[i]));
	row->cells = cells;
}

static const char *run_name(const struct work *work, const struct row *row)
{
	const char *run = row_text(row, work->columns.run);

	return run != NULL ? run : ".";
}

/* A run that comes back would start afresh, beside what it placed before. */
static int begin_run(struct work *work, const struct row *row, struct err *err)
{
	const char *name = run_name(work, row);
	int64_t number = (int64_t)work->runs.n;

	if (map_add(&work->runs, name, strlen(name), number) == number)
		return 0;
	return row_error(row, err,
			 "run: '%s' was there before: the rows of a run must be consecutive", name);
}

static void note_time(struct work *work, int64_t time_ns)
{
	if (time_ns != JOB_NO_TIME && time_ns > work->last_ns)
		work->last_ns = time_ns;
}

/* Writes a row as it was recorded, and makes the job one that waits for its submission. */
static void replay(struct work *work, struct job *job)
{
	note_time(work, job->submit_ns);
	note_time(work, job->start_ns);
	note_time(work, job->end_ns);
	if (job->nodelist == NULL)
		return;
	table_out_pass(work->table, &job->row);
	table_out_text(work->table, work->policy_column, JOB_RECORDED);
	table_out_emit(work->table);
	job->asks_share |= job->is_shared;
	job->cpus_per_node = job->gpus_per_node = job->memory_per_node = NULL;
	if (job->start_ns != JOB_NO_TIME && job->end_ns != JOB_NO_TIME)
		job->runtime_ns = job->end_ns - job->start_ns;
	else if (job->start_ns != JOB_NO_TIME && job->runtime_ns == JOB_NO_TIME)
		vec_push(&work->open_jobs, (struct open_job){work->jobs.n, job->start_ns});
	if (job->submit_ns == JOB_NO_TIME)
		job->submit_ns = job->start_ns;
	job->start_ns = job->end_ns = JOB_NO_TIME;
	job->nodelist = job->io_nodelist = NULL;
}

static int pass_jobs(struct work *work, struct err *err)
{
	struct row row;
	int status;

	table_keep(work->in);
	table_unique(work->in);
	while ((status = table_next(work->in, &row, err)) == 1) {
		struct job job;

		if (work->jobs.n > 0 &&
		    !same_run(work->jobs.at[0].run, row_text(&row, work->columns.run))) {
			if (end_run(work, err) != 0)
				return -1;
			arena_reset(&work->first);
			save_row(work, &row, &work->first);
			table_forget(work->in);
		}
		if ((work->jobs.n == 0 && begin_run(work, &row, err) != 0) ||
		    job_read(&job, &work->columns, &row, err) != 0)
			return -1;
		if (work->options->replays)
			replay(work, &job);
		vec_push(&work->jobs, job);
	}
	return status == 0 && work->jobs.n > 0 ? end_run(work, err) : status;
}

/* ---- as they come ---- */

/* The jobs that are not over move up; their rows move to the other arena. */
static void keep_jobs(struct work *work, const int *number_of)
{
	struct arena *arena = &work->kept[work->turn ^= 1];
	size_t n = 0;

	arena_reset(arena);
	for (size_t i = 0; i < work->jobs.n; i++)
		if (number_of[i] >= 0) {
			struct row row = work->jobs.at[i].row;

			save_row(work, &row, arena);
			/* it was read before */
			job_read(&work->jobs.at[n++], &work->columns, &row, &(struct err){0});
		}
	work->jobs.n = n;
	table_forget(work->in);
}

/* A row of the run; the first one of the next run waits. 1; 0: the run has ended; -1 */
static int next_of_run(struct work *work, struct row *row, bool *is_first, struct err *err)
{
	int status = 1;

	*is_first = work->run_name == NULL;
	if (!*is_first && work->has_next)
		return 0;
	if (*is_first && work->has_next) {
		*row = work->next;
		work->has_next = false;
		save_row(work, row, &work->kept[work->turn]);
	} else {
		status = table_next(work->in, row, err);
	}
	if (status != 1)
		return status;
	if (!*is_first && !same_run(work->run_name, run_name(work, row))) {
		arena_reset(&work->first);
		save_row(work, row, &work->first);
		work->next = *row;
		work->has_next = true;
		return 0;
	}
	if (*is_first)
		work->run_name = xstrdup(run_name(work, row));
	return 1;
}

static int read_more(void *context, const int *number_of, const struct job **jobs, int *njobs,
		     struct err *err)
{
	struct work *work = context;
	bool is_first;
	int status = 1;

	keep_jobs(work, number_of);
	for (int i = 0; i < 2 * work->feed.nahead; i++) {
		struct job job;
		struct row row;

		status = next_of_run(work, &row, &is_first, err);
		if (status != 1)
			break;
		if ((is_first && begin_run(work, &row, err) != 0) ||
		    job_read(&job, &work->columns, &row, err) != 0)
			return -1;
		if (job.nodelist != NULL)
			return row_error(&row, err,
					 "nodelist: the job came with its nodes: all such jobs are "
					 "booked before any other starts, not with --read-ahead");
		if ((job.asks_share && work->schedule.stock != NULL) || job.segment > 0)
			return row_error(&row, err,
					 "jobs that share nodes and segments are not counted with "
					 "--read-ahead");
		vec_push(&work->jobs, job);
	}
	*jobs = work->jobs.at;
	*njobs = (int)work->jobs.n;
	return status < 0 ? -1 : 0;
}

static int pass_as_they_come(struct work *work, struct err *err)
{
	int status;

	if (work->options->replays || work->options->lists_candidates)
		return err_set(err, "--read-ahead goes with neither --replay nor --candidates");
	if (work->schedule.stock != NULL)
		return err_set(err, "--read-ahead: what nodes have is known, and all jobs of a run "
				    "are looked at for it");
	table_keep(work->in);
	table_unique(work->in);
	work->feed = (struct job_feed){read_more, work, work->options->nahead};
	work->schedule.feed = &work->feed;
	do {
		status = schedule_run(&work->schedule, NULL, NULL, 0, err);
		work->jobs.n = 0;
		free(work->run_name);
		work->run_name = NULL;
	} while (status == 0 && work->has_next);
	return status;
}

int allocate_stream(const struct run_context *context, const struct allocate_options *options,
		    char *const *paths, struct allocate_result *result, struct err *err)
{
	struct work work = {
		.context = context, .options = options, .result = result, .last_ns = INT64_MIN};
	struct out *out = NULL;
	int status = open_all(&work, paths, err);

	*result = (struct allocate_result){0};
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0) {
		begin_output(&work, out);
		status =
			options->nahead > 0 ? pass_as_they_come(&work, err) : pass_jobs(&work, err);
		result->is_whole = status == 0 && table_is_whole(work.in) &&
				   (!work.has_traffic || work.traffic.is_whole);
		if (work.schedule.confine != NULL)
			result->ngave_up = work.schedule.confine->ngave_up;
		table_out_end(work.table, result->is_whole);
		status = out_finish(out, status, result->is_whole, err);
	}
	close_all(&work);
	return status;
}
