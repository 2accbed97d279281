/* die.h - the last words of a tool, and its warnings */
#ifndef BASE_DIE_H
#define BASE_DIE_H

#include <stdbool.h>

enum { EXIT_YES = 0, EXIT_NO = 1, EXIT_TROUBLE = 2 };

/*
 * "TOOL: text" on standard error, then exit(2). For cli_run and memory only; everything else
 * returns -1. What was written so far stays without its end, and a file that was to be replaced is
 * left as it was.
 */
_Noreturn void die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* "TOOL: text" on standard error; silent under --quiet. */
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * What was asked for and changed nothing is reported once, at the end: "TOOL: WHAT changed nothing:
 * why". WHAT is an option, a policy or a column.
 */
void warn_no_effect(const char *what, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "TOOL: text" on standard error, only under -v. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

void die_set_name(const char *tool); /* kept, not copied */
bool die_set_quiet(bool quiet);      /* returns what it was */
void die_set_verbose(bool verbose);
bool die_is_verbose(void);

#endif
