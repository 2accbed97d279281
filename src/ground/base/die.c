/* die.c - the last words of a tool, and its warnings */
#include "base/die.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/letter.h"

static const char *tool_name = "placetools";
static bool is_quiet, is_verbose;

void die_set_name(const char *tool)
{
	tool_name = tool;
}

bool die_set_quiet(bool quiet)
{
	bool was = is_quiet;

	is_quiet = quiet;
	return was;
}

void die_set_verbose(bool verbose)
{
	is_verbose = verbose;
}

bool die_is_verbose(void)
{
	return is_verbose;
}

static void print_line(const char *fmt, va_list ap)
{
	char text[4096], shown[3 * sizeof(text) + LETTER_MOST]; /* memory may be what is missing */
	int used = 0, n;

	vsnprintf(text, sizeof(text), fmt, ap);
	/* a name from outside breaks neither line nor terminal */
	for (const char *at = text; *at != '\0'; at += n)
		used += letter_show(letter_read(at, LETTER_MOST - 1, &n), shown + used);
	shown[used] = '\0';
	/* one call: lines of several tools stay whole */
	fprintf(stderr, "%s: %s\n", tool_name, shown);
}

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_line(fmt, ap);
	va_end(ap);
	exit(EXIT_TROUBLE);
}

void warn(const char *fmt, ...)
{
	va_list ap;

	if (is_quiet)
		return;
	va_start(ap, fmt);
	print_line(fmt, ap);
	va_end(ap);
}

void warn_no_effect(const char *what, const char *fmt, ...)
{
	char why[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	warn("%s changed nothing: %s", what, why);
}

void say(const char *fmt, ...)
{
	va_list ap;

	if (!is_verbose)
		return;
	va_start(ap, fmt);
	print_line(fmt, ap);
	va_end(ap);
}
