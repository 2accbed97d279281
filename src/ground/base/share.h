/* share.h - the data files that come with the tools */
#ifndef BASE_SHARE_H
#define BASE_SHARE_H

#include <stddef.h>

#include "base/err.h"
#include "base/name_hint.h"

/*
 * The path of a file such as "machines/cori.yaml", to be freed; NULL when it is nowhere. Looked
 * for in $PLACETOOLS_SHARE (alone, when it is set), then beside the program, as it is installed
 * (../share/placetools) or built (../share), then where the build installs it.
 */
char *share_find(const char *relative);

/* The path of FOLDER/NAME.yaml, to be freed; ref is "@NAME". NULL: there is none, and the message
 * names one that is like it. */
char *share_named(const char *folder, const char *ref, struct err *err);
/* Tries "@NAME" of each file in the folder. */
void share_near(struct near_name *near, const char *folder);

/* The folder of the program that runs, or with up 1 the one above it. Returns -1: not known. */
int share_program_folder(char *path, size_t size, int up);

#endif
