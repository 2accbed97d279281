/* wheel.h - what will happen when: a hierarchical timing wheel */
#ifndef SIM_NETWORK_WHEEL_H
#define SIM_NETWORK_WHEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "sim/network/wheel_sort.h"

/*
 * Events of one time come out in the order of (round, what): the round is 0, or one more than that
 * of the event that came out last where one is made at its own time (at most ROUNDS − 1). what says
 * what it is about; of two that are equal in all it does not matter which comes first. So the order
 * is a function of simulated time, and not of who made an event when.
 *
 * Time is cut into ticks of 2^shift ps. Level 0 has a bucket for each tick of the block of 2^bits
 * ticks that holds the present one; a bucket of level k holds 2^(bits + 10(k−1)) ticks, of the
 * block that level k + 1 is at. When level 0 is through, the next bucket of level 1 is dealt out to
 * it, and so on (Varghese and Lauck, SOSP 1987). The events up to the present tick stand sorted in
 * an array.
 *
 * A bucket of an upper level is a list of events, one of level 0 a list of cache lines with seven
 * events each, of which all but the first are full. There and in the array an event is one number:
 * the last 22 bits of its time, round, what. 64 ticks take at most 2^22 ps, so within those that
 * share a word of the bitmap the numbers have the order of the events.
 */
enum {
	WHEEL_LEVELS = 6,
	WHEEL_UPPER_BITS = 10,
	WHEEL_NONE = -1,
	WHEEL_CHUNK = 7, /* events, behind the link: 2^WHEEL_CHUNK_BITS words */
	WHEEL_CHUNK_BITS = 3,
	WHEEL_SHIFT_MOST = 16,
	WHEEL_ROUND_BITS = 10,
	WHEEL_TIME_AT = 32 + WHEEL_ROUND_BITS,
	WHEEL_TIME_BITS = 64 - WHEEL_TIME_AT,
	WHEEL_KIND_AT = 29 /* bits of what say the place where it is, those above the kind */
};
_Static_assert(WHEEL_SHIFT_MOST + 6 <= WHEEL_TIME_BITS, "64 ticks");

struct wheel_event {
	int64_t time;
	int32_t next; /* in the bucket, or among the free ones */
	uint32_t what;
};

/* Words are counted through all chunks: the first of each is the link to the next one. */
struct wheel_chunk {
	int64_t next; /* the last word of the next one in the bucket; the next free chunk */
	uint64_t events[WHEEL_CHUNK];
};
_Static_assert(sizeof(struct wheel_chunk) == 64, "a cache line");
_Static_assert(WHEEL_CHUNK == 7 && (WHEEL_NONE & WHEEL_CHUNK) == WHEEL_CHUNK,
	       "where there is none the bucket's first chunk is full");

struct wheel_level {
	int bits;  /* of buckets */
	int below; /* bits of ticks in a bucket */
	/* [2^bits] first event, or on level 0 the last word of the first chunk that is in use; or
	 * WHEEL_NONE */
	int32_t *bucket;
	uint64_t *filled; /* [2^bits / 64] */
};

struct wheel {
	int shift;
	int64_t tick;               /* the present one */
	int64_t block_end;          /* the first tick behind the block of level 0 */
	int64_t near_mask;          /* ticks of a block − 1 */
	int32_t *near;              /* level 0's buckets */
	struct wheel_chunk *chunks; /* as many as were needed at one time */
	int64_t time;               /* of the event that came out last; -1: none has */
	uint64_t taken;             /* it, as it stood in now */
	const uint64_t *next;       /* in now: what comes next */
	const uint64_t *end;        /* of those in now; the same as next, if that is empty */
	uint64_t *now;              /* sorted behind now[0], which is 0 */
	int64_t ncome;              /* all that ever came into now */
	int32_t now_cap;
	int64_t tried_ps; /* up to there no more could be taken into now; -1: not tried */
	int32_t gathered; /* further ticks are taken into now while it has so few */
	int64_t base_ps;  /* of the times in now */
	int32_t fetched;  /* of the bucket that is gathered next: how far its chunks were fetched */
	struct sort_scratch scratch;
	struct wheel_level levels[WHEEL_LEVELS];
	int32_t nchunks, chunks_cap, free_chunk;
	struct wheel_event *pool; /* the same */
	int32_t npool, cap, free;
};

/* So many gathered: what is to be gathered is fetched into the cache before. */
enum { WHEEL_FAR = 32 };

/* width_ps: of a tick, about; bits: of level 0; gathered: events that stand in order, at least,
 * where there are more. The results do not depend on them. */
void wheel_open(struct wheel *wheel, int64_t width_ps, int bits, int32_t gathered);
void wheel_close(struct wheel *wheel);
/* Drops all events; time begins at 0. Costs what was left over. */
void wheel_reset(struct wheel *wheel);

/* The parts of wheel_add; not before the last event that came out. */
void wheel_add_far(struct wheel *wheel, int64_t time, uint32_t what);
void wheel_add_now(struct wheel *wheel, int64_t time, uint32_t what);
/* A new chunk before the others of a bucket of level 0: its first word. */
int32_t wheel_chunk_new(struct wheel *wheel, int64_t bucket);
/* No event comes before this time: that of the next one, or (where it lies far ahead, or among
 * many) something less. INT64_MAX: there is none. */
int64_t wheel_next(const struct wheel *wheel);
/* Goes to the next tick that has events, if it begins by until; false: there is none. */
bool wheel_advance(struct wheel *wheel, int64_t until);

/* Takes more into now, behind what is left there, of buckets that begin by until. */
void wheel_top_up(struct wheel *wheel, int64_t until);

/* Takes more into now where n events or fewer are left, so that who looks n ahead, by until, finds
 * them. */
static inline void wheel_keep(struct wheel *wheel, int32_t n, int64_t until)
{
	if (wheel->end - wheel->next <= n && until > wheel->tried_ps)
		wheel_top_up(wheel, until);
}

/* Fetches the chunk that will be taken next into the cache, and one more of those that will be
 * gathered next, since each says only then where the one behind it is. */
static inline __attribute__((always_inline)) void wheel_fetch(struct wheel *wheel)
{
	fetch_ahead(wheel->chunks, wheel->free_chunk);
	if (wheel->fetched == WHEEL_NONE)
		return;
	wheel->fetched = (int32_t)wheel->chunks[wheel->fetched >> WHEEL_CHUNK_BITS].next;
	fetch_ahead(wheel->chunks, wheel->fetched >> WHEEL_CHUNK_BITS);
}

static inline uint64_t *wheel_words(const struct wheel *wheel)
{
	return (uint64_t *)(void *)wheel->chunks;
}

static inline void wheel_add(struct wheel *wheel, int64_t time, uint32_t what)
{
	int64_t tick = time >> wheel->shift, bucket;
	int32_t word;

	if (tick <= wheel->tick) {
		wheel_add_now(wheel, time, what);
		return;
	}
	if (tick >= wheel->block_end) {
		wheel_add_far(wheel, time, what);
		return;
	}
	bucket = tick & wheel->near_mask;
	word = wheel->near[bucket];
	if ((word & WHEEL_CHUNK) == WHEEL_CHUNK)
		word = wheel_chunk_new(wheel, bucket);
	wheel->near[bucket] = ++word;
	wheel_words(wheel)[word] = (uint64_t)time << WHEEL_TIME_AT | what;
}

/* The time of the next event, which stands in now. */
static inline int64_t wheel_time(const struct wheel *wheel)
{
	return wheel->base_ps + (int64_t)(*wheel->next >> WHEEL_TIME_AT);
}

/* Whether there is a next event, and not after until. */
static inline bool wheel_has(struct wheel *wheel, int64_t until)
{
	return (wheel->next != wheel->end || wheel_advance(wheel, until)) &&
	       wheel_time(wheel) <= until;
}

/* The next event is taken out, if there is one, and not after until: wheel->time is its time. */
static inline bool wheel_take(struct wheel *wheel, int64_t until, uint32_t *what)
{
	uint64_t event;
	int64_t time;

	if (wheel->next == wheel->end && !wheel_advance(wheel, until))
		return false;
	event = *wheel->next;
	time = wheel->base_ps + (int64_t)(event >> WHEEL_TIME_AT);
	if (time > until)
		return false;
	wheel->time = time;
	wheel->taken = event;
	wheel->next++;
	*what = (uint32_t)event;
	return true;
}

/* How many were taken out so far. */
static inline int64_t wheel_ntaken(const struct wheel *wheel)
{
	return wheel->ncome - (wheel->end - wheel->next);
}

/* What the event that came out last is about. */
static inline uint32_t wheel_taken(const struct wheel *wheel)
{
	return (uint32_t)wheel->taken;
}

/* Of the event that came out last. */
static inline uint32_t wheel_round(const struct wheel *wheel)
{
	return (uint32_t)(wheel->taken >> 32) & ((1U << WHEEL_ROUND_BITS) - 1);
}

#endif
