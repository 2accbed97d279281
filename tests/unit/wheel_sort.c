/* wheel_sort.c - numbers come out in order, however many there are and however alike */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "sim/network/wheel_sort.h"

enum { MOST = 400 };

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts what stands behind line[0], beside qsort; what comes behind it stays. */
static bool is_sorted_alike(struct sort_scratch *scratch, uint64_t *line, int32_t n)
{
	uint64_t wanted[MOST + 2];

	line[0] = 0;
	line[n + 1] = 7;
	memcpy(wanted, line, sizeof(wanted));
	qsort(wanted + 1, (size_t)n, sizeof(*wanted), compare);
	sort_events(scratch, line + 1, n);
	return memcmp(line, wanted, (size_t)(n + 2) * sizeof(*wanted)) == 0;
}

/* A network that sorts all lines of zeros and ones sorts everything (Knuth, vol. 3, 5.3.4, theorem
 * Z). */
static void zeros_and_ones(struct sort_scratch *scratch)
{
	uint64_t line[MOST + 2] = {0};

	for (int32_t n = 1; n <= 12; n++) {
		int nwrong = 0;

		for (uint32_t bits = 0; bits >> n == 0; bits++) {
			for (int32_t i = 0; i < n; i++)
				line[i + 1] = bits >> i & 1 ? UINT64_MAX : 1;
			nwrong += !is_sorted_alike(scratch, line, n);
		}
		CHECK_INT(nwrong, 0);
	}
}

/* Of few values or many, near each other or far, in order for the most part or not at all. */
static void random_lines(struct sort_scratch *scratch)
{
	struct rng rng = rng_make(1, "test", "wheel_sort", "");
	uint64_t line[MOST + 2] = {0};
	int nwrong = 0;

	for (int k = 0; k < 20000; k++) {
		int32_t n = 1 + (int32_t)rng_below(&rng, k % 4 == 0 ? MOST : 40);
		uint64_t most = 1ULL << rng_below(&rng, 63), at = 0;
		bool climbs = rng_below(&rng, 4) == 0;

		for (int32_t i = 0; i < n; i++) {
			at += climbs && rng_below(&rng, 8) > 0 ? most / MOST : 0;
			line[i + 1] = at + (climbs ? 0 : rng_below(&rng, most));
		}
		nwrong += !is_sorted_alike(scratch, line, n);
	}
	CHECK_INT(nwrong, 0);
}

int main(void)
{
	struct sort_scratch scratch = {0};

	zeros_and_ones(&scratch);
	random_lines(&scratch);
	sort_scratch_drop(&scratch);
	return check_done();
}
