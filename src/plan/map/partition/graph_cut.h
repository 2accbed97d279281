/* graph_cut.h - cutting a communication graph into parts of given sizes */
#ifndef MAP_PARTITION_GRAPH_CUT_H
#define MAP_PARTITION_GRAPH_CUT_H

#include "base/err.h"
#include "model/comm.h"

/*
 * Parts of exactly size[p] ranks each (their sum is comm->nranks) with few bytes between parts.
 * comm is symmetric (comm_symmetric). part_of [nranks] is filled. The same everywhere: the
 * library's seed is given or fixed, and sizes that it misses are repaired.
 */
int partition_scotch(const struct comm *comm, int nparts, const int *size, int seed, int *part_of,
		     struct err *err);
int partition_metis(const struct comm *comm, int nparts, const int *size, int *part_of,
		    struct err *err);

/* Bytes as whole numbers whose sum stays below 2^30, as the libraries want them: bytes times this,
 * at least 1. */
double partition_scale(const struct comm *comm);

/* Moves ranks until every part has its size (sum: comm->nranks): those that lose least, lowest
 * number first. part_of may name parts of any sizes. */
void partition_repair(const struct comm *comm, int nparts, const int *size, int *part_of);
/* The same until no part has more than its room: room [nparts], Σ at least nranks. */
void partition_fit(const struct comm *comm, int nparts, const int *room, int *part_of);

#endif
