/* dumpi_messages.c - messages and requests of a DUMPI trace as rows */
#include "convert/reader/dumpi_rows.h"

static void set_tag(struct mpi_call *mpi_call, int64_t tag)
{
	mpi_call->has_tag = tag >= 0; /* MPI has no others */
	mpi_call->tag = (int32_t)tag;
}

/* ---- requests ---- */

/* Whether a request means something; those of MPI are positive. */
static bool is_request(int64_t request)
{
	return request > DUMPI_REQUEST_NULL;
}

/* The row that was added last starts a request. */
static void post(struct dumpi_rows *rows, struct dumpi_row *row, int64_t request)
{
	int64_t older;

	row->call.request = request;
	if (umap_take(&rows->posted, (uint64_t)request, &older))
		dumpi_row_at(rows, (size_t)older)->is_outstanding =
			false; /* its end was not traced */
	umap_set(&rows->pending, (uint64_t)request, 1);
	if (row->call.op == TRACE_IRECV) {
		row->is_outstanding = true;
		umap_set(&rows->posted, (uint64_t)request, (int64_t)rows->tail - 1);
	}
}

/* What a status says about a receive. One that was never written holds anything: believed is what
 * agrees with the receive. */
static void fill(struct dumpi_rows *rows, struct dumpi_row *row, const struct dumpi_status *status)
{
	struct mpi_call *mpi_call = &row->call;
	int n = trace_comm_size(rows->of.comms, mpi_call->comm);
	int32_t source;

	if (status == NULL || status->source < 0 || status->source >= n || status->bytes < 0 ||
	    status->bytes > row->most)
		return;
	source = trace_comm_rank(rows->of.comms, mpi_call->comm, status->source, rows->of.rank);
	if ((mpi_call->peer >= 0 && source != mpi_call->peer) ||
	    (mpi_call->has_tag && status->tag != DUMPI_ANY && status->tag != mpi_call->tag))
		return;
	mpi_call->peer = source;
	mpi_call->recv_bytes = status->bytes;
	if (!mpi_call->has_tag)
		set_tag(mpi_call, status->tag);
}

/* A request is complete: a separate row. false: it was not started in this trace. */
static bool complete(struct dumpi_rows *rows, const struct dumpi_call *call, int64_t request,
		     const struct dumpi_status *status)
{
	int64_t state, row;
	bool is_cancelled;

	if (!is_request(request) || !umap_take(&rows->pending, (uint64_t)request, &state))
		return false;
	is_cancelled = state == 2 && status != NULL && status->is_cancelled;
	if (umap_take(&rows->posted, (uint64_t)request, &row)) {
		dumpi_row_at(rows, (size_t)row)->is_outstanding = false;
		if (!is_cancelled)
			fill(rows, dumpi_row_at(rows, (size_t)row), status);
	}
	dumpi_add(rows, call, is_cancelled ? TRACE_CANCEL : TRACE_WAIT)->call.request = request;
	return true;
}

static const struct dumpi_status *status_at(const struct dumpi_call *call, int i)
{
	return i < call->nstatuses ? &call->statuses[i] : NULL;
}

static int complete_any(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	int n;
	const int32_t *requests = dumpi_array(call, DUMPI_REQUESTS, &n);
	int64_t index = dumpi_number(call, DUMPI_INDEX, -1);

	return index >= 0 && index < n && complete(rows, call, requests[index], status_at(call, 0));
}

static int complete_all(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	int n, ncomplete = 0;
	const int32_t *requests = dumpi_array(call, DUMPI_REQUESTS, &n);

	for (int i = 0; i < n; i++)
		ncomplete += complete(rows, call, requests[i], status_at(call, i));
	return ncomplete;
}

static int complete_some(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	int n, nindices, ncomplete = 0;
	const int32_t *requests = dumpi_array(call, DUMPI_REQUESTS, &n);
	const int32_t *indices = dumpi_array(call, DUMPI_INDICES, &nindices);

	for (int i = 0; i < nindices; i++)
		if (indices[i] >= 0 && indices[i] < n)
			ncomplete += complete(rows, call, requests[indices[i]], status_at(call, i));
	return ncomplete;
}

int dumpi_on_wait(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	int ncomplete;

	if (dumpi_number(call, DUMPI_FLAG, 1) == 0)
		ncomplete = 0;
	else if (dumpi_has(call, DUMPI_REQUEST))
		ncomplete = complete(rows, call, dumpi_number(call, DUMPI_REQUEST, 0),
				     status_at(call, 0));
	else if (dumpi_has(call, DUMPI_INDEX))
		ncomplete = complete_any(rows, call);
	else if (dumpi_has(call, DUMPI_OUTCOUNT))
		ncomplete = complete_some(rows, call);
	else
		ncomplete = complete_all(rows, call);
	return ncomplete > 0 ? 0 : dumpi_plain_row(rows, call);
}

int dumpi_on_cancel(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	int64_t request = dumpi_number(call, DUMPI_REQUEST, 0), state;

	if (umap_get(&rows->pending, (uint64_t)request, &state))
		umap_set(&rows->pending, (uint64_t)request, 2);
	return dumpi_plain_row(rows, call);
}

/* A request that is freed continues, but no call waits for it. */
int dumpi_on_request_free(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	int64_t request = dumpi_number(call, DUMPI_REQUEST, 0), old;

	umap_take(&rows->persistent, (uint64_t)request, &old);
	if (!umap_take(&rows->pending, (uint64_t)request, &old))
		return dumpi_plain_row(rows, call);
	if (umap_take(&rows->posted, (uint64_t)request, &old))
		dumpi_row_at(rows, (size_t)old)->is_outstanding = false;
	dumpi_add(rows, call, TRACE_CANCEL)->call.request = request;
	return 0;
}

/* ---- messages ---- */

struct message {
	enum dumpi_arg count, type, peer, tag;
};

static const struct message of_send = {DUMPI_COUNT, DUMPI_DATATYPE, DUMPI_DEST, DUMPI_TAG};
static const struct message of_recv = {DUMPI_COUNT, DUMPI_DATATYPE, DUMPI_SOURCE, DUMPI_TAG};

/* A row of a message, outside the queue. 1: made; 0: there is none (MPI_PROC_NULL, a communicator
 * unknown); -1. */
static int make_message(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op,
			const struct message *args, struct dumpi_row *new_row, struct err *err)
{
	int32_t comm = dumpi_comm_of(rows, call), peer;
	int64_t place = dumpi_number(call, args->peer, -3), bytes;
	bool sends = op == TRACE_SEND || op == TRACE_ISEND;

	if (comm == DUMPI_UNKNOWN) {
		rows->nunknown_comm++;
		return 0;
	}
	if (place < 0 && (sends || place != DUMPI_ANY))
		return 0;
	if (dumpi_to_world(rows, comm, place, &peer, call, err) != 0)
		return -1;
	bytes = dumpi_bytes_of(rows, call, args->count, args->type);
	*new_row = (struct dumpi_row){
		.call = mpi_call_make(op, rows->of.rank, rows->start_ns, rows->end_ns),
		.most = bytes};
	new_row->call.region = call->name;
	new_row->call.peer = peer;
	new_row->call.comm = comm;
	set_tag(&new_row->call, dumpi_number(call, args->tag, DUMPI_ANY));
	*(sends ? &new_row->call.bytes : &new_row->call.recv_bytes) = bytes;
	return 1;
}

int dumpi_on_message(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op,
		     struct err *err)
{
	bool sends = op == TRACE_SEND || op == TRACE_ISEND;
	int64_t request = dumpi_number(call, DUMPI_REQUEST, 0);
	struct dumpi_row new_row, *row;
	int status = make_message(rows, call, op, sends ? &of_send : &of_recv, &new_row, err);

	if (status < 0)
		return -1;
	if (status == 0 || ((op == TRACE_ISEND || op == TRACE_IRECV) && !is_request(request)))
		return dumpi_plain_row(rows, call);
	row = dumpi_add(rows, call, op);
	*row = new_row;
	if (op == TRACE_RECV)
		fill(rows, row, status_at(call, 0));
	if (op == TRACE_ISEND || op == TRACE_IRECV)
		post(rows, row, request);
	return 0;
}

/* A send that is begun, a receive, and the send's completion: they share request 0 (DUMPI's are
 * greater). */
int dumpi_on_sendrecv(struct dumpi_rows *rows, const struct dumpi_call *call, bool replaces,
		      struct err *err)
{
	const struct message send = {replaces ? DUMPI_COUNT : DUMPI_SENDCOUNT,
				     replaces ? DUMPI_DATATYPE : DUMPI_SENDTYPE, DUMPI_DEST,
				     DUMPI_SENDTAG};
	const struct message recv = {replaces ? DUMPI_COUNT : DUMPI_RECVCOUNT,
				     replaces ? DUMPI_DATATYPE : DUMPI_RECVTYPE, DUMPI_SOURCE,
				     DUMPI_RECVTAG};
	struct dumpi_row sent, received;
	int sends = make_message(rows, call, TRACE_ISEND, &send, &sent, err);
	int receives = sends < 0 ? -1 : make_message(rows, call, TRACE_RECV, &recv, &received, err);

	if (receives < 0)
		return -1;
	if (sends == 0 && receives == 0)
		return dumpi_plain_row(rows, call);
	sent.call.request = 0;
	if (sends == 1 && receives == 0)
		sent.call.op = TRACE_SEND;
	if (sent.call.op == TRACE_SEND)
		sent.call.request = -1;
	if (sends == 1)
		*dumpi_add(rows, call, TRACE_SEND) = sent;
	if (receives == 1) {
		struct dumpi_row *row = dumpi_add(rows, call, TRACE_RECV);

		*row = received;
		fill(rows, row, status_at(call, 0));
	}
	if (sends == 1 && receives == 1)
		dumpi_add(rows, call, TRACE_WAIT)->call.request = 0;
	return 0;
}

/* ---- persistent requests ---- */

int dumpi_on_init_request(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op,
			  struct err *err)
{
	int64_t request = dumpi_number(call, DUMPI_REQUEST, 0);
	struct dumpi_row new_row;
	int status = make_message(rows, call, op, op == TRACE_ISEND ? &of_send : &of_recv, &new_row,
				  err);

	if (status < 0)
		return -1;
	if (status == 1 && is_request(request)) {
		umap_set(&rows->persistent, (uint64_t)request, (int64_t)rows->inits.n);
		vec_push(&rows->inits, new_row);
	}
	return dumpi_plain_row(rows, call);
}

static bool start(struct dumpi_rows *rows, const struct dumpi_call *call, int64_t request)
{
	int64_t at;
	struct dumpi_row *row;

	if (!umap_get(&rows->persistent, (uint64_t)request, &at))
		return false;
	row = dumpi_add(rows, call, TRACE_ISEND);
	*row = rows->inits.at[at];
	row->call.start_ns = rows->start_ns;
	row->call.end_ns = rows->end_ns;
	row->call.region = call->name;
	post(rows, row, request);
	return true;
}

int dumpi_on_start(struct dumpi_rows *rows, const struct dumpi_call *call)
{
	int n, nstarted = 0;
	const int32_t *requests = dumpi_array(call, DUMPI_REQUESTS, &n);

	if (dumpi_has(call, DUMPI_REQUEST))
		nstarted = start(rows, call, dumpi_number(call, DUMPI_REQUEST, 0));
	for (int i = 0; i < n; i++)
		nstarted += start(rows, call, requests[i]);
	return nstarted > 0 ? 0 : dumpi_plain_row(rows, call);
}
