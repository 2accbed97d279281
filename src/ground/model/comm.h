/* comm.h - a communication graph: what each rank sends to each other */
#ifndef MODEL_COMM_H
#define MODEL_COMM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "formats/table.h"

/*
 * Directed, sorted by (source, destination), each pair once. Edges of rank r are first[r] …
 * first[r + 1] - 1. A rank's messages to itself are kept: they use no link.
 */
struct comm {
	int nranks;
	int64_t nedges;
	int64_t *first;   /* [nranks + 1] */
	int32_t *peer;    /* [nedges] destination */
	double *bytes;    /* [nedges] */
	double *messages; /* [nedges]; 1 where the stream does not say */
};

/*
 * Reads the rest of a comm stream (pairs that come again add up, in the order of the stream) as far
 * as it is about job (NULL: all rows; a stream that names several jobs is refused then). Ranks are
 * 0 … the greatest one that appears, or nranks if that is greater.
 */
int comm_read(struct comm **comm, struct table_in *in, const char *job, int nranks,
	      struct err *err);
void comm_free(struct comm *comm); /* NULL is allowed */

/* From arrays, in any order, repeated pairs adding up. src, dst, bytes, messages [n]; messages
 * NULL: 1 each. */
struct comm *comm_make(int nranks, int64_t n, const int32_t *src, const int32_t *dst,
		       const double *bytes, const double *messages);

/* Bytes of the edge that has the most, edges of a rank to itself left out. */
double comm_largest(const struct comm *comm);

/* The sum of both directions of every pair, without self edges: symmetric. */
struct comm *comm_symmetric(const struct comm *comm);

/*
 * The part of the graph between some ranks [n], which ascend; rank i of it is ranks[i]. scratch
 * [comm->nranks] is −1 throughout, before and after.
 */
struct comm *comm_part(const struct comm *comm, const int *ranks, int n, int *scratch);

/* Every edge turned round. */
struct comm *comm_reversed(const struct comm *comm);

/* The graph of groups of ranks; messages inside a group disappear. group_of [nranks] */
struct comm *comm_quotient(const struct comm *comm, const int *group_of, int ngroups);

#endif
