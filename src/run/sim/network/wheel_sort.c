/* wheel_sort.c - puts events in order, as numbers */
#include "sim/network/wheel_sort.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"
#include "sim/network/wheel.h"

enum { FEW = 8, IN_CELL = 16, SPREAD = 24, SELDOM = 1 << 18 };

/* Of n numbers behind one that is not greater than any: where they are nearly in order. */
static inline void insertion_sort(uint64_t *at, int32_t n)
{
	for (uint64_t *next = at + 1; next < at + n; next++) {
		uint64_t event = *next, *to = next;

		for (; to[-1] > event; to--)
			*to = to[-1];
		*to = event;
	}
}

/* Networks: no branch depends on the numbers, whose order a processor can't foresee. */
static inline __attribute__((always_inline)) void sort_three(uint64_t *v)
{
	sort_two(&v[0], &v[1]);
	sort_two(&v[1], &v[2]);
	sort_two(&v[0], &v[1]);
}

static inline __attribute__((always_inline)) void sort_four(uint64_t *v)
{
	sort_two(&v[0], &v[1]);
	sort_two(&v[2], &v[3]);
	sort_two(&v[0], &v[2]);
	sort_two(&v[1], &v[3]);
	sort_two(&v[1], &v[2]);
}

static inline __attribute__((always_inline)) void sort_six(uint64_t *v)
{
	sort_two(&v[0], &v[5]);
	sort_two(&v[1], &v[3]);
	sort_two(&v[2], &v[4]);
	sort_two(&v[1], &v[2]);
	sort_two(&v[3], &v[4]);
	sort_two(&v[0], &v[3]);
	sort_two(&v[2], &v[5]);
	sort_two(&v[0], &v[1]);
	sort_two(&v[2], &v[3]);
	sort_two(&v[4], &v[5]);
	sort_two(&v[1], &v[2]);
	sort_two(&v[3], &v[4]);
}

static inline __attribute__((always_inline)) void sort_eight(uint64_t *v)
{
	sort_four(v);
	sort_four(v + 4);
	for (int i = 0; i < 4; i++)
		sort_two(&v[i], &v[i + 4]);
	sort_two(&v[2], &v[4]);
	sort_two(&v[3], &v[5]);
	sort_two(&v[1], &v[2]);
	sort_two(&v[3], &v[4]);
	sort_two(&v[5], &v[6]);
}

/* Of n: lanes or one less. */
static inline __attribute__((always_inline)) void network_sort(uint64_t *to, const uint64_t *at,
							       int32_t n, int lanes)
{
	uint64_t v[FEW];

#pragma GCC unroll 8
	for (int i = 0; i < lanes; i++)
		v[i] = i < lanes - 1 || n == lanes ? at[i] : UINT64_MAX;
	if (lanes == 3)
		sort_three(v);
	else if (lanes == 4)
		sort_four(v);
	else if (lanes == 6)
		sort_six(v);
	else
		sort_eight(v);
#pragma GCC unroll 8
	for (int i = 0; i < lanes; i++)
		if (i < lanes - 1 || n == lanes)
			to[i] = v[i];
}

/* Apart, since the others get along with fewer registers. */
static __attribute__((noinline)) void sort_to_eight(uint64_t *to, const uint64_t *at, int32_t n)
{
	network_sort(to, at, n, 8);
}

/* Of 1 to FEW; to may be the same as at. */
static void sort_few(uint64_t *to, const uint64_t *at, int32_t n)
{
	if (n == 1)
		*to = *at;
	else if (n <= 3)
		network_sort(to, at, n, 3);
	else if (n == 4)
		network_sort(to, at, n, 4);
	else if (n <= 6)
		network_sort(to, at, n, 6);
	else
		sort_to_eight(to, at, n);
}

static void merge(uint64_t *to, const uint64_t *a, const uint64_t *end_a, const uint64_t *end_b)
{
	const uint64_t *b = end_a;

	while (a < end_a && b < end_b) {
		bool takes_b = *b < *a;

		*to++ = takes_b ? *b : *a;
		a += !takes_b;
		b += takes_b;
	}
	while (a < end_a)
		*to++ = *a++;
	while (b < end_b)
		*to++ = *b++;
}

/* Of many: runs are sorted, and merged to and fro, so that it ends where it began. */
static void merge_sort(uint64_t *at, int32_t n, uint64_t *spare)
{
	uint64_t *from = at, *to = spare;

	for (int32_t run = FEW; run < n; run *= 2) {
		uint64_t *swap = from;

		from = to;
		to = swap;
	}
	for (int32_t i = 0; i < n; i += FEW)
		sort_few(from + i, at + i, n - i < FEW ? n - i : FEW);
	for (int32_t run = FEW; run < n; run *= 2) {
		uint64_t *swap = from;

		for (int32_t low = 0; low < n; low += 2 * run) {
			int32_t middle = n - low < run ? n : low + run;
			int32_t high = n - middle < run ? n : middle + run;

			merge(to + low, from + low, from + middle, from + high);
		}
		from = to;
		to = swap;
	}
}

/* How many bits of the events say which cell they are in, and which come below. */
struct cells {
	uint64_t least;
	int shift;
	int32_t last;
};

/*
 * Many events are spread over as many cells as there are pairs of them: by their times, or (those
 * of one time) by the places where they are; then the last cell has what is of another kind, too.
 */
static struct cells cells_of(const uint64_t *at, int32_t n)
{
	struct cells cells = {.least = UINT64_MAX, .last = (1 << (30 - __builtin_clz(n))) - 1};
	uint64_t most = 0, range;

	for (int32_t i = 0; i < n; i++) {
		cells.least = at[i] < cells.least ? at[i] : cells.least;
		most = at[i] > most ? at[i] : most;
	}
	if (most >> WHEEL_TIME_AT == cells.least >> WHEEL_TIME_AT &&
	    (most ^ cells.least) >> WHEEL_KIND_AT != 0) {
		most = cells.least;
		for (int32_t i = 0; i < n; i++)
			if ((at[i] ^ cells.least) >> WHEEL_KIND_AT == 0 && at[i] > most)
				most = at[i];
	}
	range = most - cells.least;
	if (range > (uint64_t)cells.last) /* as many bits are left as of last */
		cells.shift = 34 + __builtin_clz(n) - __builtin_clzll(range);
	return cells;
}

static inline int32_t cell_of(const struct cells *cells, uint64_t event)
{
	uint64_t cell = (event - cells->least) >> cells->shift;

	return cell < (uint64_t)cells->last ? (int32_t)cell : cells->last;
}

/* Of at least SPREAD numbers behind one that is not greater than any. */
static void spread_sort(const struct sort_scratch *scratch, uint64_t *at, int32_t n)
{
	const struct cells cells = cells_of(at, n);
	int32_t *end = scratch->cells, sum = 0, most = 0;

	memset(end, 0, (size_t)(cells.last + 1) * sizeof(*end));
	for (int32_t i = 0; i < n; i++)
		end[cell_of(&cells, at[i])]++;
	for (int32_t i = 0; i <= cells.last; i++) {
		int32_t count = end[i];

		most = count > most ? count : most;
		end[i] = sum;
		sum += count;
	}
	for (int32_t i = 0; i < n; i++)
		scratch->spare[end[cell_of(&cells, at[i])]++] = at[i];
	memcpy(at, scratch->spare, (size_t)n * sizeof(*at));
	if (most <= IN_CELL) {
		insertion_sort(at, n);
		return;
	}
	for (int32_t i = 0, begin = 0; i <= cells.last; begin = end[i++])
		if (end[i] - begin <= IN_CELL)
			insertion_sort(at + begin, end[i] - begin);
		else
			merge_sort(at + begin, end[i] - begin, scratch->spare);
}

void sort_scratch_drop(struct sort_scratch *scratch)
{
	xlarge_free(scratch->spare, (size_t)scratch->cap * sizeof(*scratch->spare));
	xlarge_free(scratch->cells, (size_t)scratch->cap * sizeof(*scratch->cells));
	*scratch = (struct sort_scratch){0};
}

static void reserve(struct sort_scratch *scratch, int32_t n)
{
	int32_t cap = 64;

	if (n <= scratch->cap)
		return;
	while (cap < n)
		cap *= 2;
	sort_scratch_drop(scratch);
	scratch->cap = cap;
	scratch->spare = xlarge((size_t)cap * sizeof(*scratch->spare));
	scratch->cells = xlarge((size_t)cap * sizeof(*scratch->cells));
}

/* Of more than FEW. */
static __attribute__((noinline)) void sort_many(struct sort_scratch *scratch, uint64_t *at,
						int32_t n)
{
	reserve(scratch, n);
	if (n < SPREAD)
		merge_sort(at, n, scratch->spare);
	else
		spread_sort(scratch, at, n);
	if (n >= SELDOM) /* as when all ranks of a large machine begin */
		sort_scratch_drop(scratch);
}

void sort_more(struct sort_scratch *scratch, uint64_t *at, int32_t n)
{
	if (n <= FEW)
		sort_few(at, at, n);
	else
		sort_many(scratch, at, n);
}
