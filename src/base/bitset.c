/* bitset.c - a set of small numbers that finds its next member at once */
#include "base/bitset.h"

#include <stdlib.h>

#include "base/mem.h"

void bitset_init(struct bitset *set, int n)
{
	int nbits = n > 0 ? n : 1;

	*set = (struct bitset){.n = n};
	do {
		nbits = (nbits + 63) / 64;
		set->nwords[set->nlevels] = nbits;
		set->level[set->nlevels++] = xcalloc((size_t)nbits, sizeof(uint64_t));
	} while (nbits > 1);
}

void bitset_free(struct bitset *set)
{
	for (int k = 0; k < set->nlevels; k++)
		free(set->level[k]);
	*set = (struct bitset){0};
}

void bitset_add(struct bitset *set, int i)
{
	for (int k = 0; k < set->nlevels; k++, i >>= 6) {
		uint64_t *word = &set->level[k][i >> 6];
		bool was_empty = *word == 0;

		*word |= 1ULL << (i & 63);
		if (!was_empty)
			return;
	}
}

void bitset_remove(struct bitset *set, int i)
{
	for (int k = 0; k < set->nlevels; k++, i >>= 6) {
		uint64_t *word = &set->level[k][i >> 6];

		*word &= ~(1ULL << (i & 63));
		if (*word != 0)
			return;
	}
}

/* The least member below word i of level k, whose bit is known to be set somewhere in it. */
static int descend(const struct bitset *set, int k, int i)
{
	for (; k >= 0; k--)
		i = (i << 6) + __builtin_ctzll(set->level[k][i]);
	return i;
}

int bitset_next(const struct bitset *set, int from)
{
	for (int k = 0, i = from; k < set->nlevels && (i >> 6) < set->nwords[k]; k++) {
		int word = i >> 6;
		uint64_t rest = set->level[k][word] & (~0ULL << (i & 63));

		if (rest != 0)
			return descend(set, k - 1, (word << 6) + __builtin_ctzll(rest));
		i = word + 1;
	}
	return -1;
}

int bitset_prev(const struct bitset *set, int from)
{
	for (int k = 0, i = from; k < set->nlevels && i >= 0; k++) {
		int word = i >> 6;
		uint64_t rest = set->level[k][word] & (~0ULL >> (63 - (i & 63)));

		if (rest != 0) {
			i = (word << 6) + 63 - __builtin_clzll(rest);
			while (k-- > 0)
				i = (i << 6) + 63 - __builtin_clzll(set->level[k][i]);
			return i;
		}
		i = word - 1;
	}
	return -1;
}

int bitset_last(const struct bitset *set)
{
	int i = 0;

	if (set->level[set->nlevels - 1][0] == 0)
		return -1;
	for (int k = set->nlevels - 1; k >= 0; k--)
		i = (i << 6) + 63 - __builtin_clzll(set->level[k][i]);
	return i;
}
