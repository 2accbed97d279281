/* threads.h - work that several threads share */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

typedef void threads_work(void *context, int number);

/* Does the work for numbers 0 … n - 1 at a time, 0 in the calling thread. Where no more threads can
 * be had the caller does theirs when it is through with its own. */
void threads_run(int n, threads_work *work, void *context);

#endif
