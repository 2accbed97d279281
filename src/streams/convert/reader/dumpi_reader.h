/* dumpi_reader.h - what the parts of the readers of DUMPI traces share */
#ifndef CONVERT_READER_DUMPI_READER_H
#define CONVERT_READER_DUMPI_READER_H

#include "traces/dumpi/dumpi_comms.h"
#include "traces/dumpi/dumpi_types.h"
#include "convert/reader/reader.h"
#include "traces/dumpi/dumpi.h"
#include "model/mpitrace.h"

/* ---- times ---- */

/* A rank's clock: seconds are kept in 16 bits, so that those of long runs begin anew. */
struct dumpi_clock {
	bool has_begun;
	int64_t last_s, wrapped_s;
};

/* When the next call began and ended: by its wall clock, or without one by its CPU clock. */
void dumpi_clock_read(struct dumpi_clock *clock, const struct dumpi_call *call, int64_t *start_ns,
		      int64_t *end_ns);

/* ---- rows ---- */

struct dumpi_rows;

/* The rows of one rank go to flow, whose columns are made. start_ns: the time that is 0. */
struct dumpi_rows_of {
	struct flow *flow;
	const struct trace_columns *columns;
	const struct trace_comms *comms;
	struct dumpi_comms *meanings;
	struct dumpi_types *types;
	const char *path;
	int32_t rank;
	int64_t start_ns;
};
struct dumpi_rows *dumpi_rows_begin(const struct dumpi_rows_of *source);
int dumpi_rows_take(struct dumpi_rows *rows, const struct dumpi_call *call, struct err *err);
/* The rank's calls are over; warns of what was not understood. */
int dumpi_rows_end(struct dumpi_rows *rows, struct err *err);
void dumpi_rows_free(struct dumpi_rows *rows); /* NULL is allowed */

#endif
