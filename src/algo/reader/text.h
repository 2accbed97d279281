/* text.h - what readers of text reports share */
#ifndef ALGO_READER_TEXT_H
#define ALGO_READER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/in.h"

/*
 * Calls read for each path with the file open; the first trouble ends it. read returns 0 or -1.
 */
typedef int text_read_fn(void *context, struct in *in, struct err *err);
int text_read_files(char *const *paths, text_read_fn *read, void *context, struct err *err);

/* Cuts a line at blanks in place: words [max]; returns how many there are (at most max: the rest is
 * left out). */
int text_words(char *line, char **words, int max);

/* "80.87" or "80.87%" as the fraction 0.8087, rounded once. 0, or -1: it is no number from 0 on. */
int text_percent(const char *text, double *fraction);

/* What follows the last slash of the first word of a command line; to be freed. NULL: nothing. */
char *text_program(const char *command);

#endif
