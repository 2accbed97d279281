/* session.c - what a run of allocate has open, for the ways in which it reads jobs */
#include "place/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "place/candidates.h"

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

int session_end_run(struct allocate_session *session, struct err *err)
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

bool session_same_run(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && str_eq(a, b));
}

/* The row outlives table_forget: its cells move into an arena. */
void session_save_row(const struct allocate_session *session, struct row *row, struct arena *arena)
{
	int n = table_ncolumns(session->in);
	char **cells = arena_alloc(arena, (size_t)n * sizeof(*cells));

	for (int i = 0; i < n; i++)
		cells[i] = arena_strndup(arena, row->cells[i], strlen(row->cells[i]));
	row->cells = cells;
}

const char *session_run_name(const struct allocate_session *session, const struct row *row)
{
	const char *run = row_text(row, session->columns.run);

	return run != NULL ? run : ".";
}

/* A run that comes back would start afresh, beside what it placed before. */
int session_begin_run(struct allocate_session *session, const struct row *row, struct err *err)
{
	const char *name = session_run_name(session, row);
	int64_t number = (int64_t)session->runs.n;

	if (map_add(&session->runs, name, strlen(name), number) == number)
		return 0;
	return row_error(row, err,
			 "run: '%s' was there before: the rows of a run must be consecutive", name);
}

void session_write_recorded(struct allocate_session *session, const struct row *row)
{
	table_out_pass(session->table, row);
	table_out_text(session->table, session->policy_column, JOB_RECORDED);
	table_out_emit(session->table);
}

bool session_pass_replayed(struct allocate_session *session, const struct row *row)
{
	const char *policy = row_text(row, table_find(session->in, "policy"));

	if (policy == NULL || str_eq(policy, JOB_RECORDED))
		return false;
	table_out_pass(session->table, row);
	table_out_emit(session->table);
	session->npassed++;
	return true;
}
