/* num.c - text becomes numbers, with limits and nothing left over; and numbers text */
#include "base/num.h"

#include <endian.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int num_uint(const char *text, uint64_t max, uint64_t *value)
{
	const char *p = text;
	uint64_t v = 0;

	/* nineteen digits always fit */
	for (; (unsigned char)(*p - '0') < 10 && p < text + 19; p++)
		v = v * 10 + (uint64_t)(*p - '0');
	for (; (unsigned char)(*p - '0') < 10; p++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v))
			return -1;
	if (*p != '\0' || p == text || v > max)
		return -1;
	*value = v;
	return 0;
}

int num_int(const char *text, int64_t min, int64_t max, int64_t *value)
{
	bool negative = *text == '-';
	uint64_t size;
	int64_t v;

	if (num_uint(text + negative, (uint64_t)INT64_MAX, &size) != 0)
		return -1;
	v = negative ? -(int64_t)size : (int64_t)size;
	if (v < min || v > max)
		return -1;
	*value = v;
	return 0;
}

#if FLT_EVAL_METHOD == 0
/*
 * What most numbers are: at most fifteen digits, a point among them or not, no exponent. Both these
 * digits and the power of ten are exact doubles, so that one division rounds correctly (Clinger
 * 1990). Returns where the number ends, or NULL where it is of another kind. text: begins with a
 * digit, or a point and a digit.
 */
static const char *plain_real(const char *text, bool negative, double *value)
{
	static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	const char *p = text, *point = NULL;
	int64_t digits = 0;

	for (;; p++) {
		if ((unsigned char)(*p - '0') < 10)
			digits = digits * 10 + (*p - '0');
		else if (*p == '.' && point == NULL)
			point = p;
		else
			break;
		if (p - text > 15)
			return NULL;
	}
	if (*p == 'e' || *p == 'E' || p - text - (point != NULL) > 15)
		return NULL;
	*value = (double)digits;
	if (point != NULL)
		*value /= powers[p - point - 1];
	if (negative)
		*value = -*value;
	return p;
}
#else
static const char *plain_real(const char *text, bool negative, double *value)
{
	(void)text, (void)negative, (void)value;
	return NULL;
}
#endif

/* The leading decimal number of text; *rest is what follows. The program never calls setlocale, so
 * strtod reads the C locale's point. Hexadecimal, "inf" and "nan" are refused by the first test. */
static int leading_real(const char *text, double *value, const char **rest)
{
	const char *p = text + (*text == '-' || *text == '+');
	char *end;

	if (!((*p >= '0' && *p <= '9') || (*p == '.' && p[1] >= '0' && p[1] <= '9')))
		return -1;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		return -1;
	*rest = plain_real(p, *text == '-', value);
	if (*rest != NULL)
		return 0;
	*value = strtod(text, &end);
	*rest = end;
	return isfinite(*value) ? 0 : -1;
}

/* Eight ASCII digits, the first in the lowest byte, as a number; *good becomes false when one is no
 * digit. Three multiplications join pairs, then fours, then all. */
static inline uint64_t eight_digits(uint64_t word, bool *good)
{
	uint64_t low = word - 0x3030303030303030ULL;

	*good = *good && (((word + 0x4646464646464646ULL) | low) & 0x8080808080808080ULL) == 0;
	low = low * 10 + (low >> 8);
	return (((low & 0x000000ff000000ffULL) * 0x000f424000000064ULL) +
		(((low >> 16) & 0x000000ff000000ffULL) * 0x0000271000000001ULL)) >>
	       32;
}

static inline uint64_t load_eight(const char *text)
{
	uint64_t word;

	memcpy(&word, text, 8);
	return le64toh(word);
}

/* The first n < 8 of at least that many digits: what is before them are zeros. */
static uint64_t few_digits(const char *text, size_t n, bool *good)
{
	uint64_t word = 0x3030303030303030ULL;

	for (size_t i = 0; i < n; i++)
		word = word >> 8 | (uint64_t)(unsigned char)text[i] << 56;
	return eight_digits(word, good);
}

int num_digits(const char *text, size_t n, uint64_t *value)
{
	size_t head = n % 8;
	uint64_t v;
	bool good = n > 0;

	if (n > 20)
		return -1;
	v = n < 8 ? few_digits(text, n, &good)
		  /* the head is the first bytes of a whole word, moved up */
		  : eight_digits(head == 0 ? 0x3030303030303030ULL
					   : load_eight(text) << (64 - 8 * head) |
						     0x3030303030303030ULL >> (8 * head),
				 &good);
	for (size_t i = head; i + 8 <= n; i += 8)
		if (__builtin_mul_overflow(v, 100000000, &v) ||
		    __builtin_add_overflow(v, eight_digits(load_eight(text + i), &good), &v))
			return -1;
	if (!good)
		return -1;
	*value = v;
	return 0;
}

int num_real(const char *text, double min, double max, double *value)
{
	const char *rest;
	double v;

	if (leading_real(text, &v, &rest) != 0 || *rest != '\0' || v < min || v > max)
		return -1;
	*value = v;
	return 0;
}

int num_seconds(const char *text, int64_t *ns)
{
	bool negative = *text == '-';
	const char *p = text + negative;
	int64_t whole = 0, part = 0;
	int ndigits = 0, nafter = 0;

	for (; *p >= '0' && *p <= '9'; p++, ndigits++) {
		whole = whole * 10 + (*p - '0');
		if (whole > INT64_MAX / 1000000000)
			return -1;
	}
	if (*p == '.') {
		for (p++; *p >= '0' && *p <= '9'; p++, ndigits++) {
			if (nafter == 9) {
				if (*p != '0')
					return -1;
				continue;
			}
			part = part * 10 + (*p - '0');
			nafter++;
		}
	}
	if (*p != '\0' || ndigits == 0)
		return -1;
	for (; part != 0 && nafter < 9; nafter++)
		part *= 10;
	if (__builtin_add_overflow(whole * 1000000000, part, &whole))
		return -1;
	*ns = negative ? -whole : whole;
	return 0;
}

struct unit {
	const char *name;
	double factor;
};

static const struct unit prefixes[] = {{"", 1},
				       {"k", 1e3},
				       {"K", 1e3},
				       {"M", 1e6},
				       {"G", 1e9},
				       {"T", 1e12},
				       {"Ki", 1024.0},
				       {"Mi", 1048576.0},
				       {"Gi", 1073741824.0},
				       {"Ti", 1099511627776.0},
				       {"ki", 1024.0}};

/* number, then nothing or [prefix]unit out of units [n] */
static int scaled(const char *text, const struct unit *units, int nunits, double *value)
{
	const char *rest;
	double v;

	if (leading_real(text, &v, &rest) != 0 || v < 0)
		return -1;
	if (*rest == '\0') {
		*value = v;
		return 0;
	}
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t n = strlen(prefixes[i].name);

		if (strncmp(rest, prefixes[i].name, n) != 0)
			continue;
		for (int j = 0; j < nunits; j++)
			if (strcmp(rest + n, units[j].name) == 0) {
				*value = v * prefixes[i].factor * units[j].factor;
				return isfinite(*value) ? 0 : -1;
			}
	}
	return -1;
}

int num_bandwidth(const char *text, double *bytes_per_s)
{
	static const struct unit units[] = {
		{"B/s", 1}, {"bit/s", 0.125}, {"bps", 0.125}, {"b/s", 0.125}};

	return scaled(text, units, 4, bytes_per_s);
}

int num_bytes(const char *text, double *bytes)
{
	static const struct unit units[] = {{"B", 1}, {"", 1}};

	return scaled(text, units, 2, bytes);
}

int num_duration(const char *text, double *seconds)
{
	/* divisors, since 1e-9 has no exact double: 100ns is 100/1e9, correctly rounded */
	static const struct unit units[] = {{"ps", 1e12}, {"ns", 1e9}, {"us", 1e6},
					    {"ms", 1e3},  {"s", 1},    {"", 1},
					    {"min", 60},  {"h", 3600}, {"d", 86400}};
	const char *rest;
	double v;

	if (leading_real(text, &v, &rest) != 0 || v < 0)
		return -1;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(rest, units[i].name) == 0) {
			*seconds = i < 6 ? v / units[i].factor : v * units[i].factor;
			return isfinite(*seconds) ? 0 : -1;
		}
	return -1;
}

int num_real_of(const char *text, const char *unit, double min, double max, double *value)
{
	double v;

	if (num_real(text, min, max, value) == 0)
		return 0;
	if (unit == NULL || (strcmp(unit, "s") == 0       ? num_duration(text, &v)
			     : strcmp(unit, "bytes") == 0 ? num_bytes(text, &v)
							  : -1) != 0)
		return -1;
	if (v < min || v > max)
		return -1;
	*value = v;
	return 0;
}

static int count_digits(uint64_t value)
{
	static const uint64_t powers[20] = {0,
					    10,
					    100,
					    1000,
					    10000,
					    100000,
					    1000000,
					    10000000,
					    100000000,
					    1000000000,
					    10000000000,
					    100000000000,
					    1000000000000,
					    10000000000000,
					    100000000000000,
					    1000000000000000,
					    10000000000000000,
					    100000000000000000,
					    1000000000000000000,
					    10000000000000000000U};
	/* bits · log10(2), rounded down, is the number or one less than it */
	int n = (64 - __builtin_clzll(value | 1)) * 1233 >> 12;

	return n + (value >= powers[n]);
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

static void print_eight(char text[8], uint32_t value)
{
	uint32_t high = value / 10000, low = value % 10000;

	memcpy(text, digit_pairs + high / 100 * 2, 2);
	memcpy(text + 2, digit_pairs + high % 100 * 2, 2);
	memcpy(text + 4, digit_pairs + low / 100 * 2, 2);
	memcpy(text + 6, digit_pairs + low % 100 * 2, 2);
}

/* The digits of value, at least width of them, without a NUL; returns how many. */
static size_t print_digits(char *text, uint64_t value, int width)
{
	int n, at;

	if (value < 10 && width == 1) {
		*text = (char)('0' + value);
		return 1;
	}
	n = count_digits(value);
	if (n < width)
		n = width;
	for (at = n; value >= 100000000; value /= 100000000)
		print_eight(text + (at -= 8), (uint32_t)(value % 100000000));
	for (; value >= 10; value /= 100)
		memcpy(text + (at -= 2), digit_pairs + value % 100 * 2, 2);
	if (at > 0)
		text[--at] = (char)('0' + value);
	while (at > 0)
		text[--at] = '0';
	return (size_t)n;
}

size_t num_print_int(char text[NUM_TEXT], int64_t value)
{
	size_t n = 0;

	if (value < 0)
		text[n++] = '-';
	n += print_digits(text + n, value < 0 ? -(uint64_t)value : (uint64_t)value, 1);
	text[n] = '\0';
	return n;
}

size_t num_print_real(char text[NUM_TEXT], double value)
{
	int n = 0;

	if (value == 0)
		value = 0; /* no "-0" */
	if (fabs(value) < 1e15 && value == (double)(int64_t)value)
		return num_print_int(text, (int64_t)value);
	/* 15 digits always say what they mean, except near zero, where doubles have fewer */
	for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
		n = snprintf(text, NUM_TEXT, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return (size_t)n;
}

size_t num_print_seconds(char text[NUM_TEXT], int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	size_t n = 0;

	if (ns < 0)
		text[n++] = '-';
	n += print_digits(text + n, size / 1000000000, 1);
	if (size % 1000000000 != 0) {
		text[n++] = '.';
		n += print_digits(text + n, size % 1000000000, 9);
		while (text[n - 1] == '0')
			n--;
	}
	text[n] = '\0';
	return n;
}

size_t num_print_digits(char text[NUM_TEXT], double value, int digits)
{
	int magnitude = value == 0 ? 0 : (int)floor(log10(fabs(value))), decimals;
	size_t n;

	if (fabs(value) >= 1e15 || magnitude < -4)
		return (size_t)snprintf(text, NUM_TEXT, "%.*g", digits, value);
	decimals = digits - 1 - magnitude > 0 ? digits - 1 - magnitude : 0;
	n = (size_t)snprintf(text, NUM_TEXT, "%.*f", decimals, value);
	if (memchr(text, '.', n) != NULL) {
		while (text[n - 1] == '0')
			n--;
		n -= text[n - 1] == '.';
	}
	text[n] = '\0';
	if (strcmp(text, "-0") == 0)
		return (size_t)snprintf(text, NUM_TEXT, "0");
	return n;
}
