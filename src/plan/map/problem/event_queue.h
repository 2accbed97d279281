/* event_queue.h - events of a rehearsal, the earliest first */
#ifndef MAP_PROBLEM_EVENT_QUEUE_H
#define MAP_PROBLEM_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

/* Those of one time come by their order, those of one order as they were added. */
struct queued_event {
	int64_t ticks, order;
	int32_t what, amount; /* the caller's */
};

struct heaped_event {
	struct queued_event event;
	int64_t number; /* as they were added */
};

typedef VEC(struct heaped_event) heaped_events;

/* Of a tick that is known. */
struct listed_event {
	int64_t order;
	int32_t what, amount;
	int32_t next; /* of its tick, or among the free ones: index + 1; 0: none */
};

/* index + 1; 0: none */
struct event_list {
	int32_t first, last;
};

enum { QUEUE_TICKS = 1 << 12 };

/*
 * Events of the present tick are in a heap; those of the next ticks in lists, one for each tick;
 * those behind in a heap, from which they come into the lists. So most of them wait in no heap
 * but a short one. Zeroed: empty.
 */
struct event_queue {
	heaped_events present, far; /* heaps */
	VEC(struct listed_event) listed;
	int32_t spare;            /* index + 1 of a free one */
	struct event_list *lists; /* [QUEUE_TICKS] in the order they were added */
	uint64_t *has;            /* [QUEUE_TICKS / 64] bits: ticks that have some */
	int64_t now, nadded, n;   /* n: in lists */
};

/* ticks: 0 … , not before those of what was taken last */
void event_queue_add(struct event_queue *queue, int64_t ticks, int64_t order, int32_t what,
		     int32_t amount);
/* Takes the first one out; returns false if there is none. */
bool event_queue_take(struct event_queue *queue, struct queued_event *event);
void event_queue_free(struct event_queue *queue);

#endif
