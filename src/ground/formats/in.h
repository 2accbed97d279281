/* in.h - input as lines or blocks: plain or gzip by content, a file or standard input */
#ifndef FORMATS_IN_H
#define FORMATS_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"

struct in;

/* path "-" is standard input, which may be opened once. The message names the file. */
int in_open(struct in **in, const char *path, struct err *err);
/* The paths (ended by NULL), or standard input's where there are none. */
char *const *in_paths(char *const *paths);
void in_close(struct in *in); /* NULL is allowed */

/*
 * The next line without its newline (and without a carriage return before it), ended by NUL; valid
 * until the next call and the caller's to change. 1: a line; 0: end; -1: error. A line of more
 * than 256 MiB and a NUL byte are refused. *n may be NULL.
 */
int in_line(struct in *in, char **line, size_t *n, struct err *err);

/* Raw bytes after decompression, for readers that cut lines themselves. 0: end; -1: error. */
ssize_t in_block(struct in *in, char *block, size_t size, struct err *err);

/* The whole rest, ended by NUL; to be freed. Refuses more than limit bytes. */
int in_all(struct in *in, char **text, size_t *n, size_t limit, struct err *err);

/*
 * The first bytes of a file after decompression (fewer only where it is shorter), ended by NUL,
 * without taking them away: the next in_open begins with them again, on standard input and a
 * named pipe too.
 * head [size + 1]
 */
int in_head(const char *path, char *head, size_t size, size_t *n, struct err *err);

/*
 * Makes sure that a path can be opened twice: what can't be (standard input, a pipe) is copied to a
 * temporary file, which the next in_open of the path reads. in_again closes such an input so that
 * it can be opened once more.
 */
int in_hold(const char *path, struct err *err);
int in_again(struct in *in, struct err *err);

const char *in_name(const struct in *in); /* the path, or "standard input" */
long in_lineno(const struct in *in);      /* of the line that in_line gave last; 1 is the first */
bool in_had_newline(const struct in *in); /* the last line ended in one: it was not cut */

/* "FILE:LINE: …", or "FILE: …" where no line was read; returns -1. */
int in_error(const struct in *in, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
