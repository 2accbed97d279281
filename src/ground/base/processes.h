/* processes.h - the processes that an MPI launcher started, and what they say to each other */
#ifndef BASE_PROCESSES_H
#define BASE_PROCESSES_H

#include <stddef.h>

#include "base/err.h"

/*
 * A program that is started by mpirun or srun as one of several joins the others; MPI is
 * initialised only there, by the plug-in "mpi". All calls but processes_number and processes_count
 * are collective: every process makes the same ones in the same order, one thread at a time.
 */
struct processes; /* NULL: there is one process */

/* *processes is NULL without a launcher, or where it started one process. */
int processes_join(struct processes **processes, struct err *err);
int processes_number(const struct processes *processes); /* 0 is the one that writes */
int processes_count(const struct processes *processes);
void processes_leave(struct processes *processes); /* ends MPI; NULL is allowed */

/*
 * All come here, each with whether it fared well so far; err says what went wrong where it did not.
 * Returns 0 if all did. Else −1: the lowest that did not keeps its err, that of the others becomes
 * ERR_ELSEWHERE. Without other processes it is what went in.
 */
int processes_agree(struct processes *processes, int status, struct err *err);

/* Each process reads its input by itself: "-" can't be one. */
int processes_refuse_stdin(struct err *err);

/* Everybody's size bytes, those of process 0 first: all [processes_count · size]. */
void processes_gather(struct processes *processes, const void *mine, size_t size, void *all);
/* The same where sizes differ: sizes [processes_count] are filled in. To be freed. At most 2 GiB in
 * all: more ends the program. */
void *processes_gather_any(struct processes *processes, const void *mine, size_t size,
			   size_t *sizes);
/*
 * out: what process 0 gets from here, then process 1, …; out_sizes [processes_count] bytes each.
 * Returns what they have for this one in the same order, in_sizes [processes_count] bytes each; it
 * is valid until the next exchange. At most 2 GiB.
 */
void *processes_exchange(struct processes *processes, const void *out, const size_t *out_sizes,
			 const size_t *in_sizes);

/*
 * What src/plugins/mpi.c offers as PROCESSES_SYMBOL. It knows nothing of this program but this
 * file, so that no tool needs libmpi to start, and one build works with any MPI. Sizes are bytes.
 */
#define PROCESSES_SYMBOL "placetools_processes"
struct processes_plugin {
	const char *version; /* of the placetools that it was built with */
	/* Starts MPI; NULL, or what is wrong. */
	const char *(*join)(int *count, int *number);
	void (*leave)(void);
	void (*gather)(const void *mine, int size, void *all);
	void (*gather_any)(const void *mine, int size, void *all, const int *sizes,
			   const int *firsts);
	void (*exchange)(const void *out, const int *out_sizes, const int *out_firsts, void *in,
			 const int *in_sizes, const int *in_firsts);
	void (*abort)(const char *why); /* all processes */
};

#endif
