/* link_line.c - the cables along one line of a grid that dimension-order routes take */
#include "place/constraint/link_line.h"

/* Bits 0 … n − 1. */
static uint64_t below(int n)
{
	return n >= 64 ? ~0ULL : (1ULL << n) - 1;
}

/* A ring's bits, moved up; those beyond the end come in at its beginning. */
static uint64_t turn(uint64_t bits, int by, int size)
{
	return by == 0 ? bits : (bits << by | bits >> (size - by)) & below(size);
}

static uint64_t ring_links(int size, uint64_t starts, uint64_t ends)
{
	uint64_t up = below(size / 2 + 1) & ~1ULL;                   /* ends that many steps up */
	uint64_t down = below(size) & ~below(size / 2 + 1), all = 0; /* size less that many */

	for (; starts != 0; starts &= starts - 1) {
		int from = __builtin_ctzll(starts);
		uint64_t seen = turn(ends, from == 0 ? 0 : size - from, size), links = 0;

		if ((seen & up) != 0)
			links |= below(63 - __builtin_clzll(seen & up));
		if ((seen & down) != 0)
			links |= below(size) & ~below(__builtin_ctzll(seen & down));
		all |= turn(links, from, size);
	}
	return size == 2 ? all != 0 : all; /* one cable */
}

uint64_t link_line(int size, bool is_ring, uint64_t starts, uint64_t ends)
{
	int first, last, first_start, last_start;

	if (starts == 0 || ends == 0)
		return 0;
	if (is_ring)
		return ring_links(size, starts, ends);
	first_start = __builtin_ctzll(starts);
	last_start = 63 - __builtin_clzll(starts);
	first = __builtin_ctzll(ends);
	last = 63 - __builtin_clzll(ends);
	/* the first start goes up to the last end, the last one down to the first */
	return (first_start < last ? below(last) & ~below(first_start) : 0) |
	       (first < last_start ? below(last_start) & ~below(first) : 0);
}

/* Places that follow each other from one on, down to it and up from it. */
static uint64_t span(int size, bool is_ring, int at, int ndown, int nup)
{
	uint64_t places = below(ndown + nup + 1);

	if (!is_ring)
		return places << (at - ndown);
	return turn(places, at < ndown ? at - ndown + size : at - ndown, size);
}

/* Up to the first cable in use, but no more than most. */
static int steps_up(uint64_t used, int most)
{
	int n = used != 0 ? __builtin_ctzll(used) : 64;

	return n < most ? n : most;
}

static int steps_down(uint64_t used, int size, int most)
{
	uint64_t seen = used << (64 - size);
	int n = seen != 0 ? __builtin_clzll(seen) : 64;

	return n < most ? n : most;
}

void link_reach(int size, bool is_ring, uint64_t used, uint64_t *out, uint64_t *into)
{
	int up = is_ring ? size / 2 : size, down = is_ring ? (size - 1) / 2 : size;

	if (is_ring && size == 2)
		used |= used << 1;
	for (int at = 0; at < size; at++) {
		uint64_t above = is_ring ? turn(used, at == 0 ? 0 : size - at, size) : used >> at;
		uint64_t under = is_ring ? above : at > 0 ? used << (size - at) & below(size) : 0;
		int above_most = is_ring ? size : size - 1 - at, under_most = is_ring ? size : at;
		int nup = steps_up(above, above_most), ndown = steps_down(under, size, under_most);

		out[at] = span(size, is_ring, at, ndown < down ? ndown : down, nup < up ? nup : up);
		into[at] =
			span(size, is_ring, at, ndown < up ? ndown : up, nup < down ? nup : down);
	}
}
