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

#endif
