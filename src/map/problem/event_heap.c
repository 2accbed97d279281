/* event_heap.c - events of a rehearsal, the earliest first */
#include "map/problem/event_heap.h"

/* Without branches, which nobody could predict here. */
static bool is_before(const struct heap_event *a, const struct heap_event *b)
{
	bool by_number = (a->order == b->order) & (a->number < b->number);

	return (a->ticks < b->ticks) |
	       ((a->ticks == b->ticks) & ((a->order < b->order) | by_number));
}

/* To its place on the way up from i, which is free. */
static void rise(struct event_heap *heap, size_t i, struct heap_event event)
{
	for (size_t above; i > 0; i = above) {
		above = (i - 1) / 2;
		if (!is_before(&event, &heap->at.at[above]))
			break;
		heap->at.at[i] = heap->at.at[above];
	}
	heap->at.at[i] = event;
}

void event_heap_add(struct event_heap *heap, int64_t ticks, int64_t order, int32_t what,
		    int32_t amount)
{
	struct heap_event event = {ticks, order, heap->nadded++, what, amount};

	vec_push(&heap->at, event);
	rise(heap, heap->at.n - 1, event);
}

/* The last one mostly belongs to the end: so the free place goes there first. */
bool event_heap_take(struct event_heap *heap, struct heap_event *event)
{
	struct heap_event *at = heap->at.at;
	size_t i = 0, below, n;

	if (heap->at.n == 0)
		return false;
	*event = at[0];
	n = --heap->at.n;
	for (; (below = 2 * i + 2) < n; i = below) {
		below -= is_before(&at[below - 1], &at[below]);
		at[i] = at[below];
	}
	if (below == n) {
		at[i] = at[n - 1];
		i = n - 1;
	}
	rise(heap, i, at[n]);
	return true;
}

void event_heap_free(struct event_heap *heap)
{
	vec_free(&heap->at);
}
