/* sacct_priv.h - what the parts of the reader of Slurm's accounting share */
#ifndef CONVERT_READER_SACCT_PRIV_H
#define CONVERT_READER_SACCT_PRIV_H

#include "convert/reader/slurm_fields.h"

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
	SACCT_NFIELDS
};

/*
 * Joins what a text with separators was cut into; from [SACCT_NFIELDS] are the columns, -1: absent.
 * Returns -1 with a message when no text explains the row.
 */
int sacct_settle(struct slurm_table *table, const int *from, struct err *err);

#endif
