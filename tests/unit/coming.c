/* coming.c - a message from another partition is found by its number as long as it is under way */
#include "check.h"
#include "base/rng.h"
#include "sim/network/coming.h"

enum { PARTS = 3, NUMBERS = 4000, STEPS = 40000 };

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
		nwrong += coming_get(&coming, part, serial) != message[part][serial] - 1;
		if (message[part][serial] > 0)
			coming_remove(&coming, part, serial);
		message[part][serial] = 0;
	}
	for (int part = 0; part < PARTS; part++)
		for (uint32_t serial = 0; serial < sent[part]; serial++) {
			nwrong += coming_get(&coming, part, serial) != message[part][serial] - 1;
			if (message[part][serial] > 0)
				coming_remove(&coming, part, serial);
		}
	CHECK_INT(nwrong, 0);
	CHECK_INT((int)coming.place_of.n, 0);
	CHECK_INT((int)(coming.top - coming.spare), coming.n);
	CHECK(coming.n > PARTS);
	coming_add(&coming, 1, 7, 8);
	coming_clear(&coming);
	CHECK_INT(coming_get(&coming, 1, 7), NOBODY);
	coming_close(&coming);
	return check_done();
}
