/* wheel_sort.h - puts events in order, as numbers */
#ifndef SIM_NETWORK_WHEEL_SORT_H
#define SIM_NETWORK_WHEEL_SORT_H

#include <stdint.h>

/* What sorting many needs beside them; all 0 at first. */
struct sort_scratch {
	uint64_t *spare; /* [cap] */
	int32_t *cells;  /* [cap] */
	int32_t cap;
};

void sort_scratch_drop(struct sort_scratch *scratch);

static inline __attribute__((always_inline)) void sort_two(uint64_t *a, uint64_t *b)
{
	uint64_t less = *a < *b ? *a : *b, more = *a < *b ? *b : *a;

	*a = less;
	*b = more;
}

/* Of 3 or more. */
void sort_more(struct sort_scratch *scratch, uint64_t *at, int32_t n);

/* n numbers behind one that is not greater than any of them. */
static inline void sort_events(struct sort_scratch *scratch, uint64_t *at, int32_t n)
{
	if (n == 2)
		sort_two(&at[0], &at[1]);
	else if (n > 2)
		sort_more(scratch, at, n);
}

#endif
