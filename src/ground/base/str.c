/* str.c - small work on text */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/mem.h"

bool str_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix)
{
	size_t n = strlen(text), m = strlen(suffix);

	return n >= m && strcmp(text + n - m, suffix) == 0;
}

bool str_ending(const char *path, char *ending, size_t size)
{
	const char *folder = path != NULL ? strrchr(path, '/') : NULL;
	const char *name = folder != NULL ? folder + 1 : path, *dot;
	size_t n;

	if (name == NULL)
		return false;
	n = strlen(name) - (str_ends(name, ".gz") ? 3 : 0);
	dot = memrchr(name, '.', n);
	if (dot == NULL || n - (size_t)(dot - name) > size)
		return false;
	n -= (size_t)(dot + 1 - name);
	memcpy(ending, dot + 1, n);
	ending[n] = '\0';
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

char *str_trim(char *text)
{
	size_t n;

	while (is_blank(*text))
		text++;
	n = strlen(text);
	while (n > 0 && is_blank(text[n - 1]))
		text[--n] = '\0';
	return text;
}

int str_split(char *text, char sep, char **parts, int max)
{
	int n = 0;

	parts[n++] = text;
	while (n < max && (text = strchr(text, sep)) != NULL) {
		*text++ = '\0';
		parts[n++] = text;
	}
	return n;
}

uint64_t str_hash(const char *text, size_t n)
{
	uint64_t h = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3ULL;
	return u64_mix(h);
}

static void reserve(struct buf *buf, size_t more)
{
	if (buf->cap - buf->n <= more)
		buf->text = vec_grow(buf->text, &buf->cap, buf->n + more + 1, 1);
}

void buf_add(struct buf *buf, const char *text, size_t n)
{
	reserve(buf, n);
	memcpy(buf->text + buf->n, text, n);
	buf->n += n;
	buf->text[buf->n] = '\0';
}

void buf_str(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void buf_char(struct buf *buf, char c)
{
	buf_add(buf, &c, 1);
}

void buf_printf(struct buf *buf, const char *fmt, ...)
{
	va_list ap;
	int n;

	/* it nearly always fits; otherwise the first try returns the size needed */
	reserve(buf, 32);
	va_start(ap, fmt);
	n = vsnprintf(buf->text + buf->n, buf->cap - buf->n, fmt, ap);
	va_end(ap);
	if (n < 0)
		die("out of memory");
	if ((size_t)n >= buf->cap - buf->n) {
		reserve(buf, (size_t)n);
		va_start(ap, fmt);
		vsnprintf(buf->text + buf->n, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	buf->n += (size_t)n;
}

const char *buf_text(struct buf *buf)
{
	return buf->text != NULL ? buf->text : "";
}

void buf_clear(struct buf *buf)
{
	buf->n = 0;
	if (buf->text != NULL)
		buf->text[0] = '\0';
}

void buf_free(struct buf *buf)
{
	free(buf->text);
	*buf = (struct buf){0};
}
