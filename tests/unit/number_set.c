/* number_set.c - a set of numbers against a plain array of what was added */
#include "base/number_set.h"
#include "base/rng.h"
#include "check.h"

enum { SPAN = 4096 };

/* Numbers from base on, in a random order, some twice; far and near pages take turns. */
static void check_random(uint64_t base, uint64_t stride)
{
	struct rng rng = rng_make(base, "number_set", NULL, NULL);
	struct number_set set = {0};
	bool has[SPAN] = {false};

	for (int i = 0; i < 3 * SPAN; i++) {
		int k = (int)rng_below(&rng, SPAN);

		CHECK(number_set_add(&set, base + (uint64_t)k * stride) == !has[k]);
		has[k] = true;
	}
	number_set_free(&set);
}

int main(void)
{
	struct number_set set = {0};

	check_random(0, 1);
	check_random(1000000, 7);
	check_random(5, UINT64_C(1) << 32);
	check_random(UINT64_MAX - SPAN, 1);
	CHECK(number_set_add(&set, UINT64_MAX));
	CHECK(!number_set_add(&set, UINT64_MAX));
	CHECK(number_set_add(&set, 0));
	CHECK(!number_set_add(&set, 0));
	number_set_free(&set);
	return check_done();
}
