/* distances.h - how far nodes are apart (Def. 1), by hops or by routes */
#ifndef PLACE_CONSTRAINT_DISTANCES_H
#define PLACE_CONSTRAINT_DISTANCES_H

#include "place/constraint/space.h"

/*
 * Hierarchies: levels. Elsewhere the fewest links between the routers of two nodes; by_routes: the
 * links of their minimal route, which on dragonflies are more where a third group is a short cut.
 * Rows of a table are made when they are first asked for, on machines of up to 4 096 routers.
 */
struct distances {
	const struct space *space;
	bool by_routes;
	uint16_t **row; /* [nrouters]; NULL: no table is kept */
	uint16_t *last; /* [nrouters] without one: the row of router last_of */
	int last_of;
	int_vec queue;
	int most; /* between two nodes, or more */
};

/* space must outlive it. Refuses rings and lines that are too long for DISTANCE_MOST. */
int distances_open(struct distances *distances, const struct space *space, bool by_routes,
		   struct err *err);
void distances_close(struct distances *distances); /* also after a failed open */

/* From a router to all others of a direct network: [nrouters], DISTANCE_MOST where there is no
 * route; valid until the next call. */
const uint16_t *distances_from(struct distances *distances, int router);
/* Between two nodes. */
int distances_between(struct distances *distances, int node_a, int node_b);

/* The parameter of constraints that measure distances. */
#define DISTANCE_PARAM                                                                             \
	{                                                                                          \
		.key = "distance", .type = PARAM_WORD, .choices = "hops|routes", .def = "hops",    \
		.meaning = "distance of two nodes: the fewest links between their "                \
			   "routers, or the links of their minimal route (on dragonflies "         \
			   "at most one global link)"                                              \
	}

#endif
