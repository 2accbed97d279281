/* sharing.h - what sets of devices are worth to one kernel, by its number of slices */
#ifndef COSCHED_SHARING_H
#define COSCHED_SHARING_H

#include "base/err.h"
#include "base/run_context.h"

struct sharing_options {
	const char *devices;     /* a file or @name */
	char *const *kernels;    /* kernels streams, ends in NULL */
	const char *kernel;      /* APP:SIZE */
	const char *const *sets; /* [nsets] "gpu+fpga"; none: all that can run it */
	int nsets;
	const char *counts; /* "16,64" or "16:1024:x4"; NULL: the kernel's own slices */
};

/*
 * Writes a table of the kind sharing: for each number of slices and each set T (set_time.h), the
 * best single device's T over it, T if work were divisible, and what the last slices cost
 * (Khetawat, §4.5.1). Returns 0 or -1.
 */
int sharing_write(const struct run_context *context, const struct sharing_options *options,
		  struct err *err);

#endif
