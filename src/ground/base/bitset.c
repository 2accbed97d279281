/* bitset.c - a set of small numbers that finds its next member at once */
#include "base/bitset.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK_WORDS = 8, BLOCK = BLOCK_WORDS * 64, SPAN_BLOCKS = 64, SPAN = SPAN_BLOCKS * BLOCK };

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

void bitset_init_counted(struct bitset *set, int n)
{
	bitset_init(set, n);
	set->nin_block = xcalloc((size_t)(n / BLOCK) + 1, sizeof(*set->nin_block));
	set->nin_span = xcalloc((size_t)(n / SPAN) + 1, sizeof(*set->nin_span));
}

void bitset_free(struct bitset *set)
{
	free(set->nin_block);
	free(set->nin_span);
	for (int k = 0; k < set->nlevels; k++)
		free(set->level[k]);
	*set = (struct bitset){0};
}

/* Bits set; counted in parallel, since not every processor that this is built for has popcnt. */
static int nbits(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555ULL;
	word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (int)(word * 0x0101010101010101ULL >> 56);
}

static void count(struct bitset *set, int i, int change)
{
	if (set->nin_block == NULL)
		return;
	set->nin_block[i / BLOCK] += change;
	set->nin_span[i / SPAN] += change;
}

void bitset_add(struct bitset *set, int i)
{
	if (bitset_has(set, i))
		return;
	count(set, i, 1);
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
	if (!bitset_has(set, i))
		return;
	count(set, i, -1);
	for (int k = 0; k < set->nlevels; k++, i >>= 6) {
		uint64_t *word = &set->level[k][i >> 6];

		*word &= ~(1ULL << (i & 63));
		if (*word != 0)
			return;
	}
}

/* The bits of word w that represent first … last. */
static uint64_t mask_of(int w, int first, int last)
{
	uint64_t mask = ~0ULL;

	if (w == first >> 6)
		mask &= ~0ULL << (first & 63);
	if (w == last >> 6)
		mask &= ~0ULL >> (63 - (last & 63));
	return mask;
}

void bitset_add_range(struct bitset *set, int first, int last)
{
	bool is_known = false; /* the level above has a bit for each of these words */

	if (first == last) {
		bitset_add(set, first);
		return;
	}
	for (int k = 0; k < set->nlevels && !is_known; k++, first >>= 6, last >>= 6) {
		is_known = true;
		for (int w = first >> 6; w <= last >> 6; w++) {
			uint64_t mask = mask_of(w, first, last) & ~set->level[k][w];

			is_known &= set->level[k][w] != 0;
			if (k == 0 && set->nin_block != NULL)
				count(set, w * 64, nbits(mask));
			set->level[k][w] |= mask;
		}
	}
}

void bitset_remove_range(struct bitset *set, int first, int last)
{
	if (first == last) {
		bitset_remove(set, first);
		return;
	}
	for (int w = first >> 6; w <= last >> 6; w++) {
		uint64_t mask = mask_of(w, first, last) & set->level[0][w];

		if (mask == 0)
			continue;
		if (set->nin_block != NULL)
			count(set, w * 64, -nbits(mask));
		set->level[0][w] &= ~mask;
		for (int k = 1, i = w; k < set->nlevels && set->level[k - 1][i] == 0; k++, i >>= 6)
			set->level[k][i >> 6] &= ~(1ULL << (i & 63));
	}
}

void bitset_assign(struct bitset *set, const uint64_t *words)
{
	memcpy(set->level[0], words, (size_t)set->nwords[0] * sizeof(*words));
	for (int k = 1; k < set->nlevels; k++) {
		memset(set->level[k], 0, (size_t)set->nwords[k] * sizeof(uint64_t));
		for (int i = 0; i < set->nwords[k - 1]; i++)
			if (set->level[k - 1][i] != 0)
				set->level[k][i >> 6] |= 1ULL << (i & 63);
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

int bitset_next_gap(const struct bitset *set, int from)
{
	uint64_t gaps = ~0ULL << (from & 63);

	for (int w = from >> 6; w < set->nwords[0]; w++, gaps = ~0ULL) {
		gaps &= ~set->level[0][w];
		if (gaps != 0) {
			int gap = (w << 6) + __builtin_ctzll(gaps);

			return gap < set->n ? gap : set->n;
		}
	}
	return set->n;
}

int bits_count(const uint64_t *words, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += nbits(words[i]);
	return sum;
}

int bitset_kth(const struct bitset *set, int k)
{
	int span = 0, block, w;

	for (; k >= set->nin_span[span]; span++)
		k -= set->nin_span[span];
	for (block = span * SPAN_BLOCKS; k >= set->nin_block[block]; block++)
		k -= set->nin_block[block];
	for (w = block * BLOCK_WORDS;; w++) {
		uint64_t word = set->level[0][w];
		int n = nbits(word);

		if (k >= n) {
			k -= n;
			continue;
		}
		while (k-- > 0)
			word &= word - 1;
		return w * 64 + __builtin_ctzll(word);
	}
}

int bitset_below(const struct bitset *set, int i)
{
	int n = 0, span = i / SPAN, block = i / BLOCK, w = i / 64;

	for (int s = 0; s < span; s++)
		n += set->nin_span[s];
	for (int b = span * SPAN_BLOCKS; b < block; b++)
		n += set->nin_block[b];
	for (int k = block * BLOCK_WORDS; k < w; k++)
		n += nbits(set->level[0][k]);
	return (i & 63) != 0 ? n + nbits(set->level[0][w] & ~(~0ULL << (i & 63))) : n;
}
