/* search.h - moving items between nodes to lower the most loaded links */
#ifndef ALGO_MAP_SEARCH_H
#define ALGO_MAP_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "algo/map/loads.h"
#include "model/comm.h"

/*
 * Items (ranks, or all ranks of a node taken as one) lie on the nodes of an allocation; a node has
 * room for room[node] of them. The search swaps two items of different nodes, or moves one into
 * free room, whenever that lowers
 *
 *     Σ load + μ Σ max(0, load − T)²          over directed links, load in bytes per capacity,
 *
 * where T lies a little below the greatest load of the moment: hop-bytes decide, until a link comes
 * near the maximum, which then decides more and more. Link loads are kept incrementally.
 */
struct search {
	const struct comm *comm; /* directed graph of the items */
	const int *room;         /* [routes->nnodes] */
	struct routes *routes;
	int *node_of; /* [comm->nranks], changed in place */
	uint64_t seed;
	double below; /* T = below × the greatest load */
	/* An edge of an item that is tried is a unit of work. */
	int64_t work;     /* at most */
	int64_t patience; /* without a better mapping, after which it ends */
	int64_t restart;  /* and after which it goes on from the best one, a little disturbed */
	bool is_stubborn; /* goes on when there is little hope */
};

struct search_result {
	int64_t ntrials, nmoves, nrounds;
	double sum_before, max_before, sum_after, max_after;
};

/* Leaves the best mapping seen by (greatest load, then the sum). */
struct search_result search_run(const struct search *search);

#endif
