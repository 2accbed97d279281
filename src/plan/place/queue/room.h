/* room.h - how many nodes are planned to be idle over time */
#ifndef PLACE_QUEUE_ROOM_H
#define PLACE_QUEUE_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

/*
 * Times at which the number of idle nodes changes, in blocks of neighbours: what is looked for in
 * vain is passed over a block at a time, and what changes moves no more than a block. Neighbours
 * differ.
 */
enum { ROOM_BLOCK = 16 };

struct room_block {
	int n;
	int nidle[ROOM_BLOCK]; /* from a time until the next one's, the last one forever */
	int64_t from_ns[ROOM_BLOCK];
};

/* One for each block, in the order of time. */
struct room {
	VEC(struct room_block *) blocks;
	VEC(int) most; /* idle nodes of a block */
	VEC(int) least;
	VEC(int64_t) first_ns;
	VEC(struct room_block *) unused;
};

/* From now on so many nodes are idle. */
void room_reset(struct room *room, int64_t now_ns, int nidle);
void room_free(struct room *room);

/* Forgets what is before now. */
void room_advance(struct room *room, int64_t now_ns);

/* From from_ns (or the first time, if that is later) until to_ns (INT64_MAX: forever) so many more
 * nodes are idle; fewer if nnodes is negative. */
void room_change(struct room *room, int64_t from_ns, int64_t to_ns, int nnodes);

/*
 * The first time from which on nnodes can be had for length_ns (INT64_MAX: forever), or until
 * has_ns, from which on a job has as many already for as long; has_ns, if there is none before.
 * INT64_MAX: there is none at all.
 */
int64_t room_find(const struct room *room, int nnodes, int64_t length_ns, int64_t has_ns);

/* The steps of what is idle from now on without a break: nnodes for length_ns (INT64_MAX: forever),
 * fewer for longer from one to the next. */
struct step {
	int nnodes;
	int64_t length_ns;
};
struct steps {
	struct step *at;
	size_t n, cap;
};
void room_list_steps(const struct room *room, struct steps *steps);

#endif
