/* moment.h - which jobs of a log run at a time */
#ifndef MODEL_MOMENT_H
#define MODEL_MOMENT_H

#include "formats/table.h"

/*
 * Whether the job of a row runs at a time: from its start until just before its end; one without
 * an end has not ended. start and end: its columns; -1: not there. 1, 0, or -1: no such times.
 */
int row_runs_at(const struct row *row, int start, int end, int64_t at_ns, struct err *err);

#endif
