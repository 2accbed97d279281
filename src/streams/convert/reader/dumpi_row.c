/* dumpi_row.c - rows of DUMPI calls, before they are emitted */
#include "convert/reader/dumpi_rows.h"
#include <stdlib.h>

enum { FIRST_ROWS = 256 };

static void grow(struct dumpi_rows *rows)
{
	size_t cap = rows->cap > 0 ? rows->cap * 2 : FIRST_ROWS;
	struct dumpi_row *at = xcalloc(cap, sizeof(*at));

	for (size_t row = rows->head; row < rows->tail; row++)
		at[row & (cap - 1)] = *dumpi_row_at(rows, row);
	free(rows->at);
	rows->at = at;
	rows->cap = cap;
}

/* A new row of the call that is taken. */
struct dumpi_row *dumpi_add(struct dumpi_rows *rows, const struct dumpi_call *call,
			    enum trace_op op)
{
	struct dumpi_row *row;

	if (rows->tail - rows->head == rows->cap)
		grow(rows);
	row = dumpi_row_at(rows, rows->tail++);
	*row = (struct dumpi_row){
		.call = mpi_call_make(op, rows->of.rank, rows->start_ns, rows->end_ns)};
	row->call.region = call->name;
	return row;
}

int64_t dumpi_bytes_of(struct dumpi_rows *rows, const struct dumpi_call *call, enum dumpi_arg count,
		       enum dumpi_arg type)
{
	int64_t bytes = dumpi_types_bytes(rows->of.types, dumpi_number(call, count, 0),
					  dumpi_number(call, type, 0));

	rows->nunknown_type += bytes < 0;
	return bytes < 0 ? 0 : bytes;
}

/* The communicator of a call. */
int32_t dumpi_comm_of(const struct dumpi_rows *rows, const struct dumpi_call *call)
{
	return dumpi_comms_meaning(rows->of.meanings, dumpi_number(call, DUMPI_COMM, 0));
}

/* A rank of a communicator as a rank of the world. *world -1: MPI_PROC_NULL, any source. */
int dumpi_to_world(const struct dumpi_rows *rows, int32_t comm, int64_t place, int32_t *world,
		   const struct dumpi_call *call, struct err *err)
{
	int n = trace_comm_size(rows->of.comms, comm);

	*world = -1;
	if (place < 0)
		return 0;
	if (place >= n)
		return err_set(err, "%s: rank %d: %s of rank %lld in a communicator of %d",
			       rows->of.path, rows->of.rank, call->name, (long long)place, n);
	*world = trace_comm_rank(rows->of.comms, comm, (int)place, rows->of.rank);
	return 0;
}

int dumpi_plain_row(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	dumpi_add(rows, call, TRACE_CALL);
	return 0;
}

int dumpi_unknown_comm(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	rows->nunknown_comm++;
	return dumpi_plain_row(rows, call);
}
