/* place.c - a jobs stream gets its nodes */
#include "place/read_ahead.h"

#include <math.h>
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
#include "place/logged.h"
#include "place/node_states.h"
#include "place/site_tables.h"
#include "place/unheeded.h"
#include "place/queue/queue.h"

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
	if (session->jobs.at[i].is_withdrawn && session->jobs.at[i].end_ns != JOB_NO_TIME)
		table_out_seconds(table, session->end, session->jobs.at[i].end_ns);
	if (session->options->explains)
		table_out_text(table, session->reason, outcome->reason);
	table_out_emit(table);
	if (session->mapping != NULL && outcome->nodelist != NULL && !session->has_map_err)
		session->has_map_err = mapping_out_job(session->mapping, &session->jobs.at[i],
						       outcome->nodelist, &session->map_err) != 0;
	outcome_free_texts(outcome);
	unheeded_note(&session->jobs.at[i], &session->asked);
	session->result->nplaced += outcome->is_placed && !outcome->is_booked;
	session->result->nbooked += outcome->is_booked;
	session->result->nwaiting += !outcome->is_placed && !session->jobs.at[i].is_withdrawn;
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
	bool asks_io = session->columns.io_nodes >= 0 || session->columns.io_pinned >= 0;

	if (options->nconstraints == 0 && !asks_io && !options->lists_candidates)
		return 0;
	return confine_open(&session->schedule.confine, session->topo, options->constraints,
			    options->nconstraints, options->routing, session->schedule.use, err);
}

/* Counters that say nothing of any router are no counters. */
static int check_traffic(const struct allocate_session *session, struct err *err)
{
	const struct alloc_policy *policy = session->alloc.policy;
	const struct traffic *traffic = &session->traffic;

	if (!policy->wants_traffic || traffic->nwindows == 0)
		return 0;
	for (int i = 0; i < traffic->nwindows; i++) {
		const struct traffic_window *window = &traffic->windows[i];

		for (int r = 0; r < traffic->nrouters; r++)
			if (!isnan(policy->wants_stall ? window->stall[r] : window->traffic[r]))
				return 0;
	}
	return err_set(err, "--traffic: no router has a value of %s, which the policy %s goes by",
		       policy->wants_stall ? "stall_per_s" : "its traffic",
		       session->pick.entry->name);
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
		if (check_traffic(session, err) != 0)
			return -1;
	}
	schedule_init(&session->schedule, session->topo, &session->alloc, &session->queue);
	session->has_schedule = true;
	session->schedule.lacking = context->is_strict ? NULL : &session->lacking;
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
	session->schedule.max_age_ns =
		session->alloc.policy->wants_traffic && pick_has(&session->pick, "max-age")
			? (int64_t)(pick_real(&session->pick, "max-age") * 1e9)
			: JOB_NO_TIME;
	session->schedule.seed = context->seed;
	session->schedule.explains = options->explains;
	session->schedule.decided = write_job;
	session->schedule.by_end = options->by_end;
	session->schedule.context = session;
	job_columns_bind(&session->columns, session->in);
	return open_confine(session, err);
}

/* Nodes of jobs and tables that the machine lacks, once. */
static void report_lacking(struct lacking *lacking)
{
	char *text = lacking_text(lacking);

	if (text != NULL)
		warn("%s", text);
	free(text);
}

static void close_all(struct allocate_session *session)
{
	lacking_free(&session->lacking);
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

/* ---- run by run ---- */

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
	session_write_recorded(session, &job->row);
	if (logged_is_open(job))
		vec_push(&session->open_jobs, (struct open_job){session->jobs.n, job->start_ns});
	if (!logged_withdraws(job, row_text(&job->row, session->columns.state)))
		logged_anew(job);
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
		    !session_same_run(session->jobs.at[0].run,
				      row_text(&row, session->columns.run))) {
			if (session_end_run(session, err) != 0)
				return -1;
			arena_reset(&session->first);
			session_save_row(session, &row, &session->first);
			table_forget(session->in);
		}
		if (session->options->replays && session_pass_replayed(session, &row))
			continue;
		if (job_read(&job, &session->columns, &row, err) != 0)
			return -1;
		if (session->options->at_ns != JOB_NO_TIME &&
		    !logged_was_there(&job, session->options->at_ns))
			continue;
		if (session->jobs.n == 0 && session_begin_run(session, &row, err) != 0)
			return -1;
		if (session->options->replays)
			replay(session, &job);
		site_rules_complete(&session->schedule.rules, &job);
		vec_push(&session->jobs, job);
	}
	return status == 0 && session->jobs.n > 0 ? session_end_run(session, err) : status;
}

static int pass_all(struct allocate_session *session, struct err *err)
{
	int status = session->options->nahead > 0 ? read_ahead_all(session, err)
						  : pass_jobs(session, err);

	if (status == 0 && session->has_map_err) {
		*err = session->map_err;
		status = -1;
	}
	return status;
}

/* Jobs that wait for them may wait long: the definition alone does not say why. */
static void report_searches(const struct confine *confine)
{
	if (confine != NULL && confine->gave_up.n > 0)
		warn("searches for nodes that gave up (effort=): %lld, for %zu jobs",
		     (long long)confine->gave_up.n, confine->gave_up.jobs.n);
	if (confine != NULL && confine->left_out.n > 0)
		warn("searches for nodes left out (large machine): %lld, for %zu jobs",
		     (long long)confine->left_out.n, confine->left_out.jobs.n);
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
		if (status == 0)
			unheeded_report(session.asked, &session.schedule);
		if (status == 0 && session.npassed > 0 && session.runs.n == 0)
			warn_no_effect("--replay",
				       "a policy placed every job, and none is recorded");
		status = mapping_out_close(session.mapping, status, result->is_whole, err);
		table_out_end(session.table, result->is_whole);
	}
	status = out_finish(out, status, status == 0 && result->is_whole, err);
	if (status == 0)
		report_searches(session.schedule.confine);
	if (status == 0)
		report_lacking(&session.lacking);
	close_all(&session);
	return status;
}
