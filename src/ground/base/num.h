/* num.h - text becomes numbers, with limits and nothing left over; and numbers text */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include <stddef.h>
#include <stdint.h>

/*
 * All readers take the whole text (no blanks, no rest) in the C locale whatever the user's is, and
 * return 0, or -1 when it is not such a number or is outside its limits; the caller says so.
 */
int num_int(const char *text, int64_t min, int64_t max, int64_t *value);
int num_uint(const char *text, uint64_t max, uint64_t *value);
/* Digits only, which need not be ended by NUL; for cells of large files. */
int num_digits(const char *text, size_t n, uint64_t *value);
int num_real(const char *text, double min, double max, double *value); /* no NaN, no infinity */

/* Decimal seconds to whole nanoseconds, exactly; at most nine digits after the point. */
int num_seconds(const char *text, int64_t *ns);

/* A number with an optional unit. Prefixes k M G T (1000) and Ki Mi Gi Ti (1024). */
int num_bandwidth(const char *text, double *bytes_per_s); /* 8Gbit/s 1GB/s 1e9 */
int num_duration(const char *text, double *seconds);      /* 100ns 1.5us 2ms 3s 1e-7 */
int num_bytes(const char *text, double *bytes);           /* 4KiB 1MB 64 */

/* num_real, where a number may have a unit too: "s" (2min), "bytes" (4KiB); NULL: none. */
int num_real_of(const char *text, const char *unit, double min, double max, double *value);

enum { NUM_TEXT = 32 };
/* All write the shortest text that reads back as the same value and return its length. */
size_t num_print_int(char text[NUM_TEXT], int64_t value);
size_t num_print_real(char text[NUM_TEXT], double value);
size_t num_print_seconds(char text[NUM_TEXT], int64_t ns);
/* For people: rounded to significant digits (1 … 15), the integer part always in full. */
size_t num_print_digits(char text[NUM_TEXT], double value, int digits);

#endif
