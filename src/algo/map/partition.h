/* partition.h - cutting a communication graph into parts of given sizes */
#ifndef ALGO_MAP_PARTITION_H
#define ALGO_MAP_PARTITION_H

#include "base/err.h"
#include "model/comm.h"

/*
 * Parts of exactly size[p] ranks each (their sum is comm->nranks) with few bytes between parts.
 * comm is symmetric (comm_symmetric). part_of [nranks] is filled. The same everywhere: the
 * library's seed is fixed, and sizes that it misses are repaired by moving the ranks that lose
 * least, lowest number first.
 */
int partition_scotch(const struct comm *comm, int nparts, const int *size, int *part_of,
		     struct err *err);

#endif
