/* free_times.h - when each node is free, as far as is planned */
#ifndef PLACE_STATE_FREE_TIMES_H
#define PLACE_STATE_FREE_TIMES_H

#include "base/mem.h"
#include "place/state/idle.h"

/* Nodes join in the order of their times. Zeroed is empty; the arrays are kept for the
 * next time. */
struct free_times {
	int64_t *at; /* [nnodes] INT64_MIN: idle now; INT64_MAX: never */
	int *order;  /* [n] the nodes that are ever free, those of one time in any order */
	int n, nnodes;
};

/* The idle nodes are free, the others never. */
void free_times_start(struct free_times *times, const struct machine *machine);
/* One more node, not before the last one. */
static inline void free_times_add(struct free_times *times, int node, int64_t time_ns)
{
	times->at[node] = time_ns;
	times->order[times->n++] = node;
}
void free_times_free(struct free_times *times);

/* When n nodes are free, whichever they are; INT64_MAX: never. */
static inline int64_t free_times_count(const struct free_times *times, int n)
{
	return n > times->n ? INT64_MAX : n > 0 ? times->at[times->order[n - 1]] : INT64_MIN;
}
/* How many are free at a time. */
int free_times_until(const struct free_times *times, int64_t time_ns);

#endif
