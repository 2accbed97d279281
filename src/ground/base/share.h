/* share.h - the data files that come with the tools */
#ifndef BASE_SHARE_H
#define BASE_SHARE_H

#include <stddef.h>

/*
 * The path of a file such as "machines/cori.yaml", to be freed; NULL when it is nowhere. Looked
 * for in $PLACETOOLS_SHARE (alone, when it is set), then beside the program, as it is installed
 * (../share/placetools) or built (../share), then where the build installs it.
 */
char *share_find(const char *relative);

/* The folder of the program that runs, or with up 1 the one above it. Returns -1: not known. */
int share_program_folder(char *path, size_t size, int up);

#endif
