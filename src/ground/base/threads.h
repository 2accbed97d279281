/* threads.h - work that several threads share */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

#include <stddef.h>

typedef void threads_work(void *context, int number);

/* Does the work for numbers 0 … n - 1 at a time, 0 in the calling thread. Where no more threads can
 * be had the caller does theirs when it is through with its own. */
void threads_run(int n, threads_work *work, void *context);

typedef void threads_item(void *context, int number, size_t item);

/* Does the work for items 0 … nitems - 1, each once, with n such threads: whichever is free takes
 * the next item. */
void threads_share(int n, size_t nitems, threads_item *work, void *context);

#endif
