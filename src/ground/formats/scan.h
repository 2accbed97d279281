/* scan.h - a place in a line that moves over what it recognises */
#ifndef FORMATS_SCAN_H
#define FORMATS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Each function moves *at behind what it found and returns true, or leaves *at where it is and
 * returns false. The text ends in NUL.
 */
void scan_blanks(const char **at); /* blanks and tabs, none is fine */
bool scan_char(const char **at, char c);
bool scan_text(const char **at, const char *text);
bool scan_int(const char **at, int min, int max, int *value);  /* decimal digits */
bool scan_hex(const char **at, uint64_t *value);               /* with or without 0x */
bool scan_word(const char **at, const char **word, size_t *n); /* up to a blank or the end */
/* From a quote to the next one (or, if last, to the last one of the line); word is what
 * is between. */
bool scan_quoted(const char **at, char quote, bool last, const char **word, size_t *n);

#endif
