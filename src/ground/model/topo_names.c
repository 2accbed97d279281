/* topo_names.c - generated names: a pattern with one %d or %0Nd, counted up from 0 */
#include "model/topo_names.h"

#include <string.h>

#include "base/letter.h"

enum { PATTERN_MOST = 200 }; /* leaves room for the number in TOPO_NAME */

int name_char(const char *name, size_t n)
{
	int nbytes;
	uint32_t letter = letter_read(name, n, &nbytes);

	return strchr(" #,[]", *name) == NULL && !letter_is_active(letter) ? nbytes : 0;
}

bool name_is_good(const char *name, size_t n)
{
	int length = 0;

	if (n == 0 || n >= TOPO_NAME || (n == 1 && *name == '.'))
		return false;
	for (size_t i = 0; i < n; i += (size_t)length) {
		length = name_char(name + i, n - i);
		if (length == 0)
			return false;
	}
	return true;
}

/* The digits N of %0Nd (0 for %d), and what follows it; -1: it is no such thing. */
static int read_width(const char *percent, const char **suffix)
{
	const char *p = percent + 1;
	int width = 0;

	if (*p == '0' && p[1] >= '1' && p[1] <= '9') {
		width = p[1] - '0';
		p += 2;
	}
	*suffix = p + 1;
	return *p == 'd' ? width : -1;
}

int name_pattern_check(const char *pattern, struct err *err)
{
	const char *percent = strchr(pattern, '%'), *suffix = "";

	if (!name_is_good(pattern, strlen(pattern)) || strlen(pattern) > PATTERN_MOST)
		return err_set(err, "'%.80s' cannot be the pattern of names", pattern);
	if (percent == NULL || read_width(percent, &suffix) < 0 || strchr(suffix, '%') != NULL)
		return err_set(err, "'%s' needs exactly one %%d or %%0Nd, as in nid%%05d", pattern);
	return 0;
}

size_t name_pattern_print(const char *pattern, int number, char text[TOPO_NAME])
{
	size_t prefix = strcspn(pattern, "%"), ndigits = 0, n = prefix, nsuffix;
	const char *suffix;
	int width = read_width(pattern + prefix, &suffix);
	char digits[16]; /* backwards */

	for (int rest = number; rest > 0 || ndigits == 0; rest /= 10)
		digits[ndigits++] = (char)('0' + rest % 10);
	while (ndigits < (size_t)width)
		digits[ndigits++] = '0';
	nsuffix = strlen(suffix);
	memcpy(text, pattern, prefix);
	while (ndigits > 0)
		text[n++] = digits[--ndigits];
	memcpy(text + n, suffix, nsuffix + 1);
	return n + nsuffix;
}

int name_pattern_find(const char *pattern, int n, const char *name, size_t length)
{
	size_t prefix = strcspn(pattern, "%"), nsuffix, ndigits;
	const char *suffix;
	int width = read_width(pattern + prefix, &suffix);
	int64_t number = 0;

	nsuffix = strlen(suffix);
	if (length < prefix + nsuffix + 1 || memcmp(name, pattern, prefix) != 0 ||
	    memcmp(name + length - nsuffix, suffix, nsuffix) != 0)
		return -1;
	ndigits = length - prefix - nsuffix;
	if (ndigits > 10 || ndigits < (size_t)width)
		return -1;
	for (size_t i = 0; i < ndigits; i++) {
		if (name[prefix + i] < '0' || name[prefix + i] > '9')
			return -1;
		number = number * 10 + (name[prefix + i] - '0');
	}
	/* Leading zeros are there to fill the width, and for nothing else. */
	if (name[prefix] == '0' && ndigits > 1 && ndigits != (size_t)width)
		return -1;
	return number < n ? (int)number : -1;
}

static void start_at(struct name_counter *counter, int number)
{
	const char *suffix;

	counter->number = number;
	counter->n = name_pattern_print(counter->pattern, number, counter->text);
	counter->first = strcspn(counter->pattern, "%");
	read_width(counter->pattern + counter->first, &suffix);
	counter->end = counter->n - strlen(suffix);
}

void name_counter_start(struct name_counter *counter, const char *pattern)
{
	memset(counter, 0, sizeof(*counter));
	counter->pattern = pattern;
	start_at(counter, 0);
}

void name_counter_next(struct name_counter *counter)
{
	for (size_t i = counter->end; i-- > counter->first;) {
		if (counter->text[i] < '9') {
			counter->text[i]++;
			counter->number++;
			return;
		}
		counter->text[i] = '0';
	}
	start_at(counter, counter->number + 1); /* one digit more */
}
