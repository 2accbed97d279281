/* mpi_collective.h - the collective operations of MPI, and what a call of one moves */
#ifndef MODEL_MPI_COLLECTIVE_H
#define MODEL_MPI_COLLECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum collective_op {
	COLLECTIVE_BARRIER,
	COLLECTIVE_BCAST,
	COLLECTIVE_GATHER,
	COLLECTIVE_GATHERV,
	COLLECTIVE_SCATTER,
	COLLECTIVE_SCATTERV,
	COLLECTIVE_ALLGATHER,
	COLLECTIVE_ALLGATHERV,
	COLLECTIVE_ALLTOALL,
	COLLECTIVE_ALLTOALLV,
	COLLECTIVE_ALLTOALLW,
	COLLECTIVE_ALLREDUCE,
	COLLECTIVE_REDUCE,
	COLLECTIVE_REDUCE_SCATTER,
	COLLECTIVE_REDUCE_SCATTER_BLOCK,
	COLLECTIVE_SCAN,
	COLLECTIVE_EXSCAN,
	/* of communicators, windows and files: they synchronise and move nothing that counts */
	COLLECTIVE_CREATE,
	COLLECTIVE_DESTROY,
	COLLECTIVE_NOPS
};

const char *collective_name(enum collective_op op);             /* "allreduce" */
const char *collective_nonblocking_name(enum collective_op op); /* "iallreduce" */
/* By the blocking one's name; -1: there is no such operation. */
int collective_find(const char *name, size_t n);
bool collective_is_rooted(enum collective_op op);

/*
 * One call, as every rank of its communicator sees it. bytes is the size of
 *   bcast, reduce, allreduce, scan, exscan, reduce_scatter: the vector;
 *   gather, scatter, allgather: all blocks together (nranks × block);
 *   alltoall: what one rank sends to all, itself included (nranks × block).
 * Blocks that do not divide it evenly (or whose sizes are not known, as of the …v operations) are
 * collective_share()s of it.
 */
struct collective_places; /* mpi/collective/rank_places.h */
struct collective {
	enum collective_op op;
	int nranks;     /* of the communicator */
	int root;       /* its rank there; 0 when the operation has none */
	bool is_on_gpu; /* its buffers, without the host */
	int64_t bytes;
	const struct collective_places *places; /* of its ranks; NULL: nobody knows */
};

/* The i-th of n nearly equal parts of bytes; they add up to it. */
static inline int64_t collective_share(int64_t bytes, int n, int i)
{
	return bytes / n + (i < bytes % n);
}

/* The sum of the parts first … first + count - 1, which wrap around at n. count ≤ n */
int64_t collective_shares(int64_t bytes, int n, int first, int count);

/*
 * The size of a call (struct collective's bytes) from one rank's buffers, -1 where a side is not
 * known: send and recv are what the rank's own send and receive buffer hold, as MPI's arguments
 * say. Where only one block is known the others are taken to be as large.
 */
int64_t collective_bytes(enum collective_op op, int nranks, bool is_root, int64_t send,
			 int64_t recv);

#endif
