/* dumpi.h - traces of DUMPI (sst-dumpi): a file per rank, binary or as dumpi2ascii prints it */
#ifndef TRACES_DUMPI_DUMPI_H
#define TRACES_DUMPI_DUMPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The arguments that somebody asks for, by the names that DUMPI gives them; others are skipped. */
#define DUMPI_ARGS(X)                                                                              \
	X(BLOCKLENGTH, "blocklength")                                                              \
	X(BLOCKLENGTHS, "blocklengths")                                                            \
	X(COLOR, "color")                                                                          \
	X(COMM, "comm")                                                                            \
	X(COMMRANK, "commrank")                                                                    \
	X(COUNT, "count")                                                                          \
	X(DATATYPE, "datatype")                                                                    \
	X(DEST, "dest")                                                                            \
	X(DIMS, "dims")                                                                            \
	X(FILE, "file")                                                                            \
	X(FLAG, "flag")                                                                            \
	X(FN, "fn")                                                                                \
	X(GROUP, "group")                                                                          \
	X(GROUP1, "group1")                                                                        \
	X(GROUP2, "group2")                                                                        \
	X(INDEX, "index")                                                                          \
	X(INDICES, "indices")                                                                      \
	X(KEY, "key")                                                                              \
	X(LENGTHS, "lengths")                                                                      \
	X(LOCALCOMM, "localcomm")                                                                  \
	X(NEWCOMM, "newcomm")                                                                      \
	X(NEWGROUP, "newgroup")                                                                    \
	X(NEWTYPE, "newtype")                                                                      \
	X(NODES, "nodes")                                                                          \
	X(OLDCOMM, "oldcomm")                                                                      \
	X(OLDTYPE, "oldtype")                                                                      \
	X(OLDTYPES, "oldtypes")                                                                    \
	X(ORIGINCOUNT, "origincount")                                                              \
	X(ORIGINTYPE, "origintype")                                                                \
	X(OUTCOUNT, "outcount")                                                                    \
	X(RANGES, "ranges")                                                                        \
	X(RANK, "rank")                                                                            \
	X(RANKS, "ranks")                                                                          \
	X(RECVCOUNT, "recvcount")                                                                  \
	X(RECVCOUNTS, "recvcounts")                                                                \
	X(RECVTAG, "recvtag")                                                                      \
	X(RECVTYPE, "recvtype")                                                                    \
	X(RECVTYPES, "recvtypes")                                                                  \
	X(REMAIN_DIMS, "remain_dims")                                                              \
	X(REQUEST, "request")                                                                      \
	X(REQUESTS, "requests")                                                                    \
	X(ROOT, "root")                                                                            \
	X(SENDCOUNT, "sendcount")                                                                  \
	X(SENDCOUNTS, "sendcounts")                                                                \
	X(SENDTAG, "sendtag")                                                                      \
	X(SENDTYPE, "sendtype")                                                                    \
	X(SENDTYPES, "sendtypes")                                                                  \
	X(SIZE, "size")                                                                            \
	X(SOURCE, "source")                                                                        \
	X(SUBSIZES, "subsizes")                                                                    \
	X(TAG, "tag")                                                                              \
	X(TARGETRANK, "targetrank")                                                                \
	X(WIN, "win")

#define DUMPI_ARG(symbol, name) DUMPI_##symbol,
enum dumpi_arg { DUMPI_ARGS(DUMPI_ARG) DUMPI_NARGS };
#undef DUMPI_ARG

/* Handles that mean something; those of the user follow. */
enum {
	DUMPI_COMM_NULL = 1,
	DUMPI_COMM_WORLD,
	DUMPI_COMM_SELF,
	DUMPI_GROUP_EMPTY = 2,
	DUMPI_REQUEST_NULL = 1,
	DUMPI_FIRST_USER_TYPE = 28,
	DUMPI_ANY = -1 /* MPI_ANY_SOURCE, MPI_ANY_TAG */
};

struct dumpi_status {
	int32_t bytes, source, tag;
	bool is_cancelled;
};

/* One call. What it points to is valid until its taker returns. */
struct dumpi_call {
	const char *name; /* "MPI_Send"; "Function_enter", "Function_exit" */
	int function;     /* its number, below dumpi_nfunctions() */
	int thread;
	int64_t wall_ns[2], cpu_ns[2]; /* start and end; 0: not measured */
	const char *text;              /* argv[0] of MPI_Init, a traced function's name; or NULL */
	const struct dumpi_status *statuses;
	int nstatuses;
	uint64_t has; /* a bit for each argument that is there */
	struct {
		int64_t number; /* of an array: where it begins in ints */
		int32_t n;      /* elements of an array */
	} args[DUMPI_NARGS];
	const int32_t *ints; /* arrays; of arrays of arrays: one after the other */
};

static inline bool dumpi_has(const struct dumpi_call *call, enum dumpi_arg arg)
{
	return call->has >> arg & 1;
}

/* missing: where the call does not say. */
static inline int64_t dumpi_number(const struct dumpi_call *call, enum dumpi_arg arg,
				   int64_t missing)
{
	return dumpi_has(call, arg) ? call->args[arg].number : missing;
}

/* [*n]; *n is 0 where the call does not say. */
static inline const int32_t *dumpi_array(const struct dumpi_call *call, enum dumpi_arg arg, int *n)
{
	*n = dumpi_has(call, arg) ? call->args[arg].n : 0;
	return *n > 0 ? call->ints + call->args[arg].number : NULL;
}

/* Who takes a file. type_size comes for each datatype of which the file says the size, before or
 * after the calls. */
struct dumpi_taker {
	int (*call)(void *context, const struct dumpi_call *call, struct err *err);
	void (*type_size)(void *context, int64_t type, int64_t size);
};

/* A whole file in memory. */
struct dumpi_file {
	const char *name; /* for messages */
	const char *at;   /* [n] */
	size_t n;
};

/*
 * Reads one rank's file. Each returns 0, or -1 with a message. Memory: the arguments of one call;
 * no count of the file is believed beyond its length. The format is that of sst-dumpi,
 * docs/traceformat.dox, all versions up to 8.0; binary files without the index at their end (of
 * runs that were killed) are refused.
 */
int dumpi_read_binary(const struct dumpi_file *file, const struct dumpi_taker *taker, void *context,
		      struct err *err);
int dumpi_read_text(const struct dumpi_file *file, const struct dumpi_taker *taker, void *context,
		    struct err *err);

/* Whether the first bytes [n] are those of a binary trace, of what dumpi2ascii prints. */
bool dumpi_is_binary(const char *head, size_t n);
bool dumpi_is_text(const char *head, size_t n);

int dumpi_nfunctions(void);
const char *dumpi_function_name(int function);

#endif
