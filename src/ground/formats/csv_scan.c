/* csv_scan.c - finds field boundaries 64 bytes at a time: AVX2, SSE2 or plain 64-bit words */
#include "formats/csv_scan.h"

#include <endian.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* One bit for each of 64 bytes. */
struct masks {
	uint64_t commas, newlines, quotes;
};

typedef struct masks masks_fn(const char *block);

static inline int count_bits(uint64_t bits)
{
	return __builtin_popcountll(bits);
}

/* Number of the n-th set bit; n from 0 and below the number of set bits. */
static inline int nth_bit(uint64_t bits, int n)
{
	while (n-- > 0)
		bits &= bits - 1;
	return __builtin_ctzll(bits);
}

/*
 * The loop that all variants share. A block is 64 bytes from the line's start on; within one, the
 * fields that begin after its commas are nfields + 1 … nfields + number of commas.
 */
static inline __attribute__((always_inline)) struct csv_scan scan_with(masks_fn *find,
								       const char *p,
								       const int *bounds,
								       int nbounds, const char **at)
{
	struct csv_scan scan = {0};
	int next = 0, ncommas = 0;

	if (nbounds > 0 && bounds[0] == 0) {
		at[0] = p;
		next = 1;
	}
	for (;; p += 64) {
		struct masks masks = find(p);
		uint64_t line = masks.newlines ^ (masks.newlines - 1); /* up to the newline */
		uint64_t commas = masks.commas & line;
		int n = count_bits(commas);

		if (masks.quotes & line)
			scan.is_quoted = true;
		while (next < nbounds && bounds[next] <= ncommas + n) {
			at[next] = p + nth_bit(commas, bounds[next] - ncommas - 1) + 1;
			next++;
		}
		ncommas += n;
		if (masks.newlines != 0) {
			scan.end = p + __builtin_ctzll(masks.newlines);
			break;
		}
	}
	scan.nfields = ncommas + 1;
	if (next < nbounds && bounds[next] == scan.nfields)
		at[next] = scan.end + 1;
	return scan;
}

/* Bit i is set where byte i of the word equals c; exact for all bytes (no borrow between them). */
static inline uint64_t equal_bytes(uint64_t word, char c)
{
	const uint64_t low = 0x7f7f7f7f7f7f7f7fULL;
	uint64_t x = word ^ (0x0101010101010101ULL * (unsigned char)c);
	uint64_t is_zero = ~(((x & low) + low) | x | low) >> 7; /* 1 in each byte that was 0 */

	return (is_zero * 0x0102040810204080ULL) >> 56;
}

static inline struct masks find_in_words(const char *block)
{
	struct masks masks = {0};

	for (int i = 0; i < 8; i++) {
		uint64_t word;

		memcpy(&word, block + 8 * i, 8);
		word = le64toh(word);
		masks.commas |= equal_bytes(word, ',') << (8 * i);
		masks.newlines |= equal_bytes(word, '\n') << (8 * i);
		masks.quotes |= equal_bytes(word, '"') << (8 * i);
	}
	return masks;
}

static struct csv_scan scan_words(const char *p, const int *bounds, int nbounds, const char **at)
{
	return scan_with(find_in_words, p, bounds, nbounds, at);
}

#if defined(__x86_64__)

static inline uint64_t equal_sse2(const char *block, char c)
{
	uint64_t bits = 0;

	for (int i = 0; i < 4; i++) {
		__m128i part = _mm_loadu_si128((const __m128i *)(block + 16 * i));
		__m128i equal = _mm_cmpeq_epi8(part, _mm_set1_epi8(c));

		bits |= (uint64_t)(unsigned)_mm_movemask_epi8(equal) << (16 * i);
	}
	return bits;
}

static inline struct masks find_sse2(const char *block)
{
	return (struct masks){equal_sse2(block, ','), equal_sse2(block, '\n'),
			      equal_sse2(block, '"')};
}

static struct csv_scan scan_sse2(const char *p, const int *bounds, int nbounds, const char **at)
{
	return scan_with(find_sse2, p, bounds, nbounds, at);
}

#define AVX2 __attribute__((target("avx2,bmi,popcnt")))

static inline AVX2 uint64_t equal_avx2(__m256i low, __m256i high, char c)
{
	__m256i wanted = _mm256_set1_epi8(c);
	unsigned bits = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted));
	unsigned more = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted));

	return bits | (uint64_t)more << 32;
}

static inline AVX2 struct masks find_avx2(const char *block)
{
	__m256i low = _mm256_loadu_si256((const __m256i *)block);
	__m256i high = _mm256_loadu_si256((const __m256i *)(block + 32));

	return (struct masks){equal_avx2(low, high, ','), equal_avx2(low, high, '\n'),
			      equal_avx2(low, high, '"')};
}

static AVX2 struct csv_scan scan_avx2(const char *p, const int *bounds, int nbounds,
				      const char **at)
{
	return scan_with(find_avx2, p, bounds, nbounds, at);
}

#endif

csv_scan_fn *csv_scan_variant(int index, const char **name)
{
	static const char *const names[CSV_SCAN_VARIANTS] = {"words", "sse2", "avx2"};

	if (index < 0 || index >= CSV_SCAN_VARIANTS)
		return NULL;
	*name = names[index];
	if (index == 0)
		return scan_words;
#if defined(__x86_64__)
	if (index == 1)
		return scan_sse2;
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("popcnt"))
		return scan_avx2;
#endif
	return NULL;
}

csv_scan_fn *csv_scan_best(void)
{
	const char *name;

	for (int i = CSV_SCAN_VARIANTS - 1; i > 0; i--)
		if (csv_scan_variant(i, &name) != NULL)
			return csv_scan_variant(i, &name);
	return scan_words;
}
