/* failed_sets.c - what is remembered of failures against all of them, looked through one by one */
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "place/constraint/failed_sets.h"

enum { NNODES = 70, NWORDS = 2, ROUNDS = 3000 };

struct known {
	uint64_t idle[NWORDS];
	int wanted;
	bool is_sure;
};

/* Sets of a few nodes left out, so that some are within others. */
static void pick(struct rng *rng, uint64_t *idle)
{
	idle[0] = ~0ULL;
	idle[1] = 0x3f;
	for (int i = 0; i < 4; i++) {
		int node = (int)rng_below(rng, 6) * 6;

		idle[node / 64] &= ~(1ULL << node % 64);
	}
}

/* Of the last ones; the newest first, as a sure one before one that gave up decides. */
static enum failed find(const struct known *known, int n, const uint64_t *idle, int wanted)
{
	enum failed found = FAILED_UNKNOWN;

	for (int i = n; i-- > 0;) {
		const uint64_t *of = known[i].idle;
		bool is_same = of[0] == idle[0] && of[1] == idle[1];

		if (known[i].wanted != wanted || (idle[0] & ~of[0]) != 0 || (idle[1] & ~of[1]) != 0)
			continue;
		if (known[i].is_sure)
			return FAILED_SURE;
		if (is_same)
			return FAILED_SAME;
		found = FAILED_WITHIN;
	}
	return found;
}

/* Fewer than are kept, of more numbers of nodes than there are looks for each. */
static void check_all(struct rng *rng)
{
	struct known *known = xcalloc(ROUNDS, sizeof(*known));
	struct failed_sets sets;
	int n = 0, nfound[4] = {0};

	failed_sets_open(&sets, NNODES);
	while (n < 900) {
		uint64_t idle[NWORDS];
		int wanted = 1 + (int)rng_below(rng, 60);
		enum failed found;

		pick(rng, idle);
		found = failed_sets_find(&sets, idle, wanted);
		CHECK_INT(found, find(known, n, idle, wanted));
		nfound[found]++;
		if (found != FAILED_UNKNOWN && rng_below(rng, 4) != 0)
			continue;
		known[n] = (struct known){{idle[0], idle[1]}, wanted, rng_below(rng, 8) == 0};
		failed_sets_add(&sets, idle, wanted, known[n].is_sure);
		n++;
	}
	for (int i = 0; i < 4; i++)
		CHECK(nfound[i] > 10);
	failed_sets_close(&sets);
	free(known);
}

/* More than are kept: what is found was added, however long ago. */
static void check_some(struct rng *rng)
{
	struct known *known = xcalloc(ROUNDS, sizeof(*known));
	struct failed_sets sets;

	failed_sets_open(&sets, NNODES);
	for (int n = 0; n < ROUNDS; n++) {
		uint64_t idle[NWORDS];
		int wanted = 1 + (int)rng_below(rng, 3);
		enum failed found;

		pick(rng, idle);
		found = failed_sets_find(&sets, idle, wanted);
		if (found != FAILED_UNKNOWN)
			CHECK(find(known, n, idle, wanted) != FAILED_UNKNOWN);
		known[n] = (struct known){{idle[0], idle[1]}, wanted, false};
		failed_sets_add(&sets, idle, wanted, false);
		CHECK_INT(failed_sets_find(&sets, idle, wanted), FAILED_SAME);
	}
	failed_sets_close(&sets);
	free(known);
}

int main(void)
{
	struct rng rng = rng_make(1, "failed sets", NULL, NULL);

	check_all(&rng);
	check_some(&rng);
	return check_done();
}
