/* node_ranges.c - lists of nodes as ranges of consecutive ones, in a separate order */
#include "formats/node_ranges.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void node_ranges_add(struct node_ranges *ranges, int first, int last)
{
	size_t n = ranges->of.n;

	ranges->nnodes += last - first + 1;
	if (n > 0 && ranges->of.at[n - 1].last + 1 == first)
		ranges->of.at[n - 1].last = last;
	else
		vec_push(&ranges->of, (struct node_range){first, last});
}

void node_ranges_clear(struct node_ranges *ranges)
{
	ranges->of.n = 0;
	ranges->nnodes = 0;
}

void node_ranges_free(struct node_ranges *ranges)
{
	vec_free(&ranges->of);
	ranges->nnodes = 0;
}

static int by_first(const void *a, const void *b)
{
	const struct node_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Most lists ascend, which needs no sorting. */
static bool do_ascend(const struct node_ranges *ranges)
{
	for (size_t i = 1; i < ranges->of.n; i++)
		if (ranges->of.at[i].first <= ranges->of.at[i - 1].last)
			return false;
	return true;
}

static void sort(struct node_ranges *sorted, const struct node_ranges *ranges)
{
	size_t n = ranges->of.n;

	vec_reserve(&sorted->of, n);
	memcpy(sorted->of.at, ranges->of.at, n * sizeof(*sorted->of.at));
	qsort(sorted->of.at, n, sizeof(*sorted->of.at), by_first);
	sorted->of.n = n;
	sorted->nnodes = ranges->nnodes;
}

const struct node_ranges *node_ranges_by_label(const struct node_ranges *ranges,
					       struct node_ranges *sorted)
{
	size_t n = 1;

	/* two that touch and ascend were joined when they were added */
	if (do_ascend(ranges))
		return ranges;
	sort(sorted, ranges);
	for (size_t i = 1; i < sorted->of.n; i++)
		if (sorted->of.at[i].first == sorted->of.at[n - 1].last + 1)
			sorted->of.at[n - 1].last = sorted->of.at[i].last;
		else
			sorted->of.at[n++] = sorted->of.at[i];
	sorted->of.n = n;
	return sorted;
}

int node_ranges_twice(const struct node_ranges *ranges)
{
	struct node_ranges sorted = {0};
	int twice = -1, last = -1;

	if (do_ascend(ranges))
		return -1;
	sort(&sorted, ranges);
	for (size_t i = 0; i < sorted.of.n && twice < 0; i++) {
		if (sorted.of.at[i].first <= last)
			twice = sorted.of.at[i].first;
		last = sorted.of.at[i].last > last ? sorted.of.at[i].last : last;
	}
	node_ranges_free(&sorted);
	return twice;
}

size_t node_run_end(const int *nodes, size_t first, size_t n)
{
	size_t i = first + 1;

	/* eight at a time, without a branch for each */
	for (; i + 8 <= n; i += 8) {
		unsigned differ = 0, next = (unsigned)nodes[i - 1] + 1;

		for (unsigned k = 0; k < 8; k++)
			differ |= (unsigned)nodes[i + k] ^ (next + k);
		if (differ != 0)
			break;
	}
	while (i < n && nodes[i] == nodes[i - 1] + 1)
		i++;
	return i;
}

void node_ranges_list(const struct node_ranges *ranges, int *nodes)
{
	size_t n = 0;

	for (size_t i = 0; i < ranges->of.n; i++)
		for (int node = ranges->of.at[i].first; node <= ranges->of.at[i].last; node++)
			nodes[n++] = node;
}
