/* comm_graphs.h - communication graphs of micro-benchmarks, one sending rank after the other */
#ifndef WORKLOAD_COMM_GRAPHS_H
#define WORKLOAD_COMM_GRAPHS_H

#include "base/mem.h"
#include "base/registry.h"
#include "formats/table.h"

/* What a rank sends to another one; the same destination may come again. */
struct comm_message {
	int dst;
	double bytes;
};
typedef VEC(struct comm_message) comm_messages;

/* The process grid: rank = (x·size[1] + y)·size[2] + z, the last dimension fastest. */
enum { COMM_DIMS = 3 };
struct comm_grid {
	int nranks, ndims;
	int size[COMM_DIMS];
	bool is_periodic;
	double bytes; /* of a message */
};

/* From dims= (of ndims) or ranks=: then the balanced factorization that MPI_Dims_create gives, in
 * decreasing order. */
int comm_grid_read(struct comm_grid *grid, const struct pick *pick, int ndims, struct err *err);

/* Appends what a rank sends. */
typedef void comm_grid_fn(const struct comm_grid *grid, int rank, comm_messages *messages);
comm_grid_fn comm_halo2d, comm_halo3d, comm_halo3d15, comm_alltoall_sub;

/* An N-body code's graph (comm_nbody.c); rank by rank. */
struct comm_nbody;
struct comm_nbody *comm_nbody_new(const struct pick *pick, int nranks, uint64_t seed);
void comm_nbody_rank(struct comm_nbody *nbody, int rank, comm_messages *messages);
void comm_nbody_free(struct comm_nbody *nbody); /* NULL is allowed */

#endif
