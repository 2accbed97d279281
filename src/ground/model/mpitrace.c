/* mpitrace.c - MPI calls of ranks: what a row of an mpitrace stream says */
#include "model/mpitrace.h"

#include <string.h>

static const struct {
	const char *name, *function;
} ops[TRACE_NOPS] = {
	[TRACE_INIT] = {"init", "MPI_Init"}, [TRACE_FINALIZE] = {"finalize", "MPI_Finalize"},
	[TRACE_SEND] = {"send", "MPI_Send"}, [TRACE_ISEND] = {"isend", "MPI_Isend"},
	[TRACE_RECV] = {"recv", "MPI_Recv"}, [TRACE_IRECV] = {"irecv", "MPI_Irecv"},
	[TRACE_WAIT] = {"wait", "MPI_Wait"}, [TRACE_CANCEL] = {"cancel", "MPI_Cancel"},
	[TRACE_CALL] = {"call", NULL},       [TRACE_ENTER] = {"enter", NULL},
	[TRACE_LEAVE] = {"leave", NULL},     [TRACE_OFF] = {"off", NULL},
	[TRACE_PUT] = {"put", "MPI_Put"},    [TRACE_GET] = {"get", "MPI_Get"},
	[TRACE_COLLECTIVE] = {NULL, NULL},
};

static const struct {
	const char *blocking, *nonblocking;
} functions[COLLECTIVE_NOPS] = {
	[COLLECTIVE_BARRIER] = {"MPI_Barrier", "MPI_Ibarrier"},
	[COLLECTIVE_BCAST] = {"MPI_Bcast", "MPI_Ibcast"},
	[COLLECTIVE_GATHER] = {"MPI_Gather", "MPI_Igather"},
	[COLLECTIVE_GATHERV] = {"MPI_Gatherv", "MPI_Igatherv"},
	[COLLECTIVE_SCATTER] = {"MPI_Scatter", "MPI_Iscatter"},
	[COLLECTIVE_SCATTERV] = {"MPI_Scatterv", "MPI_Iscatterv"},
	[COLLECTIVE_ALLGATHER] = {"MPI_Allgather", "MPI_Iallgather"},
	[COLLECTIVE_ALLGATHERV] = {"MPI_Allgatherv", "MPI_Iallgatherv"},
	[COLLECTIVE_ALLTOALL] = {"MPI_Alltoall", "MPI_Ialltoall"},
	[COLLECTIVE_ALLTOALLV] = {"MPI_Alltoallv", "MPI_Ialltoallv"},
	[COLLECTIVE_ALLTOALLW] = {"MPI_Alltoallw", "MPI_Ialltoallw"},
	[COLLECTIVE_ALLREDUCE] = {"MPI_Allreduce", "MPI_Iallreduce"},
	[COLLECTIVE_REDUCE] = {"MPI_Reduce", "MPI_Ireduce"},
	[COLLECTIVE_REDUCE_SCATTER] = {"MPI_Reduce_scatter", "MPI_Ireduce_scatter"},
	[COLLECTIVE_REDUCE_SCATTER_BLOCK] = {"MPI_Reduce_scatter_block",
					     "MPI_Ireduce_scatter_block"},
	[COLLECTIVE_SCAN] = {"MPI_Scan", "MPI_Iscan"},
	[COLLECTIVE_EXSCAN] = {"MPI_Exscan", "MPI_Iexscan"},
	[COLLECTIVE_CREATE] = {"MPI_Comm_dup", "MPI_Comm_idup"},
	[COLLECTIVE_DESTROY] = {"MPI_Comm_free", NULL},
};

static const char *const location_names[] = {NULL, "host", "gpu"};

struct mpi_call mpi_call_make(enum trace_op op, int32_t rank, int64_t start_ns, int64_t end_ns)
{
	return (struct mpi_call){.op = op,
				 .rank = rank,
				 .start_ns = start_ns,
				 .end_ns = end_ns,
				 .peer = -1,
				 .root = -1,
				 .bytes = -1,
				 .recv_bytes = -1,
				 .comm = -1,
				 .request = -1};
}

const char *trace_function(const struct mpi_call *call)
{
	if (call->op != TRACE_COLLECTIVE)
		return ops[call->op].function;
	return call->is_nonblocking ? functions[call->collective].nonblocking
				    : functions[call->collective].blocking;
}

/* ---- making rows ---- */

void trace_columns_make(struct trace_columns *columns, struct flow *flow)
{
	columns->rank = flow_column(flow, "rank");
	columns->time = flow_column(flow, "time_s");
	columns->end = flow_column(flow, "end_s");
	columns->op = flow_column(flow, "op");
	columns->peer = flow_column(flow, "peer");
	columns->bytes = flow_column(flow, "bytes");
	columns->recv_bytes = flow_column(flow, "recv_bytes");
	columns->tag = flow_column(flow, "tag");
	columns->comm = flow_column(flow, "comm");
	columns->request = flow_column(flow, "request");
	columns->root = flow_column(flow, "root");
	columns->send_location = flow_column(flow, "send_location");
	columns->recv_location = flow_column(flow, "recv_location");
	columns->region = flow_column(flow, "region");
}

static const char *op_name(const struct mpi_call *call)
{
	if (call->op != TRACE_COLLECTIVE)
		return ops[call->op].name;
	return call->is_nonblocking ? collective_nonblocking_name(call->collective)
				    : collective_name(call->collective);
}

static void set_known(struct flow *flow, int column, int64_t number)
{
	if (number >= 0)
		flow_int(flow, column, number);
}

int mpi_call_emit(const struct mpi_call *call, const struct trace_comms *comms,
		  const struct trace_columns *columns, struct flow *flow, struct err *err)
{
	const char *function = trace_function(call);

	flow_int(flow, columns->rank, call->rank);
	flow_seconds(flow, columns->time, call->start_ns);
	if (call->end_ns >= call->start_ns)
		flow_seconds(flow, columns->end, call->end_ns);
	flow_text(flow, columns->op, op_name(call));
	set_known(flow, columns->peer, call->peer);
	set_known(flow, columns->bytes, call->bytes);
	set_known(flow, columns->recv_bytes, call->recv_bytes);
	if (call->has_tag)
		flow_int(flow, columns->tag, call->tag);
	if (call->comm >= 0)
		flow_text(flow, columns->comm, comms->at.at[call->comm].id);
	set_known(flow, columns->request, call->request);
	set_known(flow, columns->root, call->root);
	flow_text(flow, columns->send_location, location_names[call->send_location]);
	flow_text(flow, columns->recv_location, location_names[call->recv_location]);
	if (call->region != NULL && (function == NULL || !str_eq(function, call->region)))
		flow_text(flow, columns->region, call->region);
	return flow_emit(flow, err);
}

/* ---- taking rows ---- */

void trace_columns_find(struct trace_columns *columns, const struct flow *flow)
{
	columns->rank = flow_find(flow, "rank");
	columns->time = flow_find(flow, "time_s");
	columns->end = flow_find(flow, "end_s");
	columns->op = flow_find(flow, "op");
	columns->peer = flow_find(flow, "peer");
	columns->bytes = flow_find(flow, "bytes");
	columns->recv_bytes = flow_find(flow, "recv_bytes");
	columns->tag = flow_find(flow, "tag");
	columns->comm = flow_find(flow, "comm");
	columns->request = flow_find(flow, "request");
	columns->root = flow_find(flow, "root");
	columns->send_location = flow_find(flow, "send_location");
	columns->recv_location = flow_find(flow, "recv_location");
	columns->region = flow_find(flow, "region");
}

static int take_op(struct mpi_call *call, const char *name, const struct flow *flow,
		   struct err *err)
{
	int collective;

	for (int op = 0; op < TRACE_COLLECTIVE; op++)
		if (str_eq(ops[op].name, name)) {
			call->op = op;
			return 0;
		}
	call->op = TRACE_COLLECTIVE;
	collective = collective_find(name, strlen(name));
	if (collective < 0 && name[0] == 'i') {
		collective = collective_find(name + 1, strlen(name + 1));
		call->is_nonblocking = true;
	}
	if (collective < 0)
		return flow_error(flow, err,
				  "op: '%s' is not an operation; placetools-mpitrace(5) lists them",
				  name);
	call->collective = collective;
	return 0;
}

/* A number that may be missing: -1. */
static int take_int(const struct flow *flow, int column, int64_t max, int64_t *value,
		    struct err *err)
{
	*value = -1;
	return flow_get_int(flow, column, 0, max, value, err) < 0 ? -1 : 0;
}

static int take_rank(const struct flow *flow, int column, const struct trace_comms *comms,
		     int32_t *rank, struct err *err)
{
	int64_t value;

	if (take_int(flow, column, INT32_MAX - 1, &value, err) != 0)
		return -1;
	if (comms->nranks > 0 && value >= comms->nranks)
		return flow_error(flow, err, "%s: there are %d ranks, and this is rank %lld",
				  flow->columns.at[column], comms->nranks, (long long)value);
	*rank = (int32_t)value;
	return 0;
}

static int take_bytes(const struct flow *flow, int column, int64_t *bytes, struct err *err)
{
	double value = -1;

	if (flow_get_real(flow, column, 0, 9e18, &value, err) < 0)
		return -1;
	*bytes = value < 0 ? -1 : (int64_t)value;
	return 0;
}

static int take_location(const struct flow *flow, int column, enum buffer_location *location,
			 struct err *err)
{
	char text[NUM_TEXT];
	const char *name = flow_get_text(flow, column, text);

	*location = LOCATION_UNKNOWN;
	if (name == NULL)
		return 0;
	if (str_eq(name, "host"))
		*location = LOCATION_HOST;
	else if (str_eq(name, "gpu"))
		*location = LOCATION_GPU;
	else
		return flow_error(flow, err, "%s: '%s' is not host or gpu",
				  flow->columns.at[column], name);
	return 0;
}

static int take_comm(struct mpi_call *call, const struct trace_comms *comms, int column,
		     const struct flow *flow, struct err *err)
{
	char text[NUM_TEXT];
	const char *id = flow_get_text(flow, column, text);

	if (id == NULL)
		return 0;
	call->comm = (int32_t)map_get(&comms->index, id, strlen(id));
	if (call->comm < 0)
		return flow_error(flow, err, "comm: no line ##comm=%s:RANKS before", id);
	return 0;
}

/* What an operation can't do without. */
static int check_call(const struct mpi_call *call, const struct flow *flow, struct err *err)
{
	const char *name = op_name(call);
	bool sends = call->op == TRACE_SEND || call->op == TRACE_ISEND || call->op == TRACE_PUT;

	if (sends && (call->peer < 0 || call->bytes < 0))
		return flow_error(flow, err, "%s: expected peer and bytes", name);
	if (call->op == TRACE_GET && (call->peer < 0 || call->recv_bytes < 0))
		return flow_error(flow, err, "%s: expected peer and recv_bytes", name);
	if (call->request < 0 && (call->op == TRACE_ISEND || call->op == TRACE_IRECV ||
				  call->op == TRACE_WAIT || call->is_nonblocking))
		return flow_error(flow, err, "%s: expected a request", name);
	if ((call->op == TRACE_ENTER || call->op == TRACE_LEAVE || call->op == TRACE_CALL) &&
	    call->region == NULL)
		return flow_error(flow, err, "%s: expected a region", name);
	return 0;
}

static int take_times(struct mpi_call *call, const struct trace_columns *columns,
		      const struct flow *flow, struct err *err)
{
	call->start_ns = 0;
	if (flow_get_seconds(flow, columns->time, &call->start_ns, err) < 0)
		return -1;
	call->end_ns = call->start_ns - 1;
	if (flow_get_seconds(flow, columns->end, &call->end_ns, err) == 1 &&
	    call->end_ns < call->start_ns)
		return flow_error(flow, err, "end_s is before time_s");
	return 0;
}

int mpi_call_take(struct mpi_call *call, struct trace_comms *comms,
		  const struct trace_columns *columns, const struct flow *flow, struct err *err)
{
	char text[NUM_TEXT];
	const char *name = flow_get_text(flow, columns->op, text);
	int64_t tag = 0;
	int has_tag;

	*call = mpi_call_make(TRACE_CALL, -1, 0, -1);
	if (name == NULL)
		return flow_error(flow, err, "op is missing");
	if (take_op(call, name, flow, err) != 0 || take_times(call, columns, flow, err) != 0 ||
	    take_rank(flow, columns->rank, comms, &call->rank, err) != 0 ||
	    take_rank(flow, columns->peer, comms, &call->peer, err) != 0 ||
	    take_rank(flow, columns->root, comms, &call->root, err) != 0 ||
	    take_bytes(flow, columns->bytes, &call->bytes, err) != 0 ||
	    take_bytes(flow, columns->recv_bytes, &call->recv_bytes, err) != 0 ||
	    take_comm(call, comms, columns->comm, flow, err) != 0 ||
	    take_int(flow, columns->request, INT64_MAX - 1, &call->request, err) != 0 ||
	    take_location(flow, columns->send_location, &call->send_location, err) != 0 ||
	    take_location(flow, columns->recv_location, &call->recv_location, err) != 0)
		return -1;
	has_tag = flow_get_int(flow, columns->tag, INT32_MIN, INT32_MAX, &tag, err);
	if (has_tag < 0)
		return -1;
	call->has_tag = has_tag == 1;
	call->tag = (int32_t)tag;
	if (call->rank < 0)
		return flow_error(flow, err, "rank is missing");
	call->region = flow_get_text(flow, columns->region, text);
	if (call->region == text)
		call->region = NULL; /* a number is no name */
	return check_call(call, flow, err);
}
