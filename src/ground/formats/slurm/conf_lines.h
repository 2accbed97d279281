/* conf_lines.h - lines of Slurm's configuration files: Key=value pairs, comments, joined lines */
#ifndef FORMATS_SLURM_CONF_LINES_H
#define FORMATS_SLURM_CONF_LINES_H

#include <stdbool.h>

#include "base/str.h"
#include "formats/in.h"

/* The next whole line, without its comment, those that end in a backslash joined with the next;
 * *lineno: of its first part. 1; 0
 * at the end; -1. */
int conf_line(struct in *in, struct buf *whole, long *lineno, struct err *err);

/* The next Key=value of a line, its blanks and quotes taken off; both end in NUL. value NULL: there
 * is no =. false: the line's end. */
bool conf_pair(char **at, char **key, char **value);

#endif
