/* ends.h - the jobs that run, the one that ends first before the others */
#ifndef PLACE_RUN_ENDS_H
#define PLACE_RUN_ENDS_H

#include <stdint.h>

#include "base/mem.h"

struct job_end {
	int64_t time_ns;
	int job;
};

/* A binary heap by (time, job). Zeroed is empty. */
struct ends {
	VEC(struct job_end) heap;
};

void ends_add(struct ends *ends, int64_t time_ns, int job);
/* The job that ends first, taken out, if that is at or before a time; else -1. */
int ends_next(struct ends *ends, int64_t until_ns);
/* When the next job ends; INT64_MAX: there is none. */
int64_t ends_first(const struct ends *ends);

#endif
