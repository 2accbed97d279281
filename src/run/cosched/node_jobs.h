/* node_jobs.h - a jobs stream shares the devices of a node, or of many */
#ifndef COSCHED_NODE_JOBS_H
#define COSCHED_NODE_JOBS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/run_context.h"
#include "cosched/side_rows.h"

struct cosched_options {
	const char *devices;    /* a file or @name */
	char *const *kernels;   /* kernels streams, ends in NULL */
	const char *policy;     /* a pick of node_policies */
	bool release_changed;   /* devices that a job keeps stay open */
	struct side_paths side; /* tables beside the jobs */
};

struct cosched_result {
	int64_t njobs, nunable; /* those that ran, and those that no device can run */
	int64_t nruns;
	bool is_whole; /* no input was truncated */
};

/*
 * Reads jobs (paths ends in NULL; none: standard input) with app, size and submit_s, run by run,
 * and writes the stream with start_s, end_s, policy, devices and switches to context->output.
 * Nodes of nodelists are simulated apart. Returns 0 or -1.
 */
int cosched_stream(const struct run_context *context, const struct cosched_options *options,
		   char *const *paths, struct cosched_result *result, struct err *err);

#endif
