/* wheel.c - what will happen when: a hierarchical timing wheel */
#include "sim/network/wheel.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { SORT_BY_INSERTION = 16, GATHERED = 16 };

static void open_level(struct wheel_level *level, int bits, int below)
{
	size_t n = (size_t)1 << bits;

	level->bits = bits;
	level->below = below;
	level->bucket = xmalloc(n * sizeof(*level->bucket));
	memset(level->bucket, 0xff, n * sizeof(*level->bucket)); /* WHEEL_NONE */
	level->filled = xcalloc(n / 64, sizeof(*level->filled));
}

void wheel_open(struct wheel *wheel, int64_t width_ps, int bits)
{
	*wheel = (struct wheel){.free = WHEEL_NONE, .free_chunk = WHEEL_NONE, .time = -1};
	while (wheel->shift < WHEEL_SHIFT_MOST && (int64_t)2 << wheel->shift <= width_ps)
		wheel->shift++;
	open_level(&wheel->levels[0], bits, 0);
	for (int i = 1; i < WHEEL_LEVELS; i++)
		open_level(&wheel->levels[i], WHEEL_UPPER_BITS, bits + WHEEL_UPPER_BITS * (i - 1));
}

void wheel_close(struct wheel *wheel)
{
	for (int i = 0; i < WHEEL_LEVELS; i++) {
		free(wheel->levels[i].bucket);
		free(wheel->levels[i].filled);
	}
	xlarge_free(wheel->chunks, (size_t)wheel->chunks_cap * sizeof(*wheel->chunks));
	xlarge_free(wheel->pool, (size_t)wheel->cap * sizeof(*wheel->pool));
	free(wheel->now);
	free(wheel->spare);
}

static int32_t chunk_take(struct wheel *wheel)
{
	int32_t i = wheel->free_chunk;

	if (i != WHEEL_NONE) {
		wheel->free_chunk = wheel->chunks[i].next;
		return i;
	}
	if (wheel->nchunks == wheel->chunks_cap)
		wheel->chunks =
			xlarge_double(wheel->chunks, &wheel->chunks_cap, sizeof(*wheel->chunks));
	return wheel->nchunks++;
}

struct wheel_chunk *wheel_chunk_new(struct wheel *wheel, int64_t bucket)
{
	struct wheel_level *level = &wheel->levels[0];
	int32_t i = chunk_take(wheel);
	struct wheel_chunk *chunk = &wheel->chunks[i];

	chunk->next = level->bucket[bucket];
	chunk->n = 0;
	level->bucket[bucket] = i;
	level->filled[bucket / 64] |= 1ULL << (bucket % 64);
	return chunk;
}

static int32_t event_take(struct wheel *wheel)
{
	int32_t i = wheel->free;

	if (i != WHEEL_NONE) {
		wheel->free = wheel->pool[i].next;
		return i;
	}
	if (wheel->npool == wheel->cap)
		wheel->pool = xlarge_double(wheel->pool, &wheel->cap, sizeof(*wheel->pool));
	return wheel->npool++;
}

/* Of the buckets from on, the first that is filled; −1: none. */
static int64_t find_filled(const struct wheel_level *level, int64_t from)
{
	int64_t nwords = (int64_t)1 << (level->bits - 6), word = from / 64;
	uint64_t bits;

	if (from >> level->bits)
		return -1;
	bits = level->filled[word] & (~0ULL << (from % 64));
	while (bits == 0) {
		if (++word == nwords)
			return -1;
		bits = level->filled[word];
	}
	return word * 64 + __builtin_ctzll(bits);
}

/* The list of a bucket, which becomes empty. */
static int32_t take_bucket(struct wheel_level *level, int64_t bucket)
{
	int32_t list = level->bucket[bucket];

	level->bucket[bucket] = WHEEL_NONE;
	level->filled[bucket / 64] &= ~(1ULL << (bucket % 64));
	return list;
}

static void drop_bucket(struct wheel *wheel, int level, int64_t bucket)
{
	int32_t i = take_bucket(&wheel->levels[level], bucket), next;

	for (; i != WHEEL_NONE; i = next) {
		int32_t *link = level == 0 ? &wheel->chunks[i].next : &wheel->pool[i].next;
		int32_t *list = level == 0 ? &wheel->free_chunk : &wheel->free;

		next = *link;
		*link = *list;
		*list = i;
	}
}

void wheel_reset(struct wheel *wheel)
{
	for (int i = 0; i < WHEEL_LEVELS; i++) {
		const struct wheel_level *level = &wheel->levels[i];

		for (int64_t b = find_filled(level, 0); b >= 0; b = find_filled(level, b + 1))
			drop_bucket(wheel, i, b);
	}
	wheel->tick = wheel->base_ps = 0;
	wheel->time = -1;
	wheel->round = 0;
	wheel->at = wheel->nnow = 0;
}

static void reserve_now(struct wheel *wheel, int32_t n)
{
	if (n <= wheel->now_cap)
		return;
	while (n > wheel->now_cap)
		wheel->now_cap = wheel->now_cap == 0 ? 64 : wheel->now_cap * 2;
	wheel->now = xrealloc(wheel->now, (size_t)wheel->now_cap, sizeof(*wheel->now));
}

void wheel_add_now(struct wheel *wheel, int64_t time, uint32_t what)
{
	const uint32_t last_round = (1U << WHEEL_ROUND_BITS) - 1;
	uint64_t round = 0, event;
	int32_t i;

	if (time == wheel->time)
		round = wheel->round < last_round ? wheel->round + 1 : last_round;
	event = (uint64_t)(time - wheel->base_ps) << WHEEL_OFFSET_AT | round << 32 | what;
	if (wheel->at == wheel->nnow)
		wheel->at = wheel->nnow = 0;
	reserve_now(wheel, wheel->nnow + 1);
	for (i = wheel->nnow++; i > wheel->at && wheel->now[i - 1] > event; i--)
		wheel->now[i] = wheel->now[i - 1];
	wheel->now[i] = event;
}

void wheel_add_far(struct wheel *wheel, int64_t time, uint32_t what)
{
	int64_t tick = time >> wheel->shift;
	uint64_t differs = (uint64_t)(tick ^ wheel->tick);
	int at = 1;
	struct wheel_level *level;
	int64_t bucket;
	int32_t i;

	while (at < WHEEL_LEVELS - 1 &&
	       differs >> (wheel->levels[at].below + wheel->levels[at].bits))
		at++;
	level = &wheel->levels[at];
	bucket = tick >> level->below & ((1 << level->bits) - 1);
	i = event_take(wheel);
	wheel->pool[i] = (struct wheel_event){time, level->bucket[bucket], what};
	level->bucket[bucket] = i;
	level->filled[bucket / 64] |= 1ULL << (bucket % 64);
}

static void insertion_sort(uint64_t *at, int32_t n)
{
	for (int32_t i = 1; i < n; i++) {
		uint64_t event = at[i];
		int32_t j = i;

		for (; j > 0 && at[j - 1] > event; j--)
			at[j] = at[j - 1];
		at[j] = event;
	}
}

static void merge(uint64_t *to, const uint64_t *a, const uint64_t *end_a, const uint64_t *end_b)
{
	const uint64_t *b = end_a;

	while (a < end_a && b < end_b) {
		bool takes_b = *b < *a;

		*to++ = takes_b ? *b : *a;
		a += !takes_b;
		b += takes_b;
	}
	memcpy(to, a, (size_t)(end_a - a) * sizeof(*a));
	memcpy(to + (end_a - a), b, (size_t)(end_b - b) * sizeof(*b));
}

static void sort_now(struct wheel *wheel)
{
	uint64_t *from = wheel->now, *to;
	int32_t n = wheel->nnow;

	for (int32_t i = 0; i < n; i += SORT_BY_INSERTION)
		insertion_sort(from + i, n - i < SORT_BY_INSERTION ? n - i : SORT_BY_INSERTION);
	if (n <= SORT_BY_INSERTION)
		return;
	if (wheel->spare_cap < wheel->now_cap) {
		wheel->spare_cap = wheel->now_cap;
		wheel->spare =
			xrealloc(wheel->spare, (size_t)wheel->now_cap, sizeof(*wheel->spare));
	}
	to = wheel->spare;
	for (int32_t run = SORT_BY_INSERTION; run < n; run *= 2) {
		uint64_t *swap = from;

		for (int32_t low = 0; low < n; low += 2 * run) {
			int32_t middle = n - low < run ? n : low + run;
			int32_t high = n - middle < run ? n : middle + run;

			merge(to + low, from + low, from + middle, from + high);
		}
		from = to;
		to = swap;
	}
	if (from != wheel->now) { /* the arrays change places */
		int32_t cap = wheel->now_cap;

		wheel->spare = wheel->now;
		wheel->now = from;
		wheel->now_cap = wheel->spare_cap;
		wheel->spare_cap = cap;
	}
}

/* Appends the events of a bucket of level 0, which begins at offset; whether they are in order. */
static bool gather(struct wheel *wheel, int32_t list, int64_t offset)
{
	uint64_t before = wheel->nnow > 0 ? wheel->now[wheel->nnow - 1] : 0;
	bool is_sorted = true;
	int32_t last = list;

	for (int32_t i = list; i != WHEEL_NONE; i = wheel->chunks[i].next) {
		const struct wheel_chunk *chunk = &wheel->chunks[i];

		last = i;
		reserve_now(wheel, wheel->nnow + WHEEL_CHUNK);
		for (int32_t k = 0; k < chunk->n; k++) {
			uint64_t event = (uint64_t)(offset + chunk->events[k].offset)
						 << WHEEL_OFFSET_AT |
					 chunk->events[k].what;

			is_sorted &= before <= event;
			wheel->now[wheel->nnow++] = before = event;
		}
	}
	wheel->chunks[last].next = wheel->free_chunk;
	wheel->free_chunk = list;
	return is_sorted;
}

/* The events of the first bucket, and of those behind it in the same word while they are few. */
static void fill_now(struct wheel *wheel, int64_t bucket, int64_t until)
{
	struct wheel_level *level = &wheel->levels[0];
	int64_t first = wheel->tick, tick = first, block = first - bucket, next = bucket;
	bool is_sorted = true;

	wheel->at = wheel->nnow = 0;
	wheel->base_ps = first << wheel->shift;
	do {
		uint64_t rest;

		tick = block + next;
		is_sorted &=
			gather(wheel, take_bucket(level, next), (tick - first) << wheel->shift);
		rest = level->filled[bucket / 64]; /* those before were taken */
		next = rest == 0 ? -1 : bucket / 64 * 64 + __builtin_ctzll(rest);
	} while (next >= 0 && wheel->nnow < GATHERED && (block + next) << wheel->shift <= until);
	wheel->tick = tick;
	if (!is_sorted)
		sort_now(wheel);
}

/* Deals a bucket of an upper level out. */
static void deal_out(struct wheel *wheel, int32_t list)
{
	while (list != WHEEL_NONE) {
		struct wheel_event event = wheel->pool[list];

		wheel->pool[list].next = wheel->free;
		wheel->free = list;
		wheel_add(wheel, event.time, event.what);
		list = event.next;
	}
}

bool wheel_advance(struct wheel *wheel, int64_t until)
{
	for (int i = 0; i < WHEEL_LEVELS; i++) {
		struct wheel_level *level = &wheel->levels[i];
		int64_t mask = ((int64_t)1 << level->bits) - 1;
		int64_t at = wheel->tick >> level->below & mask;
		int64_t bucket = find_filled(level, at + 1), tick;

		if (bucket < 0)
			continue;
		tick = ((wheel->tick >> level->below) - at + bucket) << level->below;
		if (tick << wheel->shift > until)
			return false;
		wheel->tick = tick;
		if (i == 0) {
			fill_now(wheel, bucket, until);
			return true;
		}
		wheel->at = wheel->nnow = 0;
		wheel->base_ps = tick << wheel->shift;
		deal_out(wheel, take_bucket(level, bucket));
		return wheel->nnow > 0 || wheel_advance(wheel, until);
	}
	return false;
}

static int64_t first_of_tick(const struct wheel *wheel, int64_t tick, int32_t list)
{
	uint32_t least = UINT32_MAX;

	for (int32_t i = list; i != WHEEL_NONE; i = wheel->chunks[i].next)
		for (int32_t k = 0; k < wheel->chunks[i].n; k++)
			if (wheel->chunks[i].events[k].offset < least)
				least = wheel->chunks[i].events[k].offset;
	return (tick << wheel->shift) + least;
}

int64_t wheel_next(const struct wheel *wheel)
{
	if (wheel->at < wheel->nnow)
		return wheel_time(wheel);
	for (int i = 0; i < WHEEL_LEVELS; i++) {
		const struct wheel_level *level = &wheel->levels[i];
		int64_t at = wheel->tick >> level->below & (((int64_t)1 << level->bits) - 1);
		int64_t bucket = find_filled(level, at + 1), tick;

		if (bucket < 0)
			continue;
		tick = ((wheel->tick >> level->below) - at + bucket) << level->below;
		return i == 0 ? first_of_tick(wheel, tick, level->bucket[bucket])
			      : tick << wheel->shift;
	}
	return INT64_MAX;
}
