/* str.h - small work on text */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Most differ at once. */
static inline bool str_eq(const char *a, const char *b)
{
	return a[0] == b[0] && strcmp(a, b) == 0;
}

/* Either may be NULL. */
static inline bool str_same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && str_eq(a, b));
}

bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);
/* "svg" of FOLDER/x.svg or x.svg.gz; false: the path (NULL: none) has no such ending. ending [size]
 */
bool str_ending(const char *path, char *ending, size_t size);
char *str_trim(char *text); /* cuts blanks at both ends, in place */

/* Cuts text in place at every sep; returns the number of parts, at most max (the rest stays in the
 * last one). parts [max] */
int str_split(char *text, char sep, char **parts, int max);

uint64_t str_hash(const char *text, size_t n); /* the same on every machine; FNV-1a, finished */
/* A bijection that spreads every bit: the finisher of SplitMix64 (Steele, Lea, Flood 2014). */
static inline uint64_t u64_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

/* A growing text. Zeroed is empty; text is NULL until something was added. */
struct buf {
	char *text;
	size_t n, cap;
};
void buf_add(struct buf *buf, const char *text, size_t n);
void buf_str(struct buf *buf, const char *text);
void buf_char(struct buf *buf, char c);
void buf_printf(struct buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *buf_text(struct buf *buf); /* "" when empty; valid until the next change */
void buf_clear(struct buf *buf);       /* keeps the memory */
void buf_free(struct buf *buf);

#endif
