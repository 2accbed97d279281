/* search.h - moving items between nodes to lower the most loaded links */
#ifndef ALGO_MAP_SEARCH_H
#define ALGO_MAP_SEARCH_H

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
	double below;    /* T = below × the greatest load */
	int64_t ntrials; /* of both kinds, at most */
};

struct search_result {
	int64_t ntrials, nmoves;
	double sum_before, max_before, sum_after, max_after;
};

/* Leaves the best mapping seen by (greatest load, then the sum). */
struct search_result search_run(const struct search *search);

#endif
