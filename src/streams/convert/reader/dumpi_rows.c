/* dumpi_rows.c - the calls of one rank's DUMPI trace as rows of MPI calls */
#include "convert/reader/dumpi_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"

enum { SECOND = 1000000000, WRAP_S = 1 << 16 };

/* ---- the queue ---- */

static int emit_known(struct dumpi_rows *rows, bool all, struct err *err)
{
	for (; rows->head < rows->tail; rows->head++) {
		struct dumpi_row *row = dumpi_row_at(rows, rows->head);

		if (row->is_outstanding && !all)
			break;
		if (mpi_call_emit(&row->call, rows->of.comms, rows->of.columns, rows->of.flow,
				  err) != 0)
			return -1;
	}
	return 0;
}

/* ---- ranks and sizes ---- */

/* ---- user regions ---- */

/* Functions of the program, by their names or (hexadecimal) addresses. */
static int on_region(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op)
{
	uint64_t address = (uint64_t)dumpi_number(call, DUMPI_FN, 0);
	struct dumpi_row *row = dumpi_add(rows, call, op);
	int64_t at;

	if (!umap_get(&rows->names, address, &at)) {
		char text[24];
		const char *name = call->text != NULL && *call->text != '\0' ? call->text : text;

		snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
		at = (int64_t)rows->texts.n;
		vec_push(&rows->texts, arena_strndup(&rows->arena, name, strlen(name)));
		umap_set(&rows->names, address, at);
	}
	row->call.region = rows->texts.at[at];
	row->call.end_ns = row->call.start_ns - 1;
	return 0;
}

/* ---- calls ---- */

/* What a function becomes. */
enum action {
	ON_CALL, /* a row that names it */
	ON_INIT,
	ON_FINALIZE,
	ON_SEND,
	ON_ISEND,
	ON_RECV,
	ON_IRECV,
	ON_SEND_INIT,
	ON_RECV_INIT,
	ON_START,
	ON_SENDRECV,
	ON_SENDRECV_REPLACE,
	ON_WAIT, /* and tests */
	ON_CANCEL,
	ON_REQUEST_FREE,
	ON_PUT,
	ON_GET,
	ON_WIN_CREATE,
	ON_WIN_FREE,
	ON_FILE_OPEN,
	ON_FILE_CLOSE,
	ON_COMM,
	ON_ENTER,
	ON_LEAVE,
	ON_COLLECTIVES /* + enum collective_op */
};

static const struct {
	const char *function;
	uint8_t action;
} actions[] = {
	{"MPI_Init", ON_INIT},
	{"MPI_Init_thread", ON_INIT},
	{"MPI_Finalize", ON_FINALIZE},
	{"MPI_Send", ON_SEND},
	{"MPI_Bsend", ON_SEND},
	{"MPI_Ssend", ON_SEND},
	{"MPI_Rsend", ON_SEND},
	{"MPI_Isend", ON_ISEND},
	{"MPI_Ibsend", ON_ISEND},
	{"MPI_Issend", ON_ISEND},
	{"MPI_Irsend", ON_ISEND},
	{"MPI_Recv", ON_RECV},
	{"MPI_Irecv", ON_IRECV},
	{"MPI_Send_init", ON_SEND_INIT},
	{"MPI_Bsend_init", ON_SEND_INIT},
	{"MPI_Ssend_init", ON_SEND_INIT},
	{"MPI_Rsend_init", ON_SEND_INIT},
	{"MPI_Recv_init", ON_RECV_INIT},
	{"MPI_Start", ON_START},
	{"MPI_Startall", ON_START},
	{"MPI_Sendrecv", ON_SENDRECV},
	{"MPI_Sendrecv_replace", ON_SENDRECV_REPLACE},
	{"MPI_Wait", ON_WAIT},
	{"MPI_Test", ON_WAIT},
	{"MPI_Waitany", ON_WAIT},
	{"MPI_Testany", ON_WAIT},
	{"MPI_Waitall", ON_WAIT},
	{"MPI_Testall", ON_WAIT},
	{"MPI_Waitsome", ON_WAIT},
	{"MPI_Testsome", ON_WAIT},
	{"MPI_Cancel", ON_CANCEL},
	{"MPI_Request_free", ON_REQUEST_FREE},
	{"MPI_Put", ON_PUT},
	{"MPI_Accumulate", ON_PUT},
	{"MPI_Get", ON_GET},
	{"MPI_Win_create", ON_WIN_CREATE},
	{"MPI_Win_free", ON_WIN_FREE},
	{"MPI_File_open", ON_FILE_OPEN},
	{"MPI_File_close", ON_FILE_CLOSE},
	{"Function_enter", ON_ENTER},
	{"Function_exit", ON_LEAVE},
	{"MPI_Barrier", ON_COLLECTIVES + COLLECTIVE_BARRIER},
	{"MPI_Bcast", ON_COLLECTIVES + COLLECTIVE_BCAST},
	{"MPI_Gather", ON_COLLECTIVES + COLLECTIVE_GATHER},
	{"MPI_Gatherv", ON_COLLECTIVES + COLLECTIVE_GATHERV},
	{"MPI_Scatter", ON_COLLECTIVES + COLLECTIVE_SCATTER},
	{"MPI_Scatterv", ON_COLLECTIVES + COLLECTIVE_SCATTERV},
	{"MPI_Allgather", ON_COLLECTIVES + COLLECTIVE_ALLGATHER},
	{"MPI_Allgatherv", ON_COLLECTIVES + COLLECTIVE_ALLGATHERV},
	{"MPI_Alltoall", ON_COLLECTIVES + COLLECTIVE_ALLTOALL},
	{"MPI_Alltoallv", ON_COLLECTIVES + COLLECTIVE_ALLTOALLV},
	{"MPI_Alltoallw", ON_COLLECTIVES + COLLECTIVE_ALLTOALLW},
	{"MPI_Allreduce", ON_COLLECTIVES + COLLECTIVE_ALLREDUCE},
	{"MPI_Reduce", ON_COLLECTIVES + COLLECTIVE_REDUCE},
	{"MPI_Reduce_scatter", ON_COLLECTIVES + COLLECTIVE_REDUCE_SCATTER},
	{"MPI_Scan", ON_COLLECTIVES + COLLECTIVE_SCAN},
	{"MPI_Exscan", ON_COLLECTIVES + COLLECTIVE_EXSCAN},
};

static uint8_t action_of(const char *function)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (str_eq(actions[i].function, function))
			return actions[i].action;
	return dumpi_comms_concern(function) ? ON_COMM : ON_CALL;
}

static int take(struct dumpi_rows *rows, const struct dumpi_call *call, struct err *err)
{
	uint8_t action = rows->actions[call->function];

	switch (action) {
	case ON_CALL:
		return dumpi_plain_row(rows, call);
	case ON_INIT:
		dumpi_add(rows, call, TRACE_INIT);
		return 0;
	case ON_FINALIZE:
		dumpi_add(rows, call, TRACE_FINALIZE);
		return 0;
	case ON_SEND:
		return dumpi_on_message(rows, call, TRACE_SEND, err);
	case ON_ISEND:
		return dumpi_on_message(rows, call, TRACE_ISEND, err);
	case ON_RECV:
		return dumpi_on_message(rows, call, TRACE_RECV, err);
	case ON_IRECV:
		return dumpi_on_message(rows, call, TRACE_IRECV, err);
	case ON_SEND_INIT:
		return dumpi_on_init_request(rows, call, TRACE_ISEND, err);
	case ON_RECV_INIT:
		return dumpi_on_init_request(rows, call, TRACE_IRECV, err);
	case ON_START:
		return dumpi_on_start(rows, call);
	case ON_SENDRECV:
	case ON_SENDRECV_REPLACE:
		return dumpi_on_sendrecv(rows, call, action == ON_SENDRECV_REPLACE, err);
	case ON_WAIT:
		return dumpi_on_wait(rows, call);
	case ON_CANCEL:
		return dumpi_on_cancel(rows, call);
	case ON_REQUEST_FREE:
		return dumpi_on_request_free(rows, call);
	case ON_PUT:
		return dumpi_on_rma(rows, call, TRACE_PUT, err);
	case ON_GET:
		return dumpi_on_rma(rows, call, TRACE_GET, err);
	case ON_WIN_CREATE:
		return dumpi_on_make(rows, call, &rows->win_comm, DUMPI_WIN, err);
	case ON_WIN_FREE:
		return dumpi_on_free(rows, call, &rows->win_comm, DUMPI_WIN, err);
	case ON_FILE_OPEN:
		return dumpi_on_make(rows, call, &rows->file_comm, DUMPI_FILE, err);
	case ON_FILE_CLOSE:
		return dumpi_on_free(rows, call, &rows->file_comm, DUMPI_FILE, err);
	case ON_COMM:
		return dumpi_on_comm(rows, call, err);
	case ON_ENTER:
		return on_region(rows, call, TRACE_ENTER);
	case ON_LEAVE:
		return on_region(rows, call, TRACE_LEAVE);
	default:
		return dumpi_on_collective(rows, call, action - ON_COLLECTIVES,
					   dumpi_comm_of(rows, call), err);
	}
}

void dumpi_clock_read(struct dumpi_clock *clock, const struct dumpi_call *call, int64_t *start_ns,
		      int64_t *end_ns)
{
	bool has_wall = call->wall_ns[0] != 0 || call->wall_ns[1] != 0;
	const int64_t *ns = has_wall ? call->wall_ns : call->cpu_ns;
	int64_t second = ns[0] / SECOND, length = ns[1] - ns[0];

	if (clock->has_begun && second < clock->last_s - WRAP_S / 2 &&
	    clock->wrapped_s < (int64_t)1 << 32)
		clock->wrapped_s += WRAP_S;
	clock->has_begun = true;
	clock->last_s = second;
	if (length < -(int64_t)SECOND * (WRAP_S / 2))
		length += (int64_t)SECOND * WRAP_S;
	*start_ns = ns[0] + clock->wrapped_s * SECOND;
	*end_ns = *start_ns + (length > 0 ? length : 0);
}

struct dumpi_rows *dumpi_rows_begin(const struct dumpi_rows_of *source)
{
	struct dumpi_rows *rows = xcalloc(1, sizeof(*rows));

	rows->of = *source;
	rows->actions = xcalloc((size_t)dumpi_nfunctions(), sizeof(*rows->actions));
	for (int i = 0; i < dumpi_nfunctions(); i++)
		rows->actions[i] = action_of(dumpi_function_name(i));
	return rows;
}

int dumpi_rows_take(struct dumpi_rows *rows, const struct dumpi_call *call, struct err *err)
{
	dumpi_clock_read(&rows->clock, call, &rows->start_ns, &rows->end_ns);
	rows->start_ns -= rows->of.start_ns;
	rows->end_ns -= rows->of.start_ns;
	dumpi_types_see(rows->of.types, call);
	if (take(rows, call, err) != 0)
		return -1;
	return emit_known(rows, false, err);
}

int dumpi_rows_end(struct dumpi_rows *rows, struct err *err)
{
	if (rows->nunknown_comm > 0)
		warn("%s: %lld calls on communicators whose members the "
		     "traces don't contain are kept as calls only",
		     rows->of.path, (long long)rows->nunknown_comm);
	if (rows->nunknown_type > 0)
		warn("%s: %lld buffers of datatypes whose size the "
		     "trace doesn't contain count as empty",
		     rows->of.path, (long long)rows->nunknown_type);
	return emit_known(rows, true, err);
}

void dumpi_rows_free(struct dumpi_rows *rows)
{
	if (rows == NULL)
		return;
	free(rows->actions);
	free(rows->at);
	umap_free(&rows->posted);
	umap_free(&rows->pending);
	umap_free(&rows->persistent);
	umap_free(&rows->win_comm);
	umap_free(&rows->file_comm);
	umap_free(&rows->names);
	vec_free(&rows->inits);
	vec_free(&rows->texts);
	arena_free(&rows->arena);
	free(rows);
}
