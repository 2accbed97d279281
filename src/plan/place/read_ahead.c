/* read_ahead.c - jobs as they come, some ahead of the queue, instead of whole runs */
#include "place/read_ahead.h"

#include <stdlib.h>

#include "place/logged.h"
#include "place/run/stock.h"

/* The jobs that are not over move up; their rows move to the other arena. */
static void keep_jobs(struct allocate_session *session, const int *number_of)
{
	struct arena *arena = &session->kept[session->turn ^= 1];
	size_t n = 0;

	arena_reset(arena);
	for (size_t i = 0; i < session->jobs.n; i++)
		if (number_of[i] >= 0) {
			struct row row = session->jobs.at[i].row;

			session_save_row(session, &row, arena);
			/* it was read before */
			job_read(&session->jobs.at[n], &session->columns, &row, &(struct err){0});
			if (session->options->replays)
				logged_anew(&session->jobs.at[n]);
			site_rules_complete(&session->schedule.rules, &session->jobs.at[n]);
			n++;
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
		session_save_row(session, row, &session->kept[session->turn]);
	} else {
		status = table_next(session->in, row, err);
	}
	if (status != 1)
		return status;
	if (!*is_first && !session_same_run(session->run_name, session_run_name(session, row))) {
		arena_reset(&session->first);
		session_save_row(session, row, &session->first);
		session->next = *row;
		session->has_next = true;
		return 0;
	}
	if (*is_first)
		session->run_name = xstrdup(session_run_name(session, row));
	return 1;
}

/* What can't be known of jobs as they come. */
static int refuse_job(const struct allocate_session *session, const struct job *job,
		      bool may_be_booked, struct err *err)
{
	const struct row *row = &job->row;

	if (session->options->replays && logged_is_open(job))
		return row_error(row, err,
				 "end_s: the job has not ended, and when the log ends is not known "
				 "with --read-ahead");
	if (!session->options->replays && job->nodelist != NULL && !may_be_booked)
		return row_error(row, err,
				 session->options->lists_candidates
					 ? "nodelist: --candidates with --read-ahead expects no "
					   "jobs that came with their nodes"
					 : "nodelist: the job came with its nodes: expected such "
					   "jobs before the others, or a greater --read-ahead");
	if (job->leaf_switches > 0)
		return row_error(row, err, "leaf_switches: not counted with --read-ahead");
	if (job->array_limit > 0)
		return row_error(row, err, "array_limit: not counted with --read-ahead");
	if (job->exclusive_topo)
		return row_error(row, err, "exclusive_topo: not counted with --read-ahead");
	if (job->het_job != NULL)
		return row_error(row, err, "het_job: not counted with --read-ahead");
	if (job->nodes_max > 0)
		return row_error(row, err,
				 "tasks: how many nodes they take is not known with --read-ahead");
	return 0;
}

static int read_more(void *context, const int *number_of, const struct job **jobs, int *njobs,
		     struct err *err)
{
	struct allocate_session *session = context;
	bool is_first, is_first_piece = session->run_name == NULL;
	int status = 1;

	keep_jobs(session, number_of);
	for (int nread = 0; nread < 2 * session->feed.nahead;) {
		struct job job;
		struct row row;

		status = next_of_run(session, &row, &is_first, err);
		if (status != 1)
			break;
		if (is_first && session_begin_run(session, &row, err) != 0)
			return -1;
		if (session->options->replays && session_pass_replayed(session, &row))
			continue;
		if (job_read(&job, &session->columns, &row, err) != 0)
			return -1;
		if (refuse_job(session, &job, is_first_piece && !session->options->lists_candidates,
			       err) != 0)
			return -1;
		if (session->options->replays) {
			session_write_recorded(session, &row);
			if (!logged_withdraws(&job, row_text(&row, session->columns.state)))
				logged_anew(&job);
		}
		site_rules_complete(&session->schedule.rules, &job);
		nread += job.nodelist == NULL;
		vec_push(&session->jobs, job);
	}
	*jobs = session->jobs.at;
	*njobs = (int)session->jobs.n;
	return status < 0 ? -1 : 0;
}

/* Candidates depend on the job alone: a few are read and listed at a time. */
static int list_piece_by_piece(struct allocate_session *session, struct err *err)
{
	const struct job *jobs;
	int status, n;

	do
		status = read_more(session, NULL, &jobs, &n, err);
	while (status == 0 && n > 0 && (status = session_end_run(session, err)) == 0);
	return status;
}

int read_ahead_all(struct allocate_session *session, struct err *err)
{
	const struct stock *stock = session->schedule.stock;
	const struct alloc_policy *policy = session->schedule.alloc->policy;
	int status;

	table_keep(session->in);
	table_unique(session->in);
	session->feed = (struct job_feed){
		.more = read_more,
		.context = session,
		.nahead = session->options->nahead,
		.may_share = stock != NULL &&
			     (session->columns.exclusive >= 0 || stock->sharings.of.n > 0),
		.may_select = stock != NULL ||
			      (session->columns.segment >= 0 && !policy->keeps_segments)};
	if (!session->options->lists_candidates)
		session->schedule.feed = &session->feed;
	do {
		status = session->options->lists_candidates
				 ? list_piece_by_piece(session, err)
				 : schedule_run(&session->schedule, NULL, NULL, 0, err);
		session->jobs.n = 0;
		free(session->run_name);
		session->run_name = NULL;
	} while (status == 0 && session->has_next);
	session->result->nheld = session->feed.nheld;
	return status;
}
