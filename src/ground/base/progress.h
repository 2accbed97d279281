/* progress.h - work that takes long: asked how far it is, and asked to stop */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>

/* From now on SIGUSR1 asks for a line of progress. */
void progress_watch(void);
/*
 * Work begins, or ends: meanwhile the first SIGINT or SIGTERM asks it to stop at the next occasion
 * (a second one ends the program at once); otherwise they do what they did before.
 */
void progress_begin(void);
void progress_end(void);
bool progress_must_stop(void);
bool progress_must_tell(void); /* true once for each time it was asked */

#endif
