/* room.c - planned numbers of idle nodes against an array with a number for each instant */
#include <stdlib.h>

#include "base/rng.h"
#include "place/queue/room.h"
#include "check.h"

enum { NTIMES = 400, NNODES = 30 };

struct slow {
	int64_t now;
	int nidle[NTIMES]; /* the last one forever */
};

/* As room_find is defined, instant by instant. */
static int64_t find(const struct slow *slow, int nnodes, int64_t length, int64_t has)
{
	int64_t most = has < NTIMES ? has : NTIMES - 1;

	for (int64_t from = slow->now; from < has && from < NTIMES; from++) {
		bool fits = true;

		for (int64_t at = from; at <= most && at < has && fits; at++)
			fits = (length != INT64_MAX && at - from >= length) ||
			       slow->nidle[at] >= nnodes;
		if (fits)
			return from;
	}
	return has;
}

static void check_steps(const struct room *room, const struct slow *slow)
{
	struct steps steps = {0};
	size_t i = 0;
	int least = slow->nidle[slow->now];

	room_list_steps(room, &steps);
	for (int64_t at = slow->now; at < NTIMES && least > 0; at++)
		if (slow->nidle[at] < least) {
			CHECK(i < steps.n && steps.at[i].nnodes == least &&
			      steps.at[i].length_ns == at - slow->now);
			least = slow->nidle[at];
			i++;
		}
	if (least > 0) {
		CHECK(i < steps.n && steps.at[i].nnodes == least &&
		      steps.at[i].length_ns == INT64_MAX);
		i++;
	}
	CHECK(i == steps.n);
	free(steps.at);
}

static void change(struct room *room, struct slow *slow, struct rng *rng)
{
	int64_t from = (int64_t)rng_below(rng, NTIMES - 1);
	int64_t to = rng_below(rng, 4) == 0
			     ? INT64_MAX
			     : from + 1 + (int64_t)rng_below(rng, NTIMES - 1 - (uint64_t)from);
	int nnodes = 1 + (int)rng_below(rng, NNODES), most = NNODES;

	/* what is there leaves room, but now and then more becomes idle */
	for (int64_t at = from; at < to && at < NTIMES; at++)
		most = at >= slow->now && slow->nidle[at] < most ? slow->nidle[at] : most;
	if (rng_below(rng, 3) == 0)
		nnodes = -nnodes;
	else if (most < nnodes)
		return;
	room_change(room, from, to, -nnodes);
	for (int64_t at = from > slow->now ? from : slow->now; at < to && at < NTIMES; at++)
		slow->nidle[at] -= nnodes;
}

static void check_find(const struct room *room, const struct slow *slow, struct rng *rng)
{
	int nnodes = 1 + (int)rng_below(rng, NNODES);
	int64_t length =
		rng_below(rng, 4) == 0 ? INT64_MAX : 1 + (int64_t)rng_below(rng, NTIMES / 2);
	int64_t has = rng_below(rng, 2) == 0
			      ? INT64_MAX
			      : slow->now + (int64_t)rng_below(rng, (uint64_t)(NTIMES - slow->now));
	int64_t got = room_find(room, nnodes, length, has), right = find(slow, nnodes, length, has);

	CHECK(got == right);
}

int main(void)
{
	for (int run = 0; run < 200 && check_nfailed == 0; run++) {
		struct rng rng = rng_make(1, "room", "", run % 2 == 0 ? "a" : "b");
		struct room room = {0};
		struct slow slow = {0};

		for (int i = 0; i < run; i++)
			rng_below(&rng, 2);
		for (int at = 0; at < NTIMES; at++)
			slow.nidle[at] = NNODES;
		room_reset(&room, 0, NNODES);
		for (int step = 0; step < 300 && check_nfailed == 0; step++) {
			if (rng_below(&rng, 20) == 0 && slow.now < NTIMES / 2) {
				slow.now += (int64_t)rng_below(&rng, 10);
				room_advance(&room, slow.now);
			}
			change(&room, &slow, &rng);
			check_find(&room, &slow, &rng);
			check_steps(&room, &slow);
		}
		room_free(&room);
	}
	return check_done();
}
