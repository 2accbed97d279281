/* job_times.c - what metrics of schedules share: the times of a job */
#include "measure/metric/job_times.h"

#include "model/job.h"

void job_times_bind(struct job_times_columns *columns, const struct table_in *in)
{
	*columns = (struct job_times_columns){
		.submit = table_find(in, "submit_s"),
		.start = table_find(in, "start_s"),
		.end = table_find(in, "end_s"),
		.runtime = table_find(in, "runtime_s"),
		.nodes = table_find(in, "nodes"),
		.state = table_find(in, "state"),
	};
}

static int read_one(const struct row *row, int column, const char *name, int64_t *ns, bool *has,
		    struct err *err)
{
	int got = row_seconds(row, column, name, ns, err);

	*has = got == 1;
	return got < 0 ? -1 : 0;
}

int job_times_read(struct job_times *times, const struct job_times_columns *columns,
		   const struct row *row, struct err *err)
{
	if (read_one(row, columns->submit, "submit_s", &times->submit, &times->has_submit, err) !=
		    0 ||
	    read_one(row, columns->start, "start_s", &times->start, &times->has_start, err) != 0 ||
	    read_one(row, columns->end, "end_s", &times->end, &times->has_end, err) != 0 ||
	    read_one(row, columns->runtime, "runtime_s", &times->runtime, &times->has_runtime,
		     err) != 0 ||
	    row_int(row, columns->nodes, "nodes", 1, INT32_MAX, &times->nodes, err) < 0)
		return -1;
	times->is_running = job_state_runs(row_text(row, columns->state));
	if (times->has_start && times->has_end) {
		if (times->end < times->start)
			return row_error(row, err, "end_s is before start_s");
		times->runtime = times->end - times->start;
		times->has_runtime = true;
	}
	return 0;
}
