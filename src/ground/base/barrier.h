/* barrier.h - threads that wait for each other, again and again */
#ifndef BASE_BARRIER_H
#define BASE_BARRIER_H

/*
 * A few hundred looks, then sleep: a wait is mostly shorter than falling asleep takes, and on a
 * machine with more threads than cores looking on would hold up the one that is waited for.
 */
struct barrier;

struct barrier *barrier_open(int nthreads);
/* From now on for fewer threads, of which the calling one is not here yet. */
void barrier_shrink(struct barrier *barrier, int nthreads);
void barrier_close(struct barrier *barrier); /* NULL is allowed */

/* Returns when all threads are here. The last one calls alone (NULL: nothing) before any
 * goes on. */
void barrier_wait(struct barrier *barrier, void (*alone)(void *context), void *context);

#endif
