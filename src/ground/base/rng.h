/* rng.h - random numbers that depend only on their purpose */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/*
 * A counter-based generator: draw number i of a key is a fixed function of the key and i. The key
 * is (seed, purpose, run, job), so one more job, another policy or another number of threads moves
 * no other draw. Runs and jobs are named by text; NULL is the empty name.
 */
struct rng {
	uint64_t key, counter;
};

struct rng rng_make(uint64_t seed, const char *purpose, const char *run, const char *job);
uint64_t rng_u64(struct rng *rng);
uint64_t rng_below(struct rng *rng, uint64_t n); /* 0 … n−1, each equally likely; n > 0 */
double rng_unit(struct rng *rng);                /* in [0, 1): 53 bits */
void rng_shuffle(struct rng *rng, int *at, size_t n);

/*
 * Several small numbers from one draw: what a multiplication leaves below the number is random
 * itself (Brackett-Rozinsky & Lemire, Batched Ranged Random Integer Generation, 2024). A draw
 * serves for 40 bits, so that no number is more likely than another one by more than 2^-24.
 */
struct rng_small {
	struct rng rng;
	uint64_t rest;
	int nbits; /* that it serves for still */
};

static inline uint64_t rng_small_below(struct rng_small *small, uint64_t n) /* 0 … n−1; n > 0 */
{
	enum { BITS = 40 };
	int nbits = 64 - __builtin_clzll(n);
	unsigned __int128 m;

	if (small->nbits < nbits) {
		small->rest = rng_u64(&small->rng);
		small->nbits = BITS;
	}
	small->nbits -= nbits;
	m = (unsigned __int128)small->rest * n;
	small->rest = (uint64_t)m;
	return (uint64_t)(m >> 64);
}

#endif
