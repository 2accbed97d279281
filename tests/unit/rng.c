/* rng.c - chance: the same draws for ever, for each purpose its own, none more likely
 * than another */
#include "base/rng.h"
#include "check.h"

/* These draws are part of what --seed promises: a change of them is a change of every result. */
static void test_fixed(void)
{
	struct rng rng = rng_make(1, "alloc", "3", "job7");
	int order[8];

	CHECK(rng_u64(&rng) == UINT64_C(0x05e36f4799ef98da));
	CHECK(rng_u64(&rng) == UINT64_C(0x8705ae2217ab7d52));
	rng = rng_make(1, "shuffle", NULL, NULL);
	for (int i = 0; i < 8; i++)
		order[i] = i;
	rng_shuffle(&rng, order, 8);
	CHECK(memcmp(order, (int[]){2, 1, 4, 7, 5, 6, 3, 0}, sizeof(order)) == 0);
}

static void test_keys(void)
{
	struct rng keys[] = {
		rng_make(1, "a", NULL, NULL), rng_make(2, "a", NULL, NULL),
		rng_make(1, "b", NULL, NULL), rng_make(1, "a", "b", NULL),
		rng_make(1, "a", NULL, "b"),  rng_make(1, "ab", NULL, NULL),
		rng_make(0, "a", NULL, NULL),
	};
	enum { N = sizeof(keys) / sizeof(keys[0]) };
	struct rng empty = rng_make(1, "a", "", "");

	CHECK(empty.key == keys[0].key);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < i; j++)
			CHECK(keys[i].key != keys[j].key);
}

/* Numbers from one draw know nothing of each other: chi square of triples, over many draws. */
static void test_small(void)
{
	struct rng_small small = {.rng = rng_make(7, "small", NULL, NULL)};
	enum { A = 3, B = 5, C = 7, N = A * B * C, TRIPLES = 1000 * N };
	int count[N] = {0}, ndraws = 0;
	uint64_t before = small.rng.counter;
	double chi = 0;

	for (int i = 0; i < TRIPLES; i++) {
		uint64_t a = rng_small_below(&small, A), b = rng_small_below(&small, B);
		uint64_t c = rng_small_below(&small, C);

		CHECK(a < A && b < B && c < C);
		count[a * B * C + b * C + c]++;
	}
	ndraws = (int)(small.rng.counter - before);
	CHECK(ndraws < TRIPLES / 4); /* eight bits of forty */
	for (int i = 0; i < N; i++)
		chi += (count[i] - 1000.0) * (count[i] - 1000.0) / 1000;
	CHECK(chi > 50 && chi < 165);
	for (int i = 0; i < 1000; i++) {
		CHECK(rng_small_below(&small, 1) == 0);
		CHECK(rng_small_below(&small, UINT64_C(1) << 39) < UINT64_C(1) << 39);
	}
}

/* Chi square of draws below n: n-1 degrees of freedom, mean n-1, deviation sqrt(2(n-1)). */
static void test_uniform(void)
{
	struct rng rng = rng_make(7, "uniform", NULL, NULL);
	enum { N = 101, DRAWS = 101000 };
	int count[N] = {0};
	double chi = 0, mean = 0;

	for (int i = 0; i < DRAWS; i++)
		count[rng_below(&rng, N)]++;
	for (int i = 0; i < N; i++)
		chi += (count[i] - 1000.0) * (count[i] - 1000.0) / 1000;
	CHECK(chi > 50 && chi < 160);
	for (int i = 0; i < 100000; i++) {
		double x = rng_unit(&rng);

		CHECK(x >= 0 && x < 1);
		mean += x / 100000;
	}
	CHECK(mean > .497 && mean < .503);
	for (int i = 0; i < 1000; i++)
		CHECK(rng_below(&rng, 1) == 0);
	/* near 2^64 a plain remainder would be biased; here half of the draws are below half */
	mean = 0;
	for (int i = 0; i < 10000; i++)
		mean += rng_below(&rng, UINT64_C(3) << 62) < UINT64_C(3) << 61;
	CHECK(mean > 4800 && mean < 5200);
}

/* All 24 orders of four come about equally often. */
static void test_shuffle(void)
{
	struct rng rng = rng_make(7, "shuffle", NULL, NULL);
	int count[256] = {0}, nseen = 0;

	for (int i = 0; i < 24000; i++) {
		int at[] = {0, 1, 2, 3};

		rng_shuffle(&rng, at, 4);
		count[at[0] << 6 | at[1] << 4 | at[2] << 2 | at[3]]++;
	}
	for (int i = 0; i < 256; i++) {
		nseen += count[i] > 0;
		CHECK(count[i] == 0 || (count[i] > 850 && count[i] < 1150));
	}
	CHECK_INT(nseen, 24);
}

int main(void)
{
	test_fixed();
	test_keys();
	test_small();
	test_uniform();
	test_shuffle();
	return check_done();
}
