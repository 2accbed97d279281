/* placing.h - items on nodes, and the loads that they put on links, kept while items move */
#ifndef MAP_SEARCH_PLACING_H
#define MAP_SEARCH_PLACING_H

#include <stdbool.h>
#include <stdint.h>

#include "map/routes/map_routes.h"
#include "base/mem.h"
#include "model/comm.h"

/* What an item sends to a peer, and gets from it. */
struct placing_end {
	int32_t peer;
	double out, in; /* bytes */
};

/* What goes over one channel, and what is booked; seen: the booking that touched it last. */
struct placing_link {
	double load, change;
	int64_t seen;
};

/* What an exchange takes from one node and gives to another, of what goes to and comes from a
 * third. */
struct placing_flow {
	double out, in;
	int64_t seen; /* as above */
};

/* Bytes that leave one path for another: the channels behind the first node's own link, and that
 * link or -1. */
struct placing_detour {
	const int32_t *old, *old_end, *new, *new_end;
	int32_t old_up, new_up;
	double bytes;
};

/*
 * Items are on the nodes of an allocation (indices); node v has room for room[v] of them. Links are
 * by the dense numbers of channels. An exchange is booked, weighed, and then settled.
 *
 * Loads are whole numbers of quanta, so small a power of two that all of them together are 2^50 of
 * them: sums are exact, and what is done and rolled back leaves no trace. Bytes that are whole
 * stay what they are. Where a message is spread over several ways, bytes are whole numbers of 4 096
 * quanta, and its parts of 4 096ths.
 */
struct placing {
	struct routes *routes;
	const int *room; /* [routes->nnodes] */
	int nitems;
	int64_t *first; /* [nitems + 1] into ends */
	struct placing_end *ends;
	int32_t *degree; /* [nitems] edges out and in: 2 · nedges in all */
	int64_t nedges;
	int *node_of; /* [nitems], the caller's */
	int *items;   /* of node v: items[first_room[v]] … , nheld[v] of them */
	int64_t *first_room;
	int *nheld, *place_of; /* place_of [nitems]: index into items */

	double quantum; /* bytes */
	VEC(struct placing_link) links;
	VEC(int32_t) in_order; /* links by the machine's channels, */
	size_t nordered;       /* when there were so many */
	VEC(int32_t) touched;
	struct placing_flow *flows;         /* [routes->nnodes] */
	int_vec met;                        /* nodes with a flow */
	VEC(struct placing_detour) detours; /* of the last booking */
	int64_t nbooked;
	double limit, weight; /* of placing_gain: placing_aim */
	bool is_steep;
	VEC(double) prices; /* of links: what the next byte would add to the sum */
	int64_t nsettled;   /* exchanges that became real */
};

/* comm is the directed graph of the items; node_of [comm->nranks] is kept up to date. */
void placing_open(struct placing *placing, const struct comm *comm, const int *room,
		  struct routes *routes, int *node_of);
void placing_close(struct placing *placing);
/* Puts every item on its node and counts the loads anew. node_of [nitems] */
void placing_set(struct placing *placing, const int *node_of);

/* Books the exchange of item i with item j, or (j < 0) its move to node there, where it has room.
 * Returns the edges that it looked at. */
int64_t placing_book(struct placing *placing, int i, int j, int there);
/* What is small from now on: Σ load + weight · Σ max(0, load − limit)², loads over capacity; steep:
 * Σ load + limit · Σ (load / limit)^16. */
void placing_aim(struct placing *placing, double limit, double weight, bool is_steep);
/* What is booked adds to that. */
double placing_gain(const struct placing *placing);
/* Books an exchange that adds less than a limit: whether it does, and then what (*gain). *nedges
 * grows by the edges that it looked at. */
bool placing_try(struct placing *placing, int i, int j, int there, double limit, double *gain,
		 int64_t *nedges);
/* The steep one in all, in the order of the machine's channels. */
double placing_steep_sum(struct placing *placing);
/* Makes it real, or forgets it. */
void placing_exchange(struct placing *placing, int i, int j, int there);
void placing_forget(struct placing *placing);
/* Rolls the last one back: item i, which was at place (place_of) of node back. Returns the edges
 * that it looked at. */
int64_t placing_undo(struct placing *placing, int i, int j, int back, int place);

/* Load over capacity, in bytes. */
static inline double placing_load(const struct placing *placing, int32_t channel)
{
	return placing->links.at[channel].load * placing->routes->per_byte.at[channel];
}
double placing_greatest(const struct placing *placing);
double placing_sum(struct placing *placing); /* in the order of the machine's channels */

/* Whether the loads that exchanges kept up are those that counting them anew gives. Takes as long
 * as placing_set. */
bool placing_is_right(struct placing *placing);

#endif
