/* session.h - what a run of allocate has open, for the ways in which it reads jobs */
#ifndef PLACE_SESSION_H
#define PLACE_SESSION_H

#include "model/traffic_table.h"
#include "place/mapping_out.h"
#include "place/place.h"
#include "place/run/job_feed.h"

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
	struct lacking lacking;
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
	int64_t npassed;    /* rows that a replay left as they are: a policy placed them */
	unsigned asked;     /* by jobs: unheeded.h */
	struct map runs;    /* those that were there: their rows are consecutive */
	struct arena first; /* the cells of the run's first row */
};

/* The row outlives table_forget: its cells move into an arena. */
void session_save_row(const struct allocate_session *session, struct row *row, struct arena *arena);
/* Of a row; "." where it names none. */
const char *session_run_name(const struct allocate_session *session, const struct row *row);
bool session_same_run(const char *a, const char *b); /* NULL: none */
/* Refuses a run that was there before: it would start afresh, beside what it placed then. */
int session_begin_run(struct allocate_session *session, const struct row *row, struct err *err);
/* Places the jobs of a run that was read whole, or lists their candidates; forgets them. */
int session_end_run(struct allocate_session *session, struct err *err);

/* Writes a row of a log as it was recorded. */
void session_write_recorded(struct allocate_session *session, const struct row *row);
/* Writes a row as it is if a policy placed its job beside what was recorded, in a replay before
 * this one; false: none did. */
bool session_pass_replayed(struct allocate_session *session, const struct row *row);

#endif
