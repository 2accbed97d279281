/* live_run.h - described kernels on real devices: plans, runs, checks, profiles */
#ifndef LIVE_LIVE_RUN_H
#define LIVE_LIVE_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/run_context.h"
#include "live/kernel/work.h"
#include "live/runtime/opencl.h"

struct live_options {
	const char *devices; /* a file or @name; NULL: the first OpenCL device */
	const char *use;     /* some of them, as a+b; NULL: all */
	const char *kernel;  /* kernel.yaml */
	struct work_options work;
	struct opencl_options opencl;
	const char *deal;        /* forward, backward, shuffled */
	const char *const *save; /* [nsave] ARGUMENT=FILE */
	int nsave;
	bool verifies;        /* also runs it whole, and compares */
	bool counts_cpu;      /* a profile in processor time */
	const char *timeline; /* a file; NULL: none */
};

/* Each slice that there would be, to context->output; needs no device. */
int live_plan(const struct run_context *context, const struct live_options *options,
	      struct err *err);
/* Does it; slices go to context->output. Returns 1 when it was verified and differs. */
int live_run(const struct run_context *context, const struct live_options *options,
	     struct err *err);
/* Each slice alone, from the same contents, with two fills of what is written. Returns 1 and a
 * message: a byte that two slices write, or another result than the whole's. */
int live_check(const struct live_options *options, struct err *err);
/* Does it on every set of the devices; slices to context->output, one run for each set, with what
 * copying took in the run's first row. */
int live_profile(const struct run_context *context, const struct live_options *options,
		 struct err *err);

/* ---- for those above ---- */

struct live_node {
	struct devices devices;
	struct opencl_node *opencl;
	struct live_device at[DEVICES_MAX];
	uint32_t use;
};

int live_node_open(struct live_node *node, const struct live_options *options, struct err *err);
void live_node_close(struct live_node *node);
/* The order of dealing, to be freed; NULL: forward. */
int64_t *live_order(const char *deal, int64_t n, int64_t seed);
/* The whole kernel, as it is, on one device: a work like the other's, to be freed. */
int live_whole(struct live_node *node, const struct live_options *options, int device,
	       struct work *whole, struct err *err);
/* 0: the outputs are the same. 1: err says where they are not. */
int live_compare(const struct work *work, const struct work *whole, struct err *err);

#endif
