/* err.c - how the library says what went wrong */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, const char *fmt, ...)
{
	va_list ap;

	err->kind = ERR_TEXT;
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char rest[sizeof(err->msg)];
	va_list ap;
	int n;

	if (err->kind != ERR_TEXT && err->kind != ERR_ASKS)
		return -1;
	memcpy(rest, err->msg, sizeof(rest));
	va_start(ap, fmt);
	n = vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(err->msg))
		snprintf(err->msg + n, sizeof(err->msg) - (size_t)n, "%s", rest);
	return -1;
}

static int set_kind(struct err *err, enum err_kind kind)
{
	err->kind = kind;
	err->msg[0] = '\0';
	return -1;
}

int err_reader_gone(struct err *err)
{
	return set_kind(err, ERR_READER_GONE);
}

int err_elsewhere(struct err *err)
{
	return set_kind(err, ERR_ELSEWHERE);
}
