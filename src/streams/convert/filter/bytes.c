/* bytes.c - I/O traces of larger or smaller operations: strong scaling */
#include <math.h>

#include "convert/filter/io_trace.h"

/* Rounded to whole bytes; what was not nothing stays at least one. */
static int64_t scaled(int64_t bytes, double factor)
{
	double result = floor((double)bytes * factor + 0.5);

	if (bytes > 0 && result < 1)
		return 1;
	return result < 4e18 ? (int64_t)result : (int64_t)4e18;
}

/* Multiplies the size and the offset of an operation, which moves along, so that neighbours stay
 * neighbours: both ends are scaled. */
static void scale(struct io_op *op, double factor)
{
	int64_t begin;

	if (op->offset < 0 || op->offset > INT64_MAX / 2 - op->bytes) {
		op->bytes = scaled(op->bytes, factor);
		return;
	}
	begin = op->offset > 0 ? scaled(op->offset, factor) : 0;
	if (op->bytes > 0) {
		op->bytes = scaled(op->offset + op->bytes, factor) - begin;
		op->bytes += op->bytes < 1;
	}
	op->offset = begin;
}

static int change(struct io_filter *filter, struct err *err)
{
	double factor = pick_real(filter->pick, "factor");

	(void)err;
	for (size_t i = 0; i < filter->trace.ops.n; i++) {
		struct io_op *op = &filter->trace.ops.at[i];

		struct io_op old = *op;

		if (!io_filter_concerns(filter, op))
			continue;
		scale(op, factor);
		*filter->has_changed |= op->bytes != old.bytes || op->offset != old.offset;
	}
	return 0;
}

static void *start(const struct filter_input *input, struct err *err)
{
	(void)err;
	return io_filter_start(input, change);
}

static const struct param params[] = {{.key = "factor",
				       .type = PARAM_REAL,
				       .min = 1e-9,
				       .max = 1e9,
				       .meaning = "factor for sizes and offsets"},
				      {.key = "op",
				       .type = PARAM_WORD,
				       .def = "both",
				       .choices = IO_FILTER_OPS,
				       .meaning = "which operations"},
				      {0}};

const struct filter filter_bytes = {
	.entry = {.name = "bytes",
		  .example = "bytes:factor=4",
		  .summary = "I/O traces of larger or smaller operations (strong scaling): sizes "
			     "and offsets are multiplied",
		  .paper = "Khetawat 2022, §2.6.2",
		  .params = params},
	.takes = io_filter_takes,
	.no_effect = "every operation keeps its size and offset",
	.start = start,
	.taker = {io_filter_begin, io_filter_row, io_filter_end},
	.stop = io_filter_stop,
};
