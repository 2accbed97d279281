/* rng.c - random numbers that depend only on their purpose */
#include "base/rng.h"

#include <string.h>

#include "base/str.h"

static uint64_t absorb(uint64_t key, const char *text)
{
	return u64_mix(key * 0x9e3779b97f4a7c15ULL + str_hash(text, strlen(text)));
}

struct rng rng_make(uint64_t seed, const char *purpose, const char *run, const char *job)
{
	uint64_t key = u64_mix(seed + 0x9e3779b97f4a7c15ULL);

	key = absorb(key, purpose);
	key = absorb(key, run != NULL ? run : "");
	key = absorb(key, job != NULL ? job : "");
	return (struct rng){.key = key};
}

uint64_t rng_u64(struct rng *rng)
{
	/* two rounds of a mixing bijection over (key, counter): SplitMix64 with a keyed second
	 * round */
	uint64_t x = u64_mix(rng->key + ++rng->counter * 0x9e3779b97f4a7c15ULL);

	return u64_mix(x ^ (rng->key * 0xd1342543de82ef95ULL));
}

uint64_t rng_below(struct rng *rng, uint64_t n)
{
	/* Lemire's multiplication with rejection: no bias, one draw nearly always */
	unsigned __int128 m = (unsigned __int128)rng_u64(rng) * n;

	if ((uint64_t)m < n) {
		uint64_t reject = -n % n;

		while ((uint64_t)m < reject)
			m = (unsigned __int128)rng_u64(rng) * n;
	}
	return (uint64_t)(m >> 64);
}

double rng_unit(struct rng *rng)
{
	return (double)(rng_u64(rng) >> 11) * 0x1p-53;
}

void rng_shuffle(struct rng *rng, int *at, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = rng_below(rng, i);
		int keep = at[i - 1];

		at[i - 1] = at[j];
		at[j] = keep;
	}
}
