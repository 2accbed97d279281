/* bitset.h - a set of small numbers that finds its next member at once */
#ifndef BASE_BITSET_H
#define BASE_BITSET_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Numbers 0 … n − 1. Level 0 has a bit for each; a bit of level k + 1 says that a word of level k
 * is not zero, so that looking for the next member costs one word a level, whatever the gaps.
 */
enum { BITSET_LEVELS = 6 };

struct bitset {
	uint64_t *level[BITSET_LEVELS];
	int nwords[BITSET_LEVELS];
	int nlevels;
	int n;
	int *nin_block,
		*nin_span; /* members of 512 and of 32 768 numbers each; NULL: not counted */
};

void bitset_init(struct bitset *set, int n); /* empty */
/* The same, with the members counted: for bitset_kth and bitset_below. */
void bitset_init_counted(struct bitset *set, int n);
void bitset_free(struct bitset *set);
void bitset_add(struct bitset *set, int i);
void bitset_remove(struct bitset *set, int i);
/* first … last, 64 at a time; some may be members (no members) before. */
void bitset_add_range(struct bitset *set, int first, int last);
void bitset_remove_range(struct bitset *set, int first, int last);
/* Its members are those of words [nwords[0]], a bit for each. Of a set that is not counted. */
void bitset_assign(struct bitset *set, const uint64_t *words);
int bitset_next(const struct bitset *set, int from); /* the least member ≥ from, or -1 */
int bitset_prev(const struct bitset *set, int from); /* the greatest member ≤ from, or -1 */
int bitset_last(const struct bitset *set);           /* the greatest member, or -1 */
/* The least number ≥ from that is no member, or n. */
int bitset_next_gap(const struct bitset *set, int from);

/* Of a counted set: the member at place k (0 is the least), which must exist; and how many members
 * are less than i. */
int bitset_kth(const struct bitset *set, int k);
int bitset_below(const struct bitset *set, int i);

/* Bits set in n words. */
int bits_count(const uint64_t *words, int n);

/* Bit i of words, where a set is no more than that. */
static inline bool bits_has(const uint64_t *words, int64_t i)
{
	return (words[i >> 6] >> (i & 63) & 1) != 0;
}

static inline void bits_add(uint64_t *words, int64_t i)
{
	words[i >> 6] |= UINT64_C(1) << (i & 63);
}

static inline bool bitset_has(const struct bitset *set, int i)
{
	return bits_has(set->level[0], i);
}

#endif
