/* file.h - where a path leads: a folder that is held open, and a name in it */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>

#include "base/err.h"

struct file_place {
	int folder; /* a descriptor (O_PATH) */
	char *name;
};

/*
 * The place where writing to the path puts a file: behind symbolic links, also where nothing is
 * there yet. A link in a folder that anybody may write to (sticky) is followed only if it belongs
 * to the user or to the folder's owner, as Linux has it under protected_symlinks.
 */
int file_place_find(struct file_place *place, const char *path, struct err *err);
void file_place_close(struct file_place *place);

/* Whether two paths lead to one place; what leads nowhere is like nothing. */
bool file_paths_same(const char *a, const char *b);

#endif
