/* moment.h - which jobs of a log run at a time */
#ifndef MODEL_MOMENT_H
#define MODEL_MOMENT_H

#include "formats/table.h"

/*
 * Whether the job of a row runs at a time: from its start until just before its end; one without
 * an end has not ended. start and end: its columns; -1: not there. 1, 0, or -1: no such times.
 */
int row_runs_at(const struct row *row, int start, int end, int64_t at_ns, struct err *err);

/* The same over a time: it waited or ran some time from since_ns to until_ns, both included; the
 * end of one that runs, as its state says, is not known. */
struct moment_columns {
	int submit, start, end, state;
};
void moment_bind(struct moment_columns *columns, const struct table_in *in);
int row_is_between(const struct row *row, const struct moment_columns *columns, int64_t since_ns,
		   int64_t until_ns, struct err *err);

#endif
