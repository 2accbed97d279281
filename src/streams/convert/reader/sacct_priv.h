/* sacct_priv.h - what the parts of the reader of Slurm's accounting share */
#ifndef CONVERT_READER_SACCT_PRIV_H
#define CONVERT_READER_SACCT_PRIV_H

#include "base/mem.h"
#include "convert/reader/requeue.h"
#include "convert/reader/slurm_asks.h"
#include "convert/reader/slurm_fields.h"
#include "model/flow.h"

/* The fields that matter. In a row that has more separators than the line of names, a text must
 * have held some: the others say which. */
enum sacct_field {
	SACCT_JOB,
	SACCT_NAME,
	SACCT_USER,
	SACCT_PARTITION,
	SACCT_SUBMIT,
	SACCT_ELIGIBLE,
	SACCT_START,
	SACCT_END,
	SACCT_ELAPSED_RAW,
	SACCT_ELAPSED,
	SACCT_LIMIT_RAW,
	SACCT_LIMIT,
	SACCT_STATE,
	SACCT_NODES,
	SACCT_TRES,
	SACCT_REQUESTED_TRES,
	SACCT_CPUS,
	SACCT_MEMORY,
	SACCT_ACCOUNT,
	SACCT_CONSTRAINTS,
	SACCT_RESERVATION,
	SACCT_SEGMENT,
	SACCT_TASKS,
	SACCT_LINE,
	SACCT_NODELIST,
	SACCT_REASON,
	SACCT_NFIELDS
};

extern const char *const sacct_field_names[SACCT_NFIELDS][4];

/* A line of the map file: jobs whose name or program matches are of the application. */
struct app_rule {
	const char *pattern, *app;
};

struct sacct_reader {
	const struct reader_input *input;
	struct flow *flow;
	struct in *in;
	struct slurm_table table;
	int from[SACCT_NFIELDS]; /* columns of the listing; -1: absent */
	int job, submit, nodes, runtime, walltime, ranks, app, binary, user, partition, state,
		start, end, nodelist; /* of the flow */
	/* likewise; -1 where the listing does not contain them */
	int eligible, account, cpus, gpus, gpu_type, memory, features, reservation, segment,
		het_job, depends, state_reason;
	struct slurm_asks_columns asks;
	struct slurm_line line;
	struct buf depends_text;
	bool is_declared;
	bool app_is_name, app_is_binary;
	VEC(struct app_rule) rules;
	/* The job whose steps follow: its row as it was. */
	VEC(char *) held;
	long held_line;
	bool is_held;
	char *step_program; /* of its first step; NULL: none yet */
	int64_t step_tasks; /* 0: not known */
	long nsizeless;
	struct requeue requeue;
	struct arena arena, row;
};

static inline const char *sacct_cell(const struct sacct_reader *reading, enum sacct_field field)
{
	return slurm_cell(&reading->table, reading->from[field]);
}

/* state: the job's, or NULL. */
int sacct_put_times(struct sacct_reader *reading, const char *state, struct err *err);

/*
 * Joins what a text with separators was cut into; from [SACCT_NFIELDS] are the columns, -1: absent.
 * Returns -1 with a message when no text explains the row.
 */
int sacct_settle(struct slurm_table *table, const int *from, struct err *err);

#endif
