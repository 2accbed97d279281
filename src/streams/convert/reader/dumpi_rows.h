/* dumpi_rows.h - what the parts that make rows of DUMPI's calls share */
#ifndef CONVERT_READER_DUMPI_ROWS_H
#define CONVERT_READER_DUMPI_ROWS_H

#include "convert/reader/dumpi_reader.h"
#include "base/mem.h"

/*
 * Whom a receive hears and how much is known when it completes. Rows wait in a queue until every
 * row before them is known, so memory grows with what is outstanding, not with the trace.
 */
struct dumpi_row {
	struct mpi_call call;
	int64_t most; /* of a receive: bytes that its buffer holds */
	bool is_outstanding;
};

struct dumpi_rows {
	struct dumpi_rows_of of;
	uint8_t *actions;     /* [dumpi_nfunctions()] */
	struct dumpi_row *at; /* row number k (from 0) is at[k & (cap - 1)] */
	size_t cap, head, tail;
	struct umap posted;  /* request → row that is outstanding */
	struct umap pending; /* requests that are not complete → 1, or 2: MPI_Cancel was called */
	struct umap persistent; /* request → place in inits */
	VEC(struct dumpi_row) inits;
	struct umap win_comm, file_comm; /* windows, files → what their communicator means */
	struct dumpi_clock clock;
	int64_t start_ns, end_ns; /* of the call that is taken */
	int64_t nunknown_type, nunknown_comm;
	struct umap names; /* address of a traced function → place in texts */
	VEC(const char *) texts;
	struct arena arena;
};

/* The k-th row, counted from the first of the trace. */
static inline struct dumpi_row *dumpi_row_at(const struct dumpi_rows *rows, size_t k)
{
	return &rows->at[k & (rows->cap - 1)];
}

/* A new row of the call that is taken; valid until the next one. */
struct dumpi_row *dumpi_add(struct dumpi_rows *rows, const struct dumpi_call *call,
			    enum trace_op op);
/* A row that only names the function; returns 0. */
int dumpi_plain_row(struct dumpi_rows *rows, const struct dumpi_call *call);
/* The same, of a communicator whose members are unknown. */
int dumpi_unknown_comm(struct dumpi_rows *rows, const struct dumpi_call *call);

/* What the call's communicator means. */
int32_t dumpi_comm_of(const struct dumpi_rows *rows, const struct dumpi_call *call);
/* Bytes of count elements; 0, counted, where the datatype's size is not known. */
int64_t dumpi_bytes_of(struct dumpi_rows *rows, const struct dumpi_call *call, enum dumpi_arg count,
		       enum dumpi_arg type);
/* A rank of a communicator as a rank of the world. *world -1: MPI_PROC_NULL, any source. */
int dumpi_to_world(const struct dumpi_rows *rows, int32_t comm, int64_t place, int32_t *world,
		   const struct dumpi_call *call, struct err *err);

/* Point to point: op is TRACE_SEND, TRACE_ISEND, TRACE_RECV or TRACE_IRECV. */
int dumpi_on_message(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op,
		     struct err *err);
int dumpi_on_sendrecv(struct dumpi_rows *rows, const struct dumpi_call *call, bool replaces,
		      struct err *err);
int dumpi_on_init_request(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op,
			  struct err *err);
int dumpi_on_start(struct dumpi_rows *rows, const struct dumpi_call *call);
/* Any wait or test: of one request, of an array and an index, all of an array, some. */
int dumpi_on_wait(struct dumpi_rows *rows, const struct dumpi_call *call);
int dumpi_on_cancel(struct dumpi_rows *rows, const struct dumpi_call *call);
int dumpi_on_request_free(struct dumpi_rows *rows, const struct dumpi_call *call);

int dumpi_on_collective(struct dumpi_rows *rows, const struct dumpi_call *call,
			enum collective_op op, int32_t comm, struct err *err);
/* Windows and files, which are made and freed by all that have them: comm_of keeps their
 * communicator by their handle. */
int dumpi_on_make(struct dumpi_rows *rows, const struct dumpi_call *call, struct umap *comm_of,
		  enum dumpi_arg handle, struct err *err);
int dumpi_on_free(struct dumpi_rows *rows, const struct dumpi_call *call, struct umap *comm_of,
		  enum dumpi_arg handle, struct err *err);
/* Calls that make or free communicators and groups. */
int dumpi_on_comm(struct dumpi_rows *rows, const struct dumpi_call *call, struct err *err);
/* One-sided: op is TRACE_PUT or TRACE_GET. */
int dumpi_on_rma(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op,
		 struct err *err);

#endif
