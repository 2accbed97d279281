/* opencl_priv.h - what the files of the OpenCL runtime share */
#ifndef LIVE_RUNTIME_OPENCL_PRIV_H
#define LIVE_RUNTIME_OPENCL_PRIV_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/mem.h"
#include "live/runtime/opencl.h"
#include "live/slice/prelude.h"

/* A program as a device has built it. */
struct opencl_program {
	char *text, *options;
	cl_program program;
};

struct opencl_device {
	const struct opencl_node *node;
	char *name, *text; /* of the file; "PLATFORM, DEVICE" */
	double slow;
	cl_device_id root, id; /* id: a part of root, or root */
	cl_context context;    /* NULL: not opened yet */
	cl_command_queue queue;
	VEC(struct opencl_program) programs;
	int64_t clock_ns; /* CLOCK_MONOTONIC − the device's clock */
	bool knows_clock;
	/* The work that makes it slow. */
	cl_program spin_program;
	cl_kernel spin;
	cl_mem spin_buffer;
	double spins_per_ns;
};

struct opencl_node {
	struct opencl_options options;
	int n;
	struct opencl_device at[DEVICES_MAX];
	/* What was cut, to be given back. */
	VEC(cl_device_id) parts;
	struct opencl_variants *variants;
};

/* "NAME: what: CL_OUT_OF_RESOURCES" */
int opencl_error(const struct opencl_device *device, struct err *err, const char *what,
		 cl_int code);

/* Its context and queue, once. */
int opencl_device_open(struct opencl_device *device, struct err *err);
/* The work's program, built before or now; what it holds stays the device's. */
int opencl_build(struct opencl_device *device, const struct work *work, bool is_whole,
		 struct opencl_program *program, struct err *err);
/* Keeps the device busy for so long; *end_ns: on its clock. */
int opencl_spin(struct opencl_device *device, int64_t ns, int64_t *end_ns, struct err *err);

/* ---- opencl_clock.c: events that have ended ---- */
/* Of the launch, on the device's clock [ns]. */
int opencl_times(const struct opencl_device *device, cl_event event, cl_ulong *start, cl_ulong *end,
		 struct err *err);
/* By the device's first event: what its clock, which need not be the host's, differs by.
 * before_ns: the host's time just before that was queued. */
int opencl_clock_set(struct opencl_device *device, cl_event event, int64_t before_ns,
		     struct err *err);

/* ---- opencl_variant.c: what the runtime compiles of a kernel, for all devices of a node ---- */
struct opencl_variants *opencl_variants_new(void);
void opencl_variants_free(struct opencl_variants *all);
/* Of the work's kernel, at its local size; lives as long as all. */
struct opencl_variant *opencl_variants_find(struct opencl_variants *all,
					    const struct opencl_program *program,
					    const struct work *work);
/* Waits until the launch may go out. true: alone, for a variant that is new. */
bool opencl_variant_begin(struct opencl_variants *all, struct opencl_variant *variant,
			  const struct prelude_launch *launch);
/* It has ended. made: what begin said. */
void opencl_variant_end(struct opencl_variants *all, struct opencl_variant *variant,
			const struct prelude_launch *launch, bool made);

#endif
