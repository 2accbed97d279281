/* named.h - files that a stream names: its author may be somebody else than who reads it */
#ifndef FORMATS_NAMED_H
#define FORMATS_NAMED_H

#include <stdbool.h>

#include "base/err.h"

/* The path of a file that is named in a stream that is in folder ("": the current one). */
char *named_path(const char *name, const char *folder);

/* Refuses what is no regular file, such as a FIFO (which may never answer) or a device, or is empty
 * (as files of /proc are); path is in the message. */
int named_is_regular(const char *path, struct err *err);

/* Whether the file is below folder or one of allowed [nallowed], behind all symbolic links. */
bool named_is_below(const char *path, const char *folder, const char *const *allowed, int nallowed);

#endif
