/* running.h - the jobs that run, by the time their end is planned for */
#ifndef PLACE_RUN_RUNNING_H
#define PLACE_RUN_RUNNING_H

#include <stdint.h>

#include "base/mem.h"

struct running_job {
	int64_t end_ns; /* planned; INT64_MAX: unknown */
	int job;
	int nnodes; /* that its end gives back */
};

/* Sorted by (end, job). Zeroed is empty. */
struct running {
	VEC(struct running_job) of;
};

void running_add(struct running *running, int64_t end_ns, int job, int nnodes);
void running_remove(struct running *running, int64_t end_ns, int job);

#endif
