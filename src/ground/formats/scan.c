/* scan.c - a place in a line that moves over what it recognises */
#include "formats/scan.h"

#include <string.h>

void scan_blanks(const char **at)
{
	while (**at == ' ' || **at == '\t')
		++*at;
}

bool scan_char(const char **at, char c)
{
	if (**at != c || c == '\0')
		return false;
	++*at;
	return true;
}

bool scan_text(const char **at, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(*at, text, n) != 0)
		return false;
	*at += n;
	return true;
}

bool scan_int(const char **at, int min, int max, int *value)
{
	const char *p = *at;
	int64_t v = 0;

	for (; *p >= '0' && *p <= '9'; p++)
		if ((v = v * 10 + (*p - '0')) > INT32_MAX)
			return false;
	if (p == *at || v < min || v > max)
		return false;
	*value = (int)v;
	*at = p;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool scan_hex(const char **at, uint64_t *value)
{
	const char *p = *at, *first;
	uint64_t v = 0;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && hex_digit(p[2]) >= 0)
		p += 2;
	for (first = p; hex_digit(*p) >= 0; p++) {
		if (v >> 60 != 0)
			return false;
		v = v << 4 | (uint64_t)hex_digit(*p);
	}
	if (p == first)
		return false;
	*value = v;
	*at = p;
	return true;
}

bool scan_word(const char **at, const char **word, size_t *n)
{
	*n = strcspn(*at, " \t");
	if (*n == 0)
		return false;
	*word = *at;
	*at += *n;
	return true;
}

bool scan_quoted(const char **at, char quote, bool last, const char **word, size_t *n)
{
	const char *end;

	if (quote == '\0' || **at != quote)
		return false;
	end = last ? strrchr(*at + 1, quote) : strchr(*at + 1, quote);
	if (end == NULL)
		return false;
	*word = *at + 1;
	*n = (size_t)(end - *word);
	*at = end + 1;
	return true;
}
