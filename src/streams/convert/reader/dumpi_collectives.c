/* dumpi_collectives.c - collective and one-sided calls of a DUMPI trace as rows */
#include "convert/reader/dumpi_rows.h"

#define MOST ((int64_t)1 << 53)

/* Σ counts[i] · size of types[i] (of the one type where there is no list). */
static int64_t sum_of(struct dumpi_rows *rows, const struct dumpi_call *call, enum dumpi_arg counts,
		      enum dumpi_arg type, enum dumpi_arg types)
{
	int n, ntypes;
	const int32_t *count = dumpi_array(call, counts, &n);
	const int32_t *listed = dumpi_array(call, types, &ntypes);
	int64_t total = 0;

	for (int i = 0; i < n; i++) {
		int64_t bytes =
			dumpi_types_bytes(rows->of.types, count[i],
					  i < ntypes ? listed[i] : dumpi_number(call, type, 0));

		if (bytes < 0) {
			rows->nunknown_type++;
			return 0;
		}
		total = total + bytes > MOST ? MOST : total + bytes;
	}
	return total;
}

/* What one side of a call holds: n blocks. */
static int64_t side(struct dumpi_rows *rows, const struct dumpi_call *call, bool is_send, int n)
{
	int64_t bytes = is_send ? dumpi_bytes_of(rows, call, DUMPI_SENDCOUNT, DUMPI_SENDTYPE)
				: dumpi_bytes_of(rows, call, DUMPI_RECVCOUNT, DUMPI_RECVTYPE);

	return bytes > MOST / n ? MOST : bytes * n;
}

static int64_t sides(struct dumpi_rows *rows, const struct dumpi_call *call, bool is_send)
{
	return is_send ? sum_of(rows, call, DUMPI_SENDCOUNTS, DUMPI_SENDTYPE, DUMPI_SENDTYPES)
		       : sum_of(rows, call, DUMPI_RECVCOUNTS, DUMPI_RECVTYPE, DUMPI_RECVTYPES);
}

/* n: ranks of the communicator; place: this one's. What the rank's own buffers hold. */
static void set_sizes(struct dumpi_rows *rows, const struct dumpi_call *call, struct mpi_call *row,
		      int n, int place)
{
	bool is_root = row->root == rows->of.rank;
	int ncounts;
	const int32_t *counts;

	switch (row->collective) {
	case COLLECTIVE_BCAST:
		*(is_root ? &row->bytes : &row->recv_bytes) =
			dumpi_bytes_of(rows, call, DUMPI_COUNT, DUMPI_DATATYPE);
		break;
	case COLLECTIVE_REDUCE:
	case COLLECTIVE_ALLREDUCE:
	case COLLECTIVE_SCAN:
	case COLLECTIVE_EXSCAN:
		row->bytes = dumpi_bytes_of(rows, call, DUMPI_COUNT, DUMPI_DATATYPE);
		if (row->collective != COLLECTIVE_REDUCE || is_root)
			row->recv_bytes = row->bytes;
		break;
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV:
		row->bytes = side(rows, call, true, 1);
		if (is_root)
			row->recv_bytes = row->collective == COLLECTIVE_GATHER
						  ? side(rows, call, false, n)
						  : sides(rows, call, false);
		break;
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV:
		row->recv_bytes = side(rows, call, false, 1);
		if (is_root)
			row->bytes = row->collective == COLLECTIVE_SCATTER
					     ? side(rows, call, true, n)
					     : sides(rows, call, true);
		break;
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV:
		row->bytes = side(rows, call, true, 1);
		row->recv_bytes = row->collective == COLLECTIVE_ALLGATHER
					  ? side(rows, call, false, n)
					  : sides(rows, call, false);
		break;
	case COLLECTIVE_ALLTOALL:
		row->bytes = side(rows, call, true, n);
		row->recv_bytes = side(rows, call, false, n);
		break;
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW:
		row->bytes = sides(rows, call, true);
		row->recv_bytes = sides(rows, call, false);
		break;
	case COLLECTIVE_REDUCE_SCATTER:
		row->bytes = sum_of(rows, call, DUMPI_RECVCOUNTS, DUMPI_DATATYPE, DUMPI_RECVTYPES);
		counts = dumpi_array(call, DUMPI_RECVCOUNTS, &ncounts);
		if (place >= 0 && place < ncounts)
			row->recv_bytes = dumpi_types_bytes(rows->of.types, counts[place],
							    dumpi_number(call, DUMPI_DATATYPE, 0));
		break;
	default:
		break;
	}
}

int dumpi_on_collective(struct dumpi_rows *rows, const struct dumpi_call *call,
			enum collective_op op, int32_t comm, struct err *err)
{
	struct mpi_call *row;
	int32_t root = -1;

	if (comm == DUMPI_UNKNOWN)
		return dumpi_unknown_comm(rows, call);
	if (collective_is_rooted(op) &&
	    dumpi_to_world(rows, comm, dumpi_number(call, DUMPI_ROOT, -1), &root, call, err) != 0)
		return -1;
	row = &dumpi_add(rows, call, TRACE_COLLECTIVE)->call;
	row->collective = op;
	row->comm = comm;
	row->root = root;
	set_sizes(rows, call, row, trace_comm_size(rows->of.comms, comm),
		  trace_comm_place(rows->of.comms, comm, rows->of.rank));
	return 0;
}

/* Communicators, windows and files are made and freed by all that have them. */
int dumpi_on_make(struct dumpi_rows *rows, const struct dumpi_call *call, struct umap *comm_of,
		  enum dumpi_arg handle, struct err *err)
{
	int32_t comm = dumpi_comm_of(rows, call);

	umap_set(comm_of, (uint64_t)dumpi_number(call, handle, 0), comm);
	return dumpi_on_collective(rows, call, COLLECTIVE_CREATE, comm, err);
}

int dumpi_on_free(struct dumpi_rows *rows, const struct dumpi_call *call, struct umap *comm_of,
		  enum dumpi_arg handle, struct err *err)
{
	int64_t comm = DUMPI_UNKNOWN;

	umap_take(comm_of, (uint64_t)dumpi_number(call, handle, 0), &comm);
	return dumpi_on_collective(rows, call, COLLECTIVE_DESTROY, (int32_t)comm, err);
}

int dumpi_on_comm(struct dumpi_rows *rows, const struct dumpi_call *call, struct err *err)
{
	int64_t old = dumpi_number(call, DUMPI_OLDCOMM, dumpi_number(call, DUMPI_LOCALCOMM, 0));
	int32_t comm = dumpi_comms_meaning(rows->of.meanings, dumpi_number(call, DUMPI_COMM, old));

	switch (dumpi_comms_next(rows->of.meanings)) {
	case DUMPI_MAKES_COMM:
		return dumpi_on_collective(rows, call, COLLECTIVE_CREATE, comm, err);
	case DUMPI_FREES_COMM:
		return dumpi_on_collective(rows, call, COLLECTIVE_DESTROY, comm, err);
	default:
		return dumpi_plain_row(rows, call);
	}
}

int dumpi_on_rma(struct dumpi_rows *rows, const struct dumpi_call *call, enum trace_op op,
		 struct err *err)
{
	int64_t comm = DUMPI_UNKNOWN, bytes, place = dumpi_number(call, DUMPI_TARGETRANK, -1);
	struct mpi_call *row;
	int32_t peer;

	umap_get(&rows->win_comm, (uint64_t)dumpi_number(call, DUMPI_WIN, 0), &comm);
	if (comm == DUMPI_UNKNOWN)
		return dumpi_unknown_comm(rows, call);
	if (place < 0)
		return dumpi_plain_row(rows, call);
	if (dumpi_to_world(rows, (int32_t)comm, place, &peer, call, err) != 0)
		return -1;
	bytes = dumpi_bytes_of(rows, call, DUMPI_ORIGINCOUNT, DUMPI_ORIGINTYPE);
	row = &dumpi_add(rows, call, op)->call;
	row->peer = peer;
	row->comm = (int32_t)comm;
	*(op == TRACE_PUT ? &row->bytes : &row->recv_bytes) = bytes;
	return 0;
}
