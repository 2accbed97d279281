/* rehearsal.h - how long the messages of a mapping take when all are sent at once */
#ifndef MAP_PROBLEM_REHEARSAL_H
#define MAP_PROBLEM_REHEARSAL_H

#include "machine/vc/vc_classes.h"
#include "map/problem/problem.h"

/*
 * Mappings whose links carry alike differ in time, because messages meet each other in another
 * order. So exchanges of all messages, one after the other, are run through in large packets:
 *
 * Every rank sends to all its partners, in the order of their numbers, as fast as in->travel says
 * it can. What that calls eager goes at once. Of all else a rank asks first: the partner's node
 * answers when the partner has come to that exchange, then the data go (rendezvous). Requests and
 * answers have no bytes, but wait their turn. A rank whose messages have left, and that has all of
 * its own, begins the next exchange. A node sends what it has in the order it got it. A packet goes
 * on as soon as its head has come (virtual cut-through); a link sends in the order of arrival. The
 * buffer at the far end of a link has separate room for each virtual channel, as netsim(1) gives
 * them to paths. A packet without room keeps those of its channel waiting; those of several are
 * served in turn. Messages inside a node are copied one after the other, as many at one time as
 * in->travel says.
 */
struct rehearsal_size {
	int npackets; /* of the largest message, at most */
	int nrounds;  /* exchanges */
	/* Ranks begin up to a sixteenth of the largest message apart, in each shift otherwise; 0:
	 * all at once. Where all begin at one moment messages meet at links again and again, and
	 * the links' own order decides: a nanosecond between ranks makes an all-to-all of groups
	 * on a dragonfly a quarter faster. */
	int shift;
};

/* Packets times hops, a copy inside a node being a hop, of which a million take a sixth of a
 * second. −1: it can't be rehearsed, because nodes have several links, messages are spread over
 * several paths, routes are longer than 64 links, or nothing is sent. */
int64_t rehearsal_cost(const struct map_input *in, struct routes *routes, const int *node_of,
		       const struct rehearsal_size *size);

/* What an exchange takes, in units of the largest message on a link of capacity 1; of several, on
 * average. Only where the cost is positive. classes: those of routes->routing. */
double rehearsal_time(const struct map_input *in, struct routes *routes,
		      const struct vc_classes *classes, const int *node_of,
		      const struct rehearsal_size *size);

#endif
