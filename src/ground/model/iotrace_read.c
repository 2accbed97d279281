/* iotrace_read.c - a whole trace of I/O operations from a file */
#include "model/iotrace.h"
#include "model/kinds.h"

struct iotrace_reader {
	struct io_trace *trace;
	struct io_columns columns;
};

static int begin(void *state, struct flow *flow, struct err *err)
{
	struct iotrace_reader *reading = state;

	return io_trace_begin(reading->trace, &reading->columns, flow, err);
}

static int take(void *state, struct flow *flow, struct err *err)
{
	struct iotrace_reader *reading = state;

	return io_trace_take(reading->trace, &reading->columns, flow, err);
}

int io_trace_read(struct io_trace *trace, const char *path, bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_iotrace, NULL};
	static const struct taker taker = {.begin = begin, .row = take};
	struct iotrace_reader reading = {.trace = trace};
	struct table_in *in;
	struct flow flow;
	int status;

	*trace = (struct io_trace){0};
	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	flow_init(&flow, &kind_iotrace, &taker, &reading);
	status = flow_rows(&flow, in, err);
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: truncated", path);
	flow_free(&flow);
	table_close(in);
	if (status != 0)
		io_trace_free(trace);
	else
		io_trace_sort(trace);
	return status;
}
