/* run_context.h - what the common options of a run say, for all that works for it */
#ifndef BASE_RUN_CONTEXT_H
#define BASE_RUN_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct run_context {
	const char *output;   /* -o: a file's name; NULL: standard output */
	const char *topology; /* -t; NULL: not given */
	const char *command;  /* as ##command= records it; NULL under --no-provenance */
	int64_t seed;         /* never negative */
	int64_t nthreads;     /* 1 … 1024 */
	bool accepts_partial; /* truncated inputs are taken as whole */
	bool is_strict;       /* what cannot be read ends the run, instead of being left out */
	bool shows_progress;
};

#endif
