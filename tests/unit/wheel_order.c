/* wheel_order.c - events come out of the wheel in the order that its header says, however many
 * there are of one time, and whenever they were made */
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "sim/network/wheel.h"

struct event {
	int64_t time;
	uint32_t round, what;
};

/* What has not come out yet, in any order. */
struct pending {
	VEC(struct event) events;
	struct event last; /* that came out; time −1: none has */
};

static bool is_before(const struct event *a, const struct event *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->round != b->round ? a->round < b->round : a->what < b->what;
}

static void add(struct wheel *wheel, struct pending *pending, int64_t time, uint32_t what)
{
	uint32_t round = time == pending->last.time ? pending->last.round + 1 : 0;

	wheel_add(wheel, time, what);
	vec_push(&pending->events, (struct event){time, round, what});
}

static struct event take_least(struct pending *pending)
{
	size_t least = 0;

	for (size_t i = 1; i < pending->events.n; i++)
		if (is_before(&pending->events.at[i], &pending->events.at[least]))
			least = i;
	pending->last = pending->events.at[least];
	pending->events.at[least] = pending->events.at[--pending->events.n];
	return pending->last;
}

/* How far ahead events are made. */
enum shape { ONE_TIME, LATTICE, NEAR, FAR, SHAPES };

static int64_t draw_time(struct rng *rng, enum shape shape, int64_t now)
{
	switch (shape) {
	case ONE_TIME: /* whoever comes next finds many there */
		return (now / 100000 + 1) * 100000;
	case LATTICE:
		return now + 2000 * (int64_t)rng_below(rng, 8);
	case NEAR:
		return now + (int64_t)rng_below(rng, 300000);
	default:
		return now + (int64_t)rng_below(rng, (uint64_t)1 << (10 + rng_below(rng, 40)));
	}
}

/* Kinds are seldom others than the first. */
static uint32_t draw_what(struct rng *rng, uint32_t nplaces)
{
	uint32_t kind = rng_below(rng, 20) == 0 ? (uint32_t)rng_below(rng, 6) : 0;

	return kind << WHEEL_KIND_AT | (uint32_t)rng_below(rng, nplaces);
}

/* Each event that comes out makes one more on the average, until so many have come. keeps: more are
 * taken into now before it is empty. */
static void run(struct wheel *wheel, uint64_t seed, enum shape shape, int nfirst, int ncome,
		uint32_t nplaces, bool keeps)
{
	struct rng rng = rng_make(seed, "wheel", NULL, NULL);
	struct pending pending = {.last.time = -1};
	int nwrong = 0;
	uint32_t what;

	for (int i = 0; i < nfirst; i++)
		add(wheel, &pending, draw_time(&rng, shape, 0), draw_what(&rng, nplaces));
	for (int i = 0; pending.events.n > 0; i++) {
		struct event event = take_least(&pending);
		int64_t next = wheel_next(wheel);

		nwrong += next > event.time;
		if (keeps) {
			wheel_keep(wheel, 18, event.time + (int64_t)rng_below(&rng, 100000));
			wheel_fetch(wheel);
		}
		nwrong += wheel_take(wheel, event.time - 1, &what);
		nwrong += !wheel_take(wheel, event.time, &what) || wheel->time != event.time ||
			  what != event.what || wheel_round(wheel) != event.round;
		nwrong += wheel_ntaken(wheel) != i + 1;
		for (uint64_t n = i < ncome ? rng_below(&rng, 3) : 0; n > 0; n--)
			add(wheel, &pending,
			    draw_time(&rng,
				      rng_below(&rng, 8) == 0 ? (enum shape)rng_below(&rng, SHAPES)
							      : shape,
				      event.time),
			    draw_what(&rng, nplaces));
	}
	CHECK_INT(nwrong, 0);
	CHECK(!wheel_take(wheel, INT64_MAX, &what));
	CHECK(wheel_next(wheel) == INT64_MAX);
	wheel_reset(wheel);
	vec_free(&pending.events);
}

/* What is left over is dropped. */
static void drops(struct wheel *wheel)
{
	uint32_t what;

	for (int i = 0; i < 1000; i++)
		wheel_add(wheel, (int64_t)i * i * 1000, (uint32_t)i);
	for (int i = 0; i < 100; i++)
		CHECK(wheel_take(wheel, INT64_MAX, &what));
	wheel_reset(wheel);
	CHECK(!wheel_take(wheel, INT64_MAX, &what));
	CHECK_INT(wheel_ntaken(wheel), 0);
}

int main(void)
{
	static const int64_t widths[] = {1024, 16384, 65536};
	static const int nfirst[] = {1, 20, 60, 700};

	for (int i = 0; i < 3; i++) {
		struct wheel wheel;

		wheel_open(&wheel, widths[i], 12, i % 2 == 0 ? 16 : 48);
		for (int shape = 0; shape < SHAPES; shape++)
			for (int k = 0; k < 4; k++) {
				run(&wheel, (uint64_t)(shape * 4 + k), (enum shape)shape, nfirst[k],
				    3000, 4000, i > 0);
				run(&wheel, (uint64_t)(shape * 4 + k), (enum shape)shape, nfirst[k],
				    1000, 5, i > 0);
			}
		drops(&wheel);
		wheel_close(&wheel);
	}
	return check_done();
}
