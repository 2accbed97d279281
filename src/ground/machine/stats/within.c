/* within.c - pairs of nodes whose routes stay on some of the routers, in networks of dimensions */
#include "machine/stats/within.h"

#include <stdlib.h>

#include "base/mem.h"

void within_on_mesh(const uint64_t *from, const bool *is_open, uint64_t *to, int size)
{
	for (int first = 0, end; first < size; first = end + 1) {
		uint64_t sum = 0;

		for (end = first; end < size && is_open[end]; end++)
			sum += from[end];
		for (int x = first; x < end; x++)
			to[x] = sum;
		if (end < size)
			to[end] = 0;
	}
}

/* Sums over the open places before each, around the ring, up to reach of them: places count from
 * one turn before the line on. */
static void add_behind(const uint64_t *from, const bool *is_open, uint64_t *to, int size, int reach,
		       bool is_up)
{
	uint64_t sum = 0; /* of the n open places before x, at most reach */
	int n = 0;

	for (int i = 0; i < 2 * size; i++) {
		int x = is_up ? i % size : size - 1 - i % size;
		int old = is_up ? (i % size - reach + size) % size
				: (size - 1 - i % size + reach) % size;

		if (i >= size && is_open[x])
			to[x] += sum;
		if (!is_open[x]) {
			sum = 0;
			n = 0;
			continue;
		}
		if (n == reach && reach > 0)
			sum -= from[old];
		else
			n += reach > 0;
		sum += reach > 0 ? from[x] : 0;
	}
}

/* Half way round the direction is +. */
void within_on_ring(const uint64_t *from, const bool *is_open, uint64_t *to, int size)
{
	for (int x = 0; x < size; x++)
		to[x] = from[x];
	add_behind(from, is_open, to, size, size / 2, true);
	add_behind(from, is_open, to, size, (size - 1) / 2, false);
}

void within_where_joined(const uint64_t *from, const bool *is_open, uint64_t *to, int size)
{
	uint64_t sum = 0;

	for (int x = 0; x < size; x++)
		sum += from[x];
	for (int x = 0; x < size; x++)
		to[x] = is_open[x] ? sum : 0;
}

/* After dimension d the number at a router is that of the nodes that reach it by routes that end
 * with this dimension. */
static void go_along(const struct within *within, int d, int nrouters, const bool *is_open,
		     uint64_t *at, uint64_t *lines, bool *open)
{
	int size = within->sizes[d], stride = within->strides[d];
	uint64_t *from = lines, *to = lines + size;

	for (int first = 0; first < nrouters; first++) {
		if (first / stride % size != 0)
			continue;
		for (int x = 0; x < size; x++) {
			from[x] = at[first + x * stride];
			open[x] = is_open[first + x * stride];
		}
		within->line(from, open, to, size);
		for (int x = 0; x < size; x++)
			at[first + x * stride] = to[x];
	}
}

uint64_t within_count(const struct topo *topo, const struct router_counts *counts,
		      const bool *is_open, const struct within *within)
{
	uint64_t *at = xcalloc((size_t)topo->nrouters, sizeof(*at)), *lines, npairs = 0;
	int widest = 1;
	bool *open;

	for (int i = 0; i < counts->n; i++)
		if (is_open[counts->routers[i]])
			at[counts->routers[i]] = (uint64_t)counts->count_of[counts->routers[i]];
	for (int d = 0; d < within->ndims; d++)
		widest = within->sizes[d] > widest ? within->sizes[d] : widest;
	lines = xmalloc(2 * (size_t)widest * sizeof(*lines));
	open = xmalloc((size_t)widest * sizeof(*open));
	for (int d = 0; d < within->ndims; d++)
		go_along(within, d, topo->nrouters, is_open, at, lines, open);
	for (int i = 0; i < counts->n; i++) {
		uint64_t n = (uint64_t)counts->count_of[counts->routers[i]];

		if (is_open[counts->routers[i]])
			npairs += n * (at[counts->routers[i]] - n);
	}
	free(open);
	free(lines);
	free(at);
	return npairs;
}
