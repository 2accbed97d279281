/* coalesce.c - I/O traces whose small consecutive operations are joined to larger ones */
#include "convert/filter/io_trace.h"

/* Whether b goes on where a ends: the same rank's next operation, on the same file, of the same
 * sort, at the next byte (or where neither says its offset). */
static bool goes_on(const struct io_op *a, const struct io_op *b)
{
	if (a->rank != b->rank || a->kind != b->kind || a->file != b->file || a->job != b->job)
		return false;
	if (a->offset < 0 || b->offset < 0)
		return a->offset < 0 && b->offset < 0;
	return a->offset <= INT64_MAX - a->bytes && a->offset + a->bytes == b->offset;
}

static int change(struct io_filter *filter, struct err *err)
{
	struct io_trace *trace = &filter->trace;
	double size = pick_real(filter->pick, "size");
	size_t kept = 0;

	(void)err;
	for (size_t i = 0; i < trace->ops.n; i++) {
		const struct io_op *op = &trace->ops.at[i];
		struct io_op *last = kept > 0 ? &trace->ops.at[kept - 1] : NULL;

		if (last == NULL || !io_filter_concerns(filter, op) || !goes_on(last, op) ||
		    (double)last->bytes + (double)op->bytes > size) {
			trace->ops.at[kept++] = *op;
			continue;
		}
		last->bytes += op->bytes;
		if (trace->is_think)
			last->start_ns += op->start_ns; /* the waiting is not lost */
		last->end_ns = op->end_ns;
		last->has_end = last->has_end && op->has_end;
	}
	*filter->has_changed = kept < trace->ops.n;
	trace->ops.n = kept;
	return 0;
}

static void *start(const struct filter_input *input, struct err *err)
{
	(void)err;
	return io_filter_start(input, change);
}

static const struct param params[] = {{.key = "size",
				       .type = PARAM_BYTES,
				       .unit = "bytes",
				       .meaning = "largest size of a joined operation"},
				      {.key = "op",
				       .type = PARAM_WORD,
				       .def = "write",
				       .choices = IO_FILTER_OPS,
				       .meaning = "which operations"},
				      {0}};

const struct filter filter_coalesce = {
	.entry = {.name = "coalesce",
		  .example = "coalesce:size=1MiB",
		  .summary = "I/O traces whose small consecutive operations on one file are joined",
		  .paper = "Khetawat 2022, §2.6.2",
		  .params = params},
	.takes = io_filter_takes,
	.no_effect = "no two operations can be joined",
	.start = start,
	.taker = {io_filter_begin, io_filter_row, io_filter_end},
	.stop = io_filter_stop,
};
