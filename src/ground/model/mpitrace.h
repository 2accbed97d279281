/* mpitrace.h - MPI calls of ranks: what a row of an mpitrace stream says */
#ifndef MODEL_MPITRACE_H
#define MODEL_MPITRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/mpi_collective.h"
#include "model/flow.h"

/*
 * The closed list of operations; their names are "init", "send", … A collective operation has its
 * own name (collective_name), with an i in front when it is non-blocking.
 */
enum trace_op {
	TRACE_INIT,     /* MPI_Init, MPI_Init_thread */
	TRACE_FINALIZE, /* MPI_Finalize */
	TRACE_SEND,
	TRACE_ISEND,
	TRACE_RECV,
	TRACE_IRECV,
	TRACE_WAIT,   /* the request is complete */
	TRACE_CANCEL, /* the request is no more */
	TRACE_CALL,   /* any other MPI call; region names it */
	TRACE_ENTER,  /* a user region begins, at time_s */
	TRACE_LEAVE,
	TRACE_PUT, /* one-sided, to peer */
	TRACE_GET, /* one-sided, from peer: recv_bytes */
	TRACE_OFF, /* nothing was measured from time_s to end_s */
	TRACE_COLLECTIVE,
	TRACE_NOPS
};

enum buffer_location { LOCATION_UNKNOWN, LOCATION_HOST, LOCATION_GPU };

/* One row. Numbers that are not known are −1 (tags may be negative: has_tag). */
struct mpi_call {
	enum trace_op op;
	enum collective_op collective; /* TRACE_COLLECTIVE */
	bool is_nonblocking;           /* a collective operation with a request */
	int32_t rank;                  /* world rank */
	int64_t start_ns, end_ns;      /* end_ns < start_ns: none */
	int32_t peer, root;            /* world ranks */
	int64_t bytes, recv_bytes;     /* what the rank's own buffers hold */
	bool has_tag;
	int32_t tag;
	int32_t comm;    /* number in trace_comms; −1: all ranks */
	int64_t request; /* unique among a rank's requests that are not complete */
	enum buffer_location send_location, recv_location;
	const char *region; /* user region, or the function where the op does not say it; or NULL */
};

/* All unknown, of op. */
struct mpi_call mpi_call_make(enum trace_op op, int32_t rank, int64_t start_ns, int64_t end_ns);

/* The function that an operation means when region does not say another: "MPI_Send"; NULL: none. */
const char *trace_function(const struct mpi_call *call);

/* ---- communicators ---- */

/*
 * Members of the communicators that are not all ranks, from ##comm=ID:RANKS (0-3,8,6); an
 * inter-communicator's second group follows "|"; "self" is each rank alone. IDs are any text.
 */
struct trace_comm {
	const char *id;
	int32_t *ranks; /* [n] world ranks; NULL when is_self */
	int n;
	int32_t *remote; /* [nremote]; NULL: no inter-communicator */
	int nremote;
	bool is_self;
};

struct trace_comms {
	VEC(struct trace_comm) at;
	struct map index; /* id → number */
	struct arena arena;
	int nranks;   /* of the world; 0: not known */
	int nmembers; /* of all communicators together */
};

void trace_comms_free(struct trace_comms *comms);
/* Takes "ID:RANKS". The same again is nothing new; another meaning of an ID is refused. */
int trace_comms_add(struct trace_comms *comms, const char *text, struct err *err);
/* The same from arrays, which are copied (id too). ranks NULL with is_self; remote NULL: none. */
int trace_comms_make(struct trace_comms *comms, const struct trace_comm *comm, struct err *err);
/* A list such as 0-3,8,6 up to its end or a bar, of at most room ranks; *ranks is to be freed, and
 * after an error as it was. And back. */
int trace_ranks_read(const char **text, int room, int32_t **ranks, int *n, struct err *err);
void trace_ranks_print(const int32_t *ranks, int n, struct buf *buf);
/* ID:RANKS of one; valid until buf changes. */
const char *trace_comm_text(const struct trace_comm *comm, struct buf *buf);
/* Each member is one of nranks, and there once. */
int trace_comms_check(const struct trace_comms *comms, int nranks, struct err *err);
/* Members in which a call's collective takes place (comm −1: all ranks, ranks NULL then), and the
 * place of a world rank among them, −1: it has none. Without a meaning for inter-communicators:
 * place is −1 then. */
int trace_comm_size(const struct trace_comms *comms, int32_t comm);
int trace_comm_place(const struct trace_comms *comms, int32_t comm, int32_t rank);
int32_t trace_comm_rank(const struct trace_comms *comms, int32_t comm, int place, int32_t self);

/* ---- rows ---- */

struct trace_columns {
	int rank, time, op, end, peer, bytes, recv_bytes, tag, comm, request, root, send_location,
		recv_location, region;
};

/* Declares the columns of a flow that is made. */
void trace_columns_make(struct trace_columns *columns, struct flow *flow);
/* Finds them in one that is taken; -1: absent. */
void trace_columns_find(struct trace_columns *columns, const struct flow *flow);

/* Sets the cells and emits. comms may be NULL when no call has a comm. */
int mpi_call_emit(const struct mpi_call *call, const struct trace_comms *comms,
		  const struct trace_columns *columns, struct flow *flow, struct err *err);
/* Reads the cells of the current row; texts are valid as long as the row. */
int mpi_call_take(struct mpi_call *call, struct trace_comms *comms,
		  const struct trace_columns *columns, const struct flow *flow, struct err *err);
/* Takes ##comm= and ##ranks= lines of the flow that came since *ndone. */
int trace_meta_take(struct trace_comms *comms, const struct flow *flow, size_t *ndone,
		    struct err *err);

#endif
