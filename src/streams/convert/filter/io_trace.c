/* io_trace.c - what filters that need a whole I/O trace share */
#include "convert/filter/io_trace.h"

#include <stdlib.h>

enum { OPS_MOST = 1 << 26 }; /* 4 GiB of memory */

const struct table_kind *const io_filter_takes[] = {&kind_iotrace, NULL};

void *io_filter_start(const struct filter_input *input,
		      int (*change)(struct io_filter *filter, struct err *err))
{
	struct io_filter *filter = xcalloc(1, sizeof(*filter));

	filter->out = input->out;
	filter->pick = input->pick;
	filter->has_changed = input->has_changed;
	filter->change = change;
	return filter;
}

int io_filter_begin(void *context, struct flow *flow, struct err *err)
{
	struct io_filter *filter = context;

	return io_trace_begin(&filter->trace, &filter->columns, flow, err);
}

int io_filter_row(void *context, struct flow *flow, struct err *err)
{
	struct io_filter *filter = context;

	return io_trace_take(&filter->trace, &filter->columns, flow, err);
}

int io_filter_end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct io_filter *filter = context;

	int nranks = io_trace_nranks(&filter->trace);

	(void)whole;
	/* tables of ranks are made: their number is believed only as far as the trace is long */
	if (nranks > filter->trace.comms.nranks &&
	    (size_t)nranks > 1024 * filter->trace.ops.n + 1024)
		return err_set(err, "rank %d: that can't be meant in a trace of %zu operations",
			       nranks - 1, filter->trace.ops.n);
	io_trace_sort(&filter->trace);
	if (filter->change(filter, err) != 0)
		return -1;
	return io_trace_emit(&filter->trace, flow, filter->out, err);
}

void io_filter_stop(void *context)
{
	struct io_filter *filter = context;

	io_trace_free(&filter->trace);
	free(filter);
}

int io_filter_room(const struct io_filter *filter, double more, const char *name, struct err *err)
{
	if ((double)filter->trace.ops.n + more <= OPS_MOST)
		return 0;
	return err_set(err, "%s: %.0f operations: at most %d are made", name,
		       (double)filter->trace.ops.n + more, OPS_MOST);
}

size_t *io_filter_ranks(const struct io_trace *trace, int nranks)
{
	size_t *first = xcalloc((size_t)nranks + 1, sizeof(*first));

	for (size_t i = 0; i < trace->ops.n; i++)
		first[trace->ops.at[i].rank + 1]++;
	for (int r = 0; r < nranks; r++)
		first[r + 1] += first[r];
	return first;
}

bool io_filter_concerns(const struct io_filter *filter, const struct io_op *op)
{
	if (op->kind == IO_WRITE)
		return !pick_is(filter->pick, "op", "read");
	return op->kind == IO_READ && !pick_is(filter->pick, "op", "write");
}
