/* live_jobs.h - a jobs stream as processes that share a node whose devices sleep */
#ifndef LIVE_LIVE_JOBS_H
#define LIVE_LIVE_JOBS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/run_context.h"

struct live_jobs {
	const char *devices;        /* a file or @name */
	const char *const *kernels; /* [nkernels] kernels streams */
	int nkernels;
	const char *policy; /* a pick of node_policies */
	bool release_changed;
	double scale; /* seconds here for a second of the model */
};

/*
 * Each job of the stream (paths ends in NULL) is a process that calls the library of four calls and
 * sleeps instead of working. Writes the jobs with start_s, end_s, policy, devices, switches, in the
 * model's seconds.
 */
int live_jobs(const struct run_context *context, const struct live_jobs *how, char *const *paths,
	      struct err *err);

#endif
