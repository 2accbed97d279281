/* coming.c - a message from another partition is found by its number as long as it is under way */
#include <stdbool.h>

#include "base/rng.h"
#include "check.h"
#include "sim/network/coming.h"

enum { PARTS = 3, NUMBERS = 4000, STEPS = 40000 };

/* Whether the record is wrong; 0 is one that has come. */
static bool take(struct coming *coming, int part, uint32_t serial, int32_t record)
{
	bool is_wrong = record > 0 && *coming_at(coming, part, serial) != record - 1;

	if (record > 0)
		coming_remove(coming, part, serial);
	return is_wrong;
}

/* Behind 2^32 − 1 comes 0. */
static void test_numbers_begin_again(struct coming *coming)
{
	uint32_t first = UINT32_MAX - 3 * COMING_PAGE - 5;

	for (uint32_t i = 0; i < 6 * COMING_PAGE; i++)
		coming_add(coming, 0, first + i, (int32_t)i + 1);
	for (uint32_t i = 0; i < 6 * COMING_PAGE; i++)
		CHECK(!take(coming, 0, first + i, (int32_t)i + 2));
	CHECK_INT((int)coming->rings[0].n, 0);
}

/* The pages behind it are used again. */
static void test_one_that_stays(struct coming *coming)
{
	int32_t npages = coming->n;

	coming_add(coming, 0, 0, 1000);
	for (uint32_t i = 1; i < 100 * COMING_PAGE; i++) {
		coming_add(coming, 0, i, (int32_t)i);
		CHECK(!take(coming, 0, i, (int32_t)i + 1));
	}
	CHECK(!take(coming, 0, 0, 1001));
	CHECK_INT((int)coming->rings[0].n, 0);
	CHECK_INT(coming->n, npages);
}

int main(void)
{
	static int32_t message[PARTS][NUMBERS]; /* 1 + its record; 0: none */
	static uint32_t sent[PARTS];
	struct rng rng = rng_make(1, "coming", NULL, NULL);
	struct coming coming = {0};
	int nwrong = 0;

	for (int i = 0; i < STEPS; i++) {
		int part = (int)rng_below(&rng, PARTS);
		uint32_t serial = (uint32_t)rng_below(&rng, sent[part] + 1);

		if (serial == sent[part] || (i < STEPS / 2 && rng_below(&rng, 4) > 0)) {
			if (sent[part] == NUMBERS)
				continue;
			message[part][sent[part]] = i + 1;
			coming_add(&coming, part, sent[part]++, i);
			continue;
		}
		nwrong += take(&coming, part, serial, message[part][serial]);
		message[part][serial] = 0;
	}
	for (int part = 0; part < PARTS; part++)
		for (uint32_t serial = 0; serial < sent[part]; serial++)
			nwrong += take(&coming, part, serial, message[part][serial]);
	CHECK_INT(nwrong, 0);
	for (int part = 0; part < PARTS; part++)
		CHECK_INT((int)coming.rings[part].n, 0);
	CHECK_INT((int)(coming.top - coming.spare), coming.n);
	CHECK(coming.n > PARTS);
	coming_add(&coming, 1, 7, 8);
	coming_clear(&coming);
	CHECK_INT((int)coming.rings[1].n, 0);
	test_numbers_begin_again(&coming);
	test_one_that_stays(&coming);
	coming_close(&coming);
	return check_done();
}
