/* search.h - moving items between nodes to lower the most loaded links */
#ifndef MAP_SEARCH_SEARCH_H
#define MAP_SEARCH_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "map/routes/map_routes.h"
#include "map/team/team.h"
#include "model/comm.h"

/*
 * Items (ranks, or all ranks of a node taken as one) are on the nodes of an allocation; a node has
 * room for room[node] of them. The search swaps two items of different nodes, or moves one into
 * free room, so that
 *
 *     Σ load + μ Σ max(0, load − T)²          over directed links, load in bytes per capacity,
 *
 * falls, where T is a little below the greatest load so far: hop-bytes decide, until a link comes
 * near the maximum, which then decides more and more. Link loads are kept incrementally.
 *
 * First the items are annealed; then, from the best mapping on, a few of those that talk across the
 * most loaded links are exchanged whatever that does, their surroundings mended, and the whole of
 * it kept if the sum has not grown. At last, with the greatest load S as it is, they are annealed
 * once more, from a lower temperature, by Σ load + S Σ (load / S)^16: hop-bytes and the loads
 * behind the greatest fall.
 *
 * Members of a team share the trials. Each keeps the whole state; what some of them found good is
 * passed to all, who try it again one after the other: the result does not depend on how many they
 * are.
 */
struct search {
	const struct comm *comm; /* directed graph of the items */
	const int *room;         /* [routes->nnodes] */
	/* Where a node has one item: how large items are [comm->nranks], and may be on each node
	 * [routes->nnodes]. NULL: alike */
	const int *size, *capacity;
	struct routes *routes; /* of this member */
	int *node_of;          /* [comm->nranks], changed in place; each member has its own */
	uint64_t seed;
	/* Annealing begins so hot that items lose their places, and presses on the greatest load
	 * more and more: for places that are routers (routes_bundle). */
	bool melts;
	double heat; /* else: at first, in what an average edge puts on links; falls to a 32nd */
	/* An edge of an item that is tried is a unit of work. */
	int64_t anneal, mend, polish; /* work of the stages, at most */
	double enough;                /* greatest load with which there is nothing to search for */
	int64_t patience;             /* work without a better mapping, after which a stage ends */
	struct team *team;            /* NULL: one alone */
	int member;
};

struct search_result {
	int64_t ntrials, nmoves, nrounds;
	double sum_before, max_before, sum_after, max_after;
};

/* Whether one ends better than another: by the greatest load, then the sum. */
static inline bool search_is_better(const struct search_result *a, const struct search_result *b)
{
	return a->max_after < b->max_after ||
	       (a->max_after == b->max_after && a->sum_after < b->sum_after);
}

/* Leaves the best mapping seen by (greatest load, then the sum). All members must come here. */
struct search_result search_run(const struct search *search);

#endif
