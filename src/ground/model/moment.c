/* moment.c - which jobs of a log run at a time */
#include "model/moment.h"

int row_runs_at(const struct row *row, int start, int end, int64_t at_ns, struct err *err)
{
	int64_t start_ns, end_ns;
	int has_start = row_seconds(row, start, "start_s", &start_ns, err);
	int has_end = has_start < 0 ? -1 : row_seconds(row, end, "end_s", &end_ns, err);

	if (has_end < 0)
		return -1;
	return has_start == 1 && start_ns <= at_ns && (has_end == 0 || at_ns < end_ns);
}
