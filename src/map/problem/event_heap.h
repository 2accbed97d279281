/* event_heap.h - events of a rehearsal, the earliest first */
#ifndef MAP_PROBLEM_EVENT_HEAP_H
#define MAP_PROBLEM_EVENT_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

/* Those of one time come by their order, those of one order as they were added. */
struct heap_event {
	int64_t ticks, order, number;
	int32_t what, amount; /* the caller's */
};

/* Zeroed: empty. */
struct event_heap {
	VEC(struct heap_event) at;
	int64_t nadded;
};

void event_heap_add(struct event_heap *heap, int64_t ticks, int64_t order, int32_t what,
		    int32_t amount);
/* Takes the first one out; returns false if there is none. */
bool event_heap_take(struct event_heap *heap, struct heap_event *event);
void event_heap_free(struct event_heap *heap);

#endif
