/* wheel.c - what will happen when: a hierarchical timing wheel */
#include "sim/network/wheel.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { CHUNKS_LOOKED_AT = 8 };

static void open_level(struct wheel_level *level, int bits, int below)
{
	size_t n = (size_t)1 << bits;

	level->bits = bits;
	level->below = below;
	level->bucket = xmalloc(n * sizeof(*level->bucket));
	memset(level->bucket, 0xff, n * sizeof(*level->bucket)); /* WHEEL_NONE */
	level->filled = xcalloc(n / 64, sizeof(*level->filled));
}

static void reserve_now(struct wheel *wheel, int32_t n)
{
	int32_t cap = wheel->now_cap;
	ptrdiff_t next, end;

	if (n <= cap)
		return;
	while (n > cap)
		cap = cap == 0 ? 64 : cap * 2;
	wheel->now_cap = cap;
	next = wheel->next - wheel->now;
	end = wheel->end - wheel->now;
	wheel->now = xrealloc(wheel->now, (size_t)wheel->now_cap, sizeof(*wheel->now));
	wheel->next = wheel->now + next;
	wheel->end = wheel->now + end;
}

/* The present tick is this one, and nothing stands in now. */
static void go_to(struct wheel *wheel, int64_t tick)
{
	wheel->tick = tick;
	wheel->block_end = (tick | wheel->near_mask) + 1;
	wheel->base_ps = tick << wheel->shift >> WHEEL_TIME_BITS << WHEEL_TIME_BITS;
	wheel->next = wheel->end = wheel->now + 1;
	wheel->fetched = WHEEL_NONE;
	wheel->tried_ps = -1;
}

void wheel_open(struct wheel *wheel, int64_t width_ps, int bits, int32_t gathered)
{
	*wheel = (struct wheel){
		.free = WHEEL_NONE, .free_chunk = WHEEL_NONE, .time = -1, .gathered = gathered};
	while (wheel->shift < WHEEL_SHIFT_MOST && (int64_t)2 << wheel->shift <= width_ps)
		wheel->shift++;
	open_level(&wheel->levels[0], bits, 0);
	for (int i = 1; i < WHEEL_LEVELS; i++)
		open_level(&wheel->levels[i], WHEEL_UPPER_BITS, bits + WHEEL_UPPER_BITS * (i - 1));
	wheel->near = wheel->levels[0].bucket;
	wheel->near_mask = ((int64_t)1 << bits) - 1;
	reserve_now(wheel, 1);
	wheel->now[0] = 0;
	go_to(wheel, 0);
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
	sort_scratch_drop(&wheel->scratch);
}

/* wheel_chunk_new where none is free: seldom, so that what is often keeps no registers for it. */
static __attribute__((noinline)) int32_t chunk_make(struct wheel *wheel, int64_t bucket)
{
	if (wheel->nchunks == wheel->chunks_cap)
		wheel->chunks =
			xlarge_double(wheel->chunks, &wheel->chunks_cap, sizeof(*wheel->chunks));
	wheel->free_chunk = wheel->nchunks++;
	wheel->chunks[wheel->free_chunk].next = WHEEL_NONE;
	return wheel_chunk_new(wheel, bucket);
}

int32_t wheel_chunk_new(struct wheel *wheel, int64_t bucket)
{
	int32_t i = wheel->free_chunk;

	if (i == WHEEL_NONE)
		return chunk_make(wheel, bucket);
	wheel->free_chunk = (int32_t)wheel->chunks[i].next;
	wheel->chunks[i].next = wheel->near[bucket];
	wheel->levels[0].filled[bucket / 64] |= 1ULL << (bucket % 64);
	return i << WHEEL_CHUNK_BITS;
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

	for (; level > 0 && i != WHEEL_NONE; i = next) {
		next = wheel->pool[i].next;
		wheel->pool[i].next = wheel->free;
		wheel->free = i;
	}
	for (; level == 0 && i != WHEEL_NONE; i = next) {
		struct wheel_chunk *chunk = &wheel->chunks[i >> WHEEL_CHUNK_BITS];

		next = (int32_t)chunk->next;
		chunk->next = wheel->free_chunk;
		wheel->free_chunk = i >> WHEEL_CHUNK_BITS;
	}
}

void wheel_reset(struct wheel *wheel)
{
	for (int i = 0; i < WHEEL_LEVELS; i++) {
		const struct wheel_level *level = &wheel->levels[i];

		for (int64_t b = find_filled(level, 0); b >= 0; b = find_filled(level, b + 1))
			drop_bucket(wheel, i, b);
	}
	go_to(wheel, 0);
	wheel->time = -1;
	wheel->taken = 0;
	wheel->ncome = 0;
}

void wheel_add_now(struct wheel *wheel, int64_t time, uint32_t what)
{
	const uint32_t last_round = (1U << WHEEL_ROUND_BITS) - 1;
	uint64_t round = 0, event;
	uint64_t *to;

	if (time == wheel->time)
		round = wheel_round(wheel) < last_round ? wheel_round(wheel) + 1 : last_round;
	event = (uint64_t)time << WHEEL_TIME_AT | round << 32 | what;
	if (wheel->next == wheel->end)
		wheel->next = wheel->end = wheel->now + 1;
	reserve_now(wheel, (int32_t)(wheel->end - wheel->now) + 1);
	to = wheel->now + (wheel->end - wheel->now);
	for (; to > wheel->next && to[-1] > event; to--)
		*to = to[-1];
	*to = event;
	wheel->end++;
	wheel->ncome++;
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

/* Appends the events of a bucket of level 0, in order. */
static inline void gather(struct wheel *wheel, int32_t word)
{
	int32_t start = (int32_t)(wheel->end - wheel->now), n = start;

	do {
		int32_t i = word >> WHEEL_CHUNK_BITS, count = word & WHEEL_CHUNK;
		struct wheel_chunk *chunk = &wheel->chunks[i];

		if (n + WHEEL_CHUNK > wheel->now_cap)
			reserve_now(wheel, n + WHEEL_CHUNK);
		memcpy(wheel->now + n, chunk->events, sizeof(chunk->events));
		n += count;
		word = (int32_t)chunk->next;
		chunk->next = wheel->free_chunk;
		wheel->free_chunk = i;
	} while (word != WHEEL_NONE);
	wheel->end = wheel->now + n;
	wheel->ncome += n - start;
	sort_events(&wheel->scratch, wheel->now + start, n - start);
}

/* Whether now holds few events, and the tick is not after until. */
static inline bool takes_more(const struct wheel *wheel, int64_t tick, int64_t until)
{
	return wheel->end - wheel->now <= wheel->gathered && tick << wheel->shift <= until;
}

/* The events of the first bucket of a word, and of those behind it there while they are few. */
static void gather_word(struct wheel *wheel, int64_t word, int64_t until)
{
	struct wheel_level *level = &wheel->levels[0];
	int64_t first = (wheel->tick & ~wheel->near_mask) + word * 64, tick;
	int32_t *buckets = wheel->near + word * 64;
	uint64_t filled = level->filled[word];
	bool is_far = wheel->gathered >= WHEEL_FAR;

	tick = first + __builtin_ctzll(filled);
	do {
		int32_t *bucket = buckets + (tick - first), list = *bucket;

		wheel->tick = tick;
		*bucket = WHEEL_NONE;
		filled &= filled - 1;
		tick = first + __builtin_ctzll(filled | 1ULL << 63);
		if (is_far)
			fetch_ahead(wheel->chunks, buckets[tick - first] >> WHEEL_CHUNK_BITS);
		gather(wheel, list);
	} while (filled != 0 && takes_more(wheel, tick, until));
	level->filled[word] = filled;
	if (is_far)
		wheel->fetched = buckets[tick - first];
}

/* The same, from a word on, as far as their times have the same base. */
static void gather_words(struct wheel *wheel, int64_t word, int64_t until)
{
	const uint64_t *filled = wheel->levels[0].filled;
	int64_t block = wheel->tick & ~wheel->near_mask;
	int base_bits = WHEEL_TIME_BITS - wheel->shift; /* ticks of a base */
	int64_t end = ((block + word * 64) >> base_bits) + 1, nwords;

	wheel->base_ps = (end - 1) << WHEEL_TIME_BITS;
	nwords = ((end << base_bits) - block) / 64;
	nwords = nwords <= wheel->near_mask / 64 ? nwords : wheel->near_mask / 64 + 1;
	while (word < nwords) {
		if (filled[word] != 0) {
			if (!takes_more(wheel, block + word * 64 + __builtin_ctzll(filled[word]),
					until))
				return;
			gather_word(wheel, word, until);
		}
		word += filled[word] == 0;
	}
}

static void fill_now(struct wheel *wheel, int64_t word, int64_t until)
{
	wheel->next = wheel->end = wheel->now + 1;
	wheel->tried_ps = -1;
	gather_words(wheel, word, until);
}

void wheel_top_up(struct wheel *wheel, int64_t until)
{
	ptrdiff_t nleft = wheel->end - wheel->next;
	int64_t ncome = wheel->ncome, tick = wheel->tick + 1;

	if (nleft > wheel->gathered)
		return;
	memmove(wheel->now + 1, wheel->next, (size_t)nleft * sizeof(*wheel->now));
	wheel->next = wheel->now + 1;
	wheel->end = wheel->next + nleft;
	if (tick < wheel->block_end &&
	    tick << wheel->shift >> WHEEL_TIME_BITS == wheel->base_ps >> WHEEL_TIME_BITS)
		gather_words(wheel, (tick & wheel->near_mask) / 64, until);
	if (wheel->ncome == ncome)
		wheel->tried_ps = until;
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
		if (i == 0) {
			fill_now(wheel, bucket / 64, until);
			return true;
		}
		go_to(wheel, tick);
		deal_out(wheel, take_bucket(level, bucket));
		return wheel->next != wheel->end || wheel_advance(wheel, until);
	}
	return false;
}

/* When the first event of a tick comes; of one with many, when the tick begins. */
static int64_t first_of_tick(const struct wheel *wheel, int64_t tick, int32_t word)
{
	uint64_t least = UINT64_MAX;

	for (int n = 0; word != WHEEL_NONE; n++) {
		const struct wheel_chunk *chunk = &wheel->chunks[word >> WHEEL_CHUNK_BITS];

		if (n == CHUNKS_LOOKED_AT)
			return tick << wheel->shift;
		for (int32_t k = 0; k < (word & WHEEL_CHUNK); k++)
			if (chunk->events[k] < least)
				least = chunk->events[k];
		word = (int32_t)chunk->next;
	}
	return (tick << wheel->shift >> WHEEL_TIME_BITS << WHEEL_TIME_BITS) +
	       (int64_t)(least >> WHEEL_TIME_AT);
}

int64_t wheel_next(const struct wheel *wheel)
{
	if (wheel->next != wheel->end)
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
