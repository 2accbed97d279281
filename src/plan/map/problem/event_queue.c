/* event_queue.c - events of a rehearsal, the earliest first */
#include "map/problem/event_queue.h"

#include <stdlib.h>

/* ---- heaps ---- */

/* Without branches, which nobody could predict here. */
static bool is_before(const struct heaped_event *a, const struct heaped_event *b)
{
	const struct queued_event *x = &a->event, *y = &b->event;
	bool by_number = (x->order == y->order) & (a->number < b->number);

	return (x->ticks < y->ticks) |
	       ((x->ticks == y->ticks) & ((x->order < y->order) | by_number));
}

/* To its place on the way up from i, which is free. */
static void rise(heaped_events *heap, size_t i, const struct heaped_event *event)
{
	for (size_t above; i > 0; i = above) {
		above = (i - 1) / 2;
		if (!is_before(event, &heap->at[above]))
			break;
		heap->at[i] = heap->at[above];
	}
	heap->at[i] = *event;
}

static void push(struct event_queue *queue, heaped_events *heap, const struct queued_event *event)
{
	const struct heaped_event one = {*event, queue->nadded++};

	vec_push(heap, one);
	rise(heap, heap->n - 1, &one);
}

/* The last one mostly belongs to the end: so the free place goes there first. */
static struct queued_event pop(heaped_events *heap)
{
	struct heaped_event *at = heap->at, last;
	struct queued_event first = at[0].event;
	size_t i = 0, below, n = --heap->n;

	for (; (below = 2 * i + 2) < n; i = below) {
		below -= is_before(&at[below - 1], &at[below]);
		at[i] = at[below];
	}
	if (below == n) {
		at[i] = at[n - 1];
		i = n - 1;
	}
	last = at[n];
	rise(heap, i, &last);
	return first;
}

/* ---- lists by ticks ---- */

static void open(struct event_queue *queue)
{
	queue->lists = xcalloc(QUEUE_TICKS, sizeof(*queue->lists));
	queue->has = xcalloc(QUEUE_TICKS / 64, sizeof(*queue->has));
}

static int32_t new_listed(struct event_queue *queue)
{
	int32_t at = queue->spare - 1;

	if (at >= 0) {
		queue->spare = queue->listed.at[at].next;
		return at;
	}
	vec_reserve(&queue->listed, queue->listed.n + 1);
	return (int32_t)queue->listed.n++;
}

static void list(struct event_queue *queue, const struct queued_event *event)
{
	size_t tick = (size_t)event->ticks % QUEUE_TICKS;
	struct event_list *list = &queue->lists[tick];
	int32_t at = new_listed(queue);

	queue->listed.at[at] = (struct listed_event){event->order, event->what, event->amount, 0};
	if (list->first == 0)
		list->first = at + 1;
	else
		queue->listed.at[list->last - 1].next = at + 1;
	list->last = at + 1;
	queue->has[tick / 64] |= (uint64_t)1 << tick % 64;
	queue->n++;
}

/* The first tick behind now that has some; there is one. */
static int64_t next_tick(const struct event_queue *queue)
{
	size_t from = (size_t)(queue->now + 1) % QUEUE_TICKS, word = from / 64;
	uint64_t bits = queue->has[word] & ~(uint64_t)0 << from % 64;
	size_t tick;

	while (bits == 0) {
		word = (word + 1) % (QUEUE_TICKS / 64);
		bits = queue->has[word];
	}
	tick = word * 64 + (size_t)__builtin_ctzll(bits);
	return queue->now + 1 + (int64_t)((tick - from) % QUEUE_TICKS);
}

/* All of the present tick's list go into the heap. */
static void present(struct event_queue *queue)
{
	size_t tick = (size_t)queue->now % QUEUE_TICKS;

	for (int32_t at = queue->lists[tick].first; at != 0;) {
		struct listed_event *one = &queue->listed.at[at - 1];
		int32_t next = one->next;

		push(queue, &queue->present,
		     &(struct queued_event){queue->now, one->order, one->what, one->amount});
		one->next = queue->spare;
		queue->spare = at;
		queue->n--;
		at = next;
	}
	queue->lists[tick] = (struct event_list){0, 0};
	queue->has[tick / 64] &= ~((uint64_t)1 << tick % 64);
}

/* To the next tick that has events; false: there are none. */
static bool go_on(struct event_queue *queue)
{
	if (queue->n == 0 && queue->far.n == 0)
		return false;
	queue->now = queue->n > 0 ? next_tick(queue) : queue->far.at[0].event.ticks;
	while (queue->far.n > 0 && queue->far.at[0].event.ticks < queue->now + QUEUE_TICKS) {
		struct queued_event event = pop(&queue->far);

		list(queue, &event);
	}
	present(queue);
	return true;
}

/* ---- both ---- */

void event_queue_add(struct event_queue *queue, int64_t ticks, int64_t order, int32_t what,
		     int32_t amount)
{
	const struct queued_event event = {ticks, order, what, amount};

	if (queue->lists == NULL)
		open(queue);
	if (ticks == queue->now)
		push(queue, &queue->present, &event);
	else if (ticks < queue->now + QUEUE_TICKS)
		list(queue, &event);
	else
		push(queue, &queue->far, &event);
}

bool event_queue_take(struct event_queue *queue, struct queued_event *event)
{
	if (queue->present.n == 0 && !go_on(queue))
		return false;
	*event = pop(&queue->present);
	return true;
}

void event_queue_free(struct event_queue *queue)
{
	vec_free(&queue->present);
	vec_free(&queue->far);
	vec_free(&queue->listed);
	free(queue->lists);
	free(queue->has);
}
