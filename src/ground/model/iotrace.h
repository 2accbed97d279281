/* iotrace.h - I/O operations of ranks: what a row of an iotrace stream says, and whole traces */
#ifndef MODEL_IOTRACE_H
#define MODEL_IOTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/names.h"
#include "base/mem.h"
#include "model/flow.h"
#include "model/mpitrace.h"

/* The closed list: "open", "close", "read", "write", "sync", "barrier". */
enum io_op_kind { IO_OPEN, IO_CLOSE, IO_READ, IO_WRITE, IO_SYNC, IO_BARRIER, IO_NOPS };

struct io_op {
	enum io_op_kind kind;
	int32_t rank;
	int32_t file, job, target; /* numbers in io_trace's texts; -1: none */
	int32_t comm;              /* of a barrier: number in comms; -1: all ranks */
	int64_t start_ns;          /* or the think time before it */
	int64_t end_ns;            /* has_end */
	int64_t bytes;
	int64_t offset; /* -1: not known */
	bool has_end;
};

/*
 * A whole trace. A rank's operations are in their order; whether those of several ranks come rank
 * by rank or mixed is as it was read.
 */
struct io_trace {
	VEC(struct io_op) ops;
	VEC(const char *) texts;
	struct map text_of;
	struct trace_comms comms; /* and the number of ranks: ##comm=, ##ranks= */
	bool is_think;            /* ##timing=think: start_ns is think time */
	bool has_jobs, has_targets;
	size_t nmeta; /* ##lines of the flow that were looked at */
	struct arena arena;
};

/* Reads a whole trace, which must not be truncated unless accepts_partial; sorts it. */
int io_trace_read(struct io_trace *trace, const char *path, bool accepts_partial, struct err *err);
void io_trace_free(struct io_trace *trace);
/* The number of a text; -1 for NULL and "". */
int32_t io_trace_text(struct io_trace *trace, const char *text);
/* Ranks 0 … the greatest that appears, or what ##ranks= says if that is greater. */
int io_trace_nranks(const struct io_trace *trace);
/* Rank by rank, each in the order of start (of think times: as they are). Stable. */
void io_trace_sort(struct io_trace *trace);

/* ---- rows ---- */

struct io_columns {
	int rank, op, start, bytes, job, file, offset, end, comm, target;
};

/* Finds the columns in a flow that is taken; takes ##lines, too. */
int io_trace_begin(struct io_trace *trace, struct io_columns *columns, const struct flow *flow,
		   struct err *err);
/* Appends the flow's row. */
int io_trace_take(struct io_trace *trace, const struct io_columns *columns, const struct flow *flow,
		  struct err *err);
/* Declares columns and ##lines (those of `like`, too, if it is not NULL) and makes all rows. */
int io_trace_emit(const struct io_trace *trace, const struct flow *like, struct flow *flow,
		  struct err *err);

#endif
