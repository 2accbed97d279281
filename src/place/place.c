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
#include "place/mapping_out.h"
#include "place/run/confine.h"
#include "place/run/eligible.h"
#include "place/run/job_feed.h"
#include "place/logged.h"
#include "place/node_states.h"
#include "place/site_tables.h"
#include "place/queue/queue.h"

/* A job of a log that has begun, and does not say when it ended. */
struct open_job {
	size_t job;
	int64_t start_ns;
};

struct allocate_session {
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
		nodes_asked, run, exclusive, partition, cpus_per_node;
	struct allocate_result *result;
	struct mapping_out *mapping; /* NULL: not requested */
	struct err map_err;
	bool has_map_err; /* it could not be written */

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
	struct allocate_session *session = context;
	struct table_out *table = session->table;

	table_out_pass(table, &session->jobs.at[i].row);
	if (!outcome->is_booked) {
		table_out_text(table, session->start, NULL);
		table_out_text(table, session->end, NULL);
		table_out_text(table, session->nodelist, outcome->nodelist);
		table_out_text(table, session->policy_column, session->policy);
		if (session->scheduler != NULL)
			table_out_text(table, session->scheduler_column, session->scheduler);
		if (session->io_nodelist >= 0)
			table_out_text(table, session->io_nodelist, outcome->io_nodelist);
	}
	if (outcome->cpus_per_node != NULL)
		table_out_text(table, session->cpus_per_node, outcome->cpus_per_node);
	if (outcome->partition != NULL)
		table_out_text(table, session->partition, outcome->partition);
	if (session->exclusive >= 0 && !outcome->is_booked && session->jobs.at[i].asks_share)
		table_out_text(table, session->exclusive, "no");
	if (session->nodes_asked >= 0) {
		table_out_int(table, session->nodes_asked, session->jobs.at[i].nnodes);
		if (outcome->nodelist != NULL)
			table_out_int(table, session->nodes, outcome->nnodes);
	}
	if (outcome->is_placed && outcome->start_ns != JOB_NO_TIME)
		table_out_seconds(table, session->start, outcome->start_ns);
	if (outcome->is_placed && outcome->end_ns != JOB_NO_TIME)
		table_out_seconds(table, session->end, outcome->end_ns);
	if (session->options->explains)
		table_out_text(table, session->reason, outcome->reason);
	table_out_emit(table);
	if (session->mapping != NULL && outcome->nodelist != NULL && !session->has_map_err)
		session->has_map_err = mapping_out_job(session->mapping, &session->jobs.at[i],
						       outcome->nodelist, &session->map_err) != 0;
	outcome_free_texts(outcome);
	session->result->nplaced += outcome->is_placed && !outcome->is_booked;
	session->result->nbooked += outcome->is_booked;
	session->result->nwaiting += !outcome->is_placed;
}

/* ---- what the jobs meet ---- */

static int open_policy(struct allocate_session *session, struct err *err)
{
	const struct alloc_policy *policy;

	if (pick_parse(&session->pick, &alloc_policies, session->options->policy, err) != 0)
		return err_prefix(err, "--policy: ");
	if (pick_parse(&session->queue, &queues, session->options->queue, err) != 0)
		return err_prefix(err, "--queue: ");
	policy = (const struct alloc_policy *)session->pick.entry;
	if (policy->wants_traffic && session->options->traffic == NULL)
		return err_set(err, "the policy %s needs --traffic", session->pick.entry->name);
	if (!policy->wants_traffic && session->options->traffic != NULL)
		warn_no_effect("--traffic", "the policy %s does not look at it",
			       session->pick.entry->name);
	session->policy = pick_text(&session->pick);
	if (((const struct queue_policy *)session->queue.entry)->is_recorded)
		session->scheduler = pick_text(&session->queue);
	return alloc_open(&session->alloc, &session->pick, session->topo,
			  session->context->accepts_partial, err);
}

/* Constraints, and I/O nodes where jobs ask for them. */
static int open_confine(struct allocate_session *session, struct err *err)
{
	const struct allocate_options *options = session->options;
	const struct confine *confine;
	bool asks_io = session->columns.io_nodes >= 0 || session->columns.io_pinned >= 0;
	bool is_planned = ((const struct queue_policy *)session->queue.entry)->plans_ahead;

	if (options->nconstraints == 0 && !asks_io && !options->lists_candidates)
		return 0;
	if (confine_open(&session->schedule.confine, session->topo, options->constraints,
			 options->nconstraints, options->routing, session->schedule.use, err) != 0)
		return -1;
	confine = session->schedule.confine;
	if (is_planned && confine->reads_running)
		return err_set(err,
			       "linkdisjoint: the links of jobs that are only "
			       "planned are not known: not with -q %s",
			       session->queue.entry->name);
	for (int i = 0; is_planned && asks_io && i < confine->list.space.npoints; i++)
		if (confine->list.space.points[i].is_exclusive)
			return err_set(err, "exclusive I/O nodes can't be planned: not with -q %s",
				       session->queue.entry->name);
	return 0;
}

static int open_all(struct allocate_session *session, char *const *paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const struct allocate_options *options = session->options;
	const struct run_context *context = session->context;
	bool accepts_partial = context->accepts_partial;

	if (table_open(&session->in, kinds, paths, accepts_partial, err) != 0 ||
	    topo_resolve(&session->topo, context->topology, session->in, err) != 0 ||
	    open_policy(session, err) != 0)
		return -1;
	if (options->traffic != NULL) {
		if (traffic_read(&session->traffic, session->topo, options->traffic,
				 accepts_partial, err) != 0)
			return -1;
		session->has_traffic = true;
	}
	schedule_init(&session->schedule, session->topo, &session->alloc, &session->queue);
	session->has_schedule = true;
	if ((options->nodes != NULL &&
	     site_tables_read(&session->schedule, options->nodes, accepts_partial, err) != 0) ||
	    (options->idle != NULL &&
	     nodes_set_idle(&session->schedule, options->idle, err) != 0) ||
	    (options->hosts != NULL && nodes_keep(&session->schedule, options->hosts, err) != 0))
		return -1;
	eligible_islands(&session->schedule.eligible, session->topo);
	if (options->replays || options->at_ns != JOB_NO_TIME)
		nodes_forget_jobs(&session->schedule);
	schedule_ready(&session->schedule);
	session->schedule.traffic = session->has_traffic ? &session->traffic : NULL;
	session->schedule.seed = context->seed;
	session->schedule.explains = options->explains;
	session->schedule.decided = write_job;
	session->schedule.context = session;
	job_columns_bind(&session->columns, session->in);
	return open_confine(session, err);
}

static void close_all(struct allocate_session *session)
{
	confine_close(session->schedule.confine);
	if (session->has_schedule)
		schedule_free(&session->schedule);
	if (session->has_traffic)
		traffic_free(&session->traffic);
	if (session->alloc.policy != NULL)
		alloc_close(&session->alloc);
	free(session->policy);
	free(session->scheduler);
	if (session->pick.entry != NULL)
		pick_free(&session->pick);
	if (session->queue.entry != NULL)
		pick_free(&session->queue);
	topo_free(session->topo);
	table_close(session->in);
	free(session->jobs.at);
	free(session->open_jobs.at);
	arena_free(&session->kept[0]);
	arena_free(&session->kept[1]);
	map_free(&session->runs);
	arena_free(&session->first);
}

static void begin_output(struct allocate_session *session, struct out *out)
{
	char seed[NUM_TEXT];

	session->table = table_out_new(out, &kind_jobs);
	table_out_like(session->table, session->in);
	topo_record(session->topo, session->table);
	snprintf(seed, sizeof(seed), "%llu", (unsigned long long)session->context->seed);
	table_out_meta(session->table, "seed", seed);
	session->start = table_out_column(session->table, "start_s");
	session->end = table_out_column(session->table, "end_s");
	session->nodelist = table_out_column(session->table, "nodelist");
	session->policy_column = table_out_column(session->table, "policy");
	if (session->scheduler != NULL)
		session->scheduler_column = table_out_column(session->table, "scheduler");
	session->io_nodelist = session->nodes_asked = session->exclusive = -1;
	if (session->columns.io_nodes >= 0 || session->columns.io_pinned >= 0)
		session->io_nodelist = table_out_column(session->table, "io_nodelist");
	session->nodes = table_out_column(session->table, "nodes");
	session->partition = session->columns.partition >= 0
				     ? table_out_column(session->table, "partition")
				     : -1;
	session->cpus_per_node = session->columns.nodes_max >= 0
					 ? table_out_column(session->table, "cpus_per_node")
					 : -1;
	if ((session->schedule.confine != NULL && session->schedule.confine->pads) ||
	    session->columns.nodes_max >= 0)
		session->nodes_asked = table_out_column(session->table, "nodes_asked");
	if (session->options->replays && session->schedule.stock != NULL)
		session->exclusive = table_out_column(session->table, "exclusive");
	if (session->options->lists_candidates)
		session->run = table_out_column(session->table, "run");
	if (session->options->explains)
		session->reason = table_out_column(session->table, "reason");
}

/* A node list that a job might get: a separate run, [RUN/]JOB/NUMBER. */
static void write_candidate(void *context, int i, int64_t number, const int *nodes, int n,
			    const int_vec *points)
{
	struct allocate_session *session = context;
	const struct job *job = &session->jobs.at[i];
	struct buf text = {0};

	session->result->nplaced += number == 1;
	session->result->nwaiting += number == 0;
	if (number == 0)
		return;
	table_out_pass(session->table, &job->row);
	buf_printf(&text, "%s%s%s/%lld", job->run != NULL ? job->run : "",
		   job->run != NULL ? "/" : "", job->name, (long long)number);
	table_out_text(session->table, session->run, text.text);
	buf_clear(&text);
	topo_nodelist_add(session->topo, nodes, (size_t)n, &text);
	table_out_text(session->table, session->nodelist, text.text);
	if (points->n > 0 && session->io_nodelist >= 0) {
		buf_clear(&text);
		io_list_add(&session->schedule.confine->list.space, points->at, points->n, &text);
		table_out_text(session->table, session->io_nodelist, text.text);
	}
	table_out_text(session->table, session->policy_column, session->policy);
	if (session->nodes_asked >= 0) {
		table_out_int(session->table, session->nodes_asked, job->nnodes);
		table_out_int(session->table, session->nodes, n);
	}
	table_out_emit(session->table);
	buf_free(&text);
}

/* ---- run by run ---- */

/* Jobs that still ran when the log was made ended with it. */
static void end_open_jobs(struct allocate_session *session)
{
	for (size_t i = 0; i < session->open_jobs.n; i++)
		session->jobs.at[session->open_jobs.at[i].job].runtime_ns =
			session->last_ns - session->open_jobs.at[i].start_ns;
	if (session->open_jobs.n > 0)
		warn("%zu jobs have no end: taken as the last time of the log",
		     session->open_jobs.n);
	session->open_jobs.n = 0;
	session->last_ns = INT64_MIN;
}

static int end_run(struct allocate_session *session, struct err *err)
{
	size_t n = session->jobs.n;
	struct outcome *outcomes = xcalloc(n, sizeof(*outcomes));
	int status;

	end_open_jobs(session);
	status =
		session->options->lists_candidates
			? candidates_run(&session->schedule, session->jobs.at, outcomes, (int)n,
					 write_candidate, session, err)
			: schedule_run(&session->schedule, session->jobs.at, outcomes, (int)n, err);

	for (size_t i = 0; i < n; i++)
		outcome_free(&outcomes[i]);
	free(outcomes);
	session->jobs.n = 0;
	return status;
}

static bool same_run(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && str_eq(a, b));
}

/* The row outlives table_forget: its cells move into an arena. */
static void save_row(const struct allocate_session *session, struct row *row, struct arena *arena)
{
	int n = table_ncolumns(session->in);
	char **cells = arena_alloc(arena, (size_t)n * sizeof(*cells));

	for (int i = 0; i < n; i++)
		cells[i] = arena_strndup(arena, row->cells[i], strlen(row->cells[i]));
	row->cells = cells;
}

static const char *run_name(const struct allocate_session *session, const struct row *row)
{
	const char *run = row_text(row, session->columns.run);

	return run != NULL ? run : ".";
}

/* A run that comes back would start afresh, beside what it placed before. */
static int begin_run(struct allocate_session *session, const struct row *row, struct err *err)
{
	const char *name = run_name(session, row);
	int64_t number = (int64_t)session->runs.n;

	if (map_add(&session->runs, name, strlen(name), number) == number)
		return 0;
	return row_error(row, err,
			 "run: '%s' was there before: the rows of a run must be consecutive", name);
}

static void note_time(struct allocate_session *session, int64_t time_ns)
{
	if (time_ns != JOB_NO_TIME && time_ns > session->last_ns)
		session->last_ns = time_ns;
}

/* Writes a row as it was recorded, and makes the job one that waits for its submission. */
static void replay(struct allocate_session *session, struct job *job)
{
	note_time(session, job->submit_ns);
	note_time(session, job->start_ns);
	note_time(session, job->end_ns);
	table_out_pass(session->table, &job->row);
	table_out_text(session->table, session->policy_column, JOB_RECORDED);
	table_out_emit(session->table);
	if (job->nodelist == NULL)
		return;
	if (job->start_ns != JOB_NO_TIME && job->end_ns == JOB_NO_TIME &&
	    job->runtime_ns == JOB_NO_TIME)
		vec_push(&session->open_jobs, (struct open_job){session->jobs.n, job->start_ns});
	if (job->submit_ns == JOB_NO_TIME)
		job->submit_ns = job->start_ns;
	logged_unplace(job);
}

/* Whether a policy placed the row's job beside what was recorded, in a replay before this one. */
static bool is_replayed(const struct allocate_session *session, const struct row *row)
{
	const char *policy = row_text(row, table_find(session->in, "policy"));

	return policy != NULL && !str_eq(policy, JOB_RECORDED);
}

static int pass_jobs(struct allocate_session *session, struct err *err)
{
	struct row row;
	int status;

	table_keep(session->in);
	table_unique(session->in);
	while ((status = table_next(session->in, &row, err)) == 1) {
		struct job job;

		if (session->jobs.n > 0 &&
		    !same_run(session->jobs.at[0].run, row_text(&row, session->columns.run))) {
			if (end_run(session, err) != 0)
				return -1;
			arena_reset(&session->first);
			save_row(session, &row, &session->first);
			table_forget(session->in);
		}
		if (session->options->replays && is_replayed(session, &row)) {
			table_out_pass(session->table, &row);
			table_out_emit(session->table);
			continue;
		}
		if (job_read(&job, &session->columns, &row, err) != 0)
			return -1;
		if (session->options->at_ns != JOB_NO_TIME &&
		    !logged_was_there(&job, session->options->at_ns))
			continue;
		if (session->jobs.n == 0 && begin_run(session, &row, err) != 0)
			return -1;
		if (session->options->replays)
			replay(session, &job);
		site_rules_complete(&session->schedule.rules, &job);
		vec_push(&session->jobs, job);
	}
	return status == 0 && session->jobs.n > 0 ? end_run(session, err) : status;
}

/* ---- as they come ---- */

/* The jobs that are not over move up; their rows move to the other arena. */
static void keep_jobs(struct allocate_session *session, const int *number_of)
{
	struct arena *arena = &session->kept[session->turn ^= 1];
	size_t n = 0;

	arena_reset(arena);
	for (size_t i = 0; i < session->jobs.n; i++)
		if (number_of[i] >= 0) {
			struct row row = session->jobs.at[i].row;

			save_row(session, &row, arena);
			/* it was read before */
			job_read(&session->jobs.at[n++], &session->columns, &row, &(struct err){0});
		}
	session->jobs.n = n;
	table_forget(session->in);
}

/* A row of the run; the first one of the next run waits. 1; 0: the run has ended; -1 */
static int next_of_run(struct allocate_session *session, struct row *row, bool *is_first,
		       struct err *err)
{
	int status = 1;

	*is_first = session->run_name == NULL;
	if (!*is_first && session->has_next)
		return 0;
	if (*is_first && session->has_next) {
		*row = session->next;
		session->has_next = false;
		save_row(session, row, &session->kept[session->turn]);
	} else {
		status = table_next(session->in, row, err);
	}
	if (status != 1)
		return status;
	if (!*is_first && !same_run(session->run_name, run_name(session, row))) {
		arena_reset(&session->first);
		save_row(session, row, &session->first);
		session->next = *row;
		session->has_next = true;
		return 0;
	}
	if (*is_first)
		session->run_name = xstrdup(run_name(session, row));
	return 1;
}

static int read_more(void *context, const int *number_of, const struct job **jobs, int *njobs,
		     struct err *err)
{
	struct allocate_session *session = context;
	bool is_first;
	int status = 1;

	keep_jobs(session, number_of);
	for (int i = 0; i < 2 * session->feed.nahead; i++) {
		struct job job;
		struct row row;

		status = next_of_run(session, &row, &is_first, err);
		if (status != 1)
			break;
		if ((is_first && begin_run(session, &row, err) != 0) ||
		    job_read(&job, &session->columns, &row, err) != 0)
			return -1;
		if (job.nodelist != NULL)
			return row_error(&row, err,
					 "nodelist: the job came with its nodes: all such jobs are "
					 "booked before any other starts, not with --read-ahead");
		if ((job.asks_share && session->schedule.stock != NULL) || job.segment > 0 ||
		    job.leaf_switches > 0 || job.exclusive_topo || job.het_job != NULL ||
		    job.nodes_max > 0)
			return row_error(&row, err,
					 "jobs that share nodes, segments, leaf switches and "
					 "components are not counted with --read-ahead");
		vec_push(&session->jobs, job);
	}
	*jobs = session->jobs.at;
	*njobs = (int)session->jobs.n;
	return status < 0 ? -1 : 0;
}

static int pass_as_they_come(struct allocate_session *session, struct err *err)
{
	int status;

	if (session->options->replays || session->options->lists_candidates)
		return err_set(err, "--read-ahead goes with neither --replay nor --candidates");
	if (session->schedule.stock != NULL)
		return err_set(err, "--read-ahead: what nodes have is known, and all jobs of a run "
				    "are looked at for it");
	table_keep(session->in);
	table_unique(session->in);
	session->feed = (struct job_feed){read_more, session, session->options->nahead};
	session->schedule.feed = &session->feed;
	do {
		status = schedule_run(&session->schedule, NULL, NULL, 0, err);
		session->jobs.n = 0;
		free(session->run_name);
		session->run_name = NULL;
	} while (status == 0 && session->has_next);
	return status;
}

static int pass_all(struct allocate_session *session, struct err *err)
{
	int status = session->options->nahead > 0 ? pass_as_they_come(session, err)
						  : pass_jobs(session, err);

	if (status == 0 && session->has_map_err) {
		*err = session->map_err;
		status = -1;
	}
	return status;
}

int allocate_stream(const struct run_context *context, const struct allocate_options *options,
		    char *const *paths, struct allocate_result *result, struct err *err)
{
	struct allocate_session session = {
		.context = context, .options = options, .result = result, .last_ns = INT64_MIN};
	struct out *out = NULL;
	int status = open_all(&session, paths, err);

	*result = (struct allocate_result){0};
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0 && options->mapping != NULL)
		status = mapping_out_open(&session.mapping, options->mapping, context,
					  &session.alloc, err);
	if (status == 0) {
		begin_output(&session, out);
		status = pass_all(&session, err);
		result->is_whole = status == 0 && table_is_whole(session.in) &&
				   (!session.has_traffic || session.traffic.is_whole);
		if (session.schedule.confine != NULL)
			result->ngave_up = session.schedule.confine->ngave_up;
		status = mapping_out_close(session.mapping, status, result->is_whole, err);
		table_out_end(session.table, result->is_whole);
	}
	status = out_finish(out, status, status == 0 && result->is_whole, err);
	close_all(&session);
	return status;
}
