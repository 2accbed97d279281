/* moment.c - which jobs of a log run at a time */
#include "model/moment.h"

#include "model/job.h"

int row_runs_at(const struct row *row, int start, int end, int64_t at_ns, struct err *err)
{
	int64_t start_ns, end_ns;
	int has_start = row_seconds(row, start, "start_s", &start_ns, err);
	int has_end = has_start < 0 ? -1 : row_seconds(row, end, "end_s", &end_ns, err);

	if (has_end < 0)
		return -1;
	return has_start == 1 && start_ns <= at_ns && (has_end == 0 || at_ns < end_ns);
}

void moment_bind(struct moment_columns *columns, const struct table_in *in)
{
	*columns = (struct moment_columns){
		.submit = table_find(in, "submit_s"),
		.start = table_find(in, "start_s"),
		.end = table_find(in, "end_s"),
		.state = table_find(in, "state"),
	};
}

int row_is_between(const struct row *row, const struct moment_columns *columns, int64_t since_ns,
		   int64_t until_ns, struct err *err)
{
	int64_t came_ns, start_ns, end_ns;
	int has_come = row_seconds(row, columns->submit, "submit_s", &came_ns, err);
	int has_start =
		has_come < 0 ? -1 : row_seconds(row, columns->start, "start_s", &start_ns, err);
	int has_end = has_start < 0 ? -1 : row_seconds(row, columns->end, "end_s", &end_ns, err);

	if (has_end < 0)
		return -1;
	if (has_come == 0 && has_start == 1) {
		came_ns = start_ns;
		has_come = 1;
	}
	if (has_end == 1 && job_state_runs(row_text(row, columns->state)))
		has_end = 0;
	return !(has_come == 1 && came_ns > until_ns) && !(has_end == 1 && end_ns < since_ns);
}
