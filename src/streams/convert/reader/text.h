/* text.h - what readers of text reports share */
#ifndef CONVERT_READER_TEXT_H
#define CONVERT_READER_TEXT_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "formats/in.h"

/*
 * Calls read for each path with the file open; the first error ends it. read returns 0 or -1.
 */
typedef int text_read_fn(void *context, struct in *in, struct err *err);
int text_read_files(char *const *paths, text_read_fn *read, void *context, struct err *err);

/* The same line by line, which is read's to change. */
typedef int text_line_fn(void *context, struct in *in, char *line, struct err *err);
int text_read_lines(char *const *paths, text_line_fn *read, void *context, struct err *err);

/*
 * A file of two words a line, where '#' begins a comment; what says what they are ("a LID and a
 * name"), for the message about a line of fewer or more.
 */
typedef void text_pair_fn(void *context, const char *first, const char *second);
int text_read_pairs(const char *path, const char *what, text_pair_fn *take, void *context,
		    struct err *err);

/* Where a letter is among the first eight of text [n]: the highest bit of each such byte, the
 * first byte lowest. */
static inline uint64_t text_find(const char *text, size_t n, char letter)
{
	const uint64_t ones = 0x0101010101010101U, low = 0x7f7f7f7f7f7f7f7fU;
	uint64_t word = 0;

	if (n >= 8)
		memcpy(&word, text, 8);
	else
		memcpy(&word, text, n);
	word = le64toh(word) ^ ones * (unsigned char)letter;
	return ~(((word & low) + low) | word | low);
}

/* Cuts a line at blanks in place: words [max]; returns how many there are (at most max: the rest is
 * left out). The second is for lines [n] whose length is known. */
int text_words(char *line, char **words, int max);
int text_words_of(char *line, size_t n, char **words, int max);

/* "80.87" or "80.87%" as the fraction 0.8087, rounded once. 0, or -1: it is no number from 0 on. */
int text_percent(const char *text, double *fraction);

/* What follows the last slash of the first word of a command line; to be freed. NULL: nothing. */
char *text_program(const char *command);

#endif
