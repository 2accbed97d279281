/* io_trace.h - what filters that need a whole I/O trace share */
#ifndef CONVERT_FILTER_IO_TRACE_H
#define CONVERT_FILTER_IO_TRACE_H

#include "convert/filter/filter.h"
#include "model/iotrace.h"

/*
 * Such a filter keeps all operations, changes them when the last one has come, and makes rows of
 * them rank by rank. Memory: 64 bytes for each operation that comes and goes.
 */
struct io_filter {
	struct flow *out;
	const struct pick *pick;
	struct io_trace trace;
	struct io_columns columns;
	bool *has_changed; /* for .change to set */
	/* changes trace, whose operations are sorted by then; 0 or -1 */
	int (*change)(struct io_filter *filter, struct err *err);
};

/* start of a filter, and all its other functions. */
void *io_filter_start(const struct filter_input *input,
		      int (*change)(struct io_filter *filter, struct err *err));
int io_filter_begin(void *context, struct flow *flow, struct err *err);
int io_filter_row(void *context, struct flow *flow, struct err *err);
int io_filter_end(void *context, struct flow *flow, bool whole, struct err *err);
void io_filter_stop(void *context);

extern const struct table_kind *const io_filter_takes[];

/* -1, where `more` operations beside those that are there would be too many. */
int io_filter_room(const struct io_filter *filter, double more, const char *name, struct err *err);
/* Where the operations of rank r begin: first[r] … first[nranks]; to be freed. */
size_t *io_filter_ranks(const struct io_trace *trace, int nranks);

/* Which operations a filter is about. */
#define IO_FILTER_OPS "write|read|both"
bool io_filter_concerns(const struct io_filter *filter, const struct io_op *op);

#endif
