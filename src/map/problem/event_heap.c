/* event_heap.c - events of a rehearsal, the earliest first */
#include "map/problem/event_heap.h"

static bool is_before(const struct heap_event *a, const struct heap_event *b)
{
	if (a->ticks != b->ticks)
		return a->ticks < b->ticks;
	return a->order != b->order ? a->order < b->order : a->number < b->number;
}

void event_heap_add(struct event_heap *heap, int64_t ticks, int64_t order, int32_t what)
{
	struct heap_event event = {ticks, order, heap->nadded++, what};
	size_t i = heap->at.n, above;

	vec_push(&heap->at, event);
	for (; i > 0; i = above) {
		above = (i - 1) / 2;
		if (!is_before(&event, &heap->at.at[above]))
			break;
		heap->at.at[i] = heap->at.at[above];
	}
	heap->at.at[i] = event;
}

bool event_heap_take(struct event_heap *heap, struct heap_event *event)
{
	struct heap_event last;
	size_t i = 0, below, n;

	if (heap->at.n == 0)
		return false;
	*event = heap->at.at[0];
	n = --heap->at.n;
	last = heap->at.at[n];
	for (; (below = 2 * i + 1) < n; i = below) {
		if (below + 1 < n && is_before(&heap->at.at[below + 1], &heap->at.at[below]))
			below++;
		if (!is_before(&heap->at.at[below], &last))
			break;
		heap->at.at[i] = heap->at.at[below];
	}
	heap->at.at[i] = last;
	return true;
}

void event_heap_free(struct event_heap *heap)
{
	vec_free(&heap->at);
}
