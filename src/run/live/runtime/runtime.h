/* runtime.h - what does slices on a device: five functions */
#ifndef LIVE_RUNTIME_RUNTIME_H
#define LIVE_RUNTIME_RUNTIME_H

/*
 * A runtime makes a device do slices of a work (Khetawat, §4.3.2: "multiple programming
 * paradigms"). A worker is one work on one device, from opening to closing; one thread at a time
 * uses it. Times are nanoseconds of CLOCK_MONOTONIC.
 */

#include <stdint.h>

#include "base/err.h"
#include "live/kernel/work.h"
#include "live/slice/slice.h"

struct worker;

struct runtime {
	/* device: what the runtime calls a device. Memory for all buffers; *worker needs close. */
	int (*open)(void *device, const struct work *work, struct worker **worker, struct err *err);
	/* All buffers as the host has them now; those that are added up begin at 0. */
	int (*copy_in)(struct worker *worker, struct err *err);
	/* Does the slice, and says when. */
	int (*run)(struct worker *worker, int64_t number, int64_t *start_ns, int64_t *end_ns,
		   struct err *err);
	/* What it wrote is in copy [argument] from then on. */
	int (*copy_out)(struct worker *worker, struct err *err);
	void (*close)(struct worker *worker); /* NULL is allowed */
};

/* The part of a worker that all runtimes have. */
struct worker {
	const struct runtime *runtime;
	const struct work *work;
	unsigned char *copy[WORK_ARGS];   /* [bytes] of buffers that are written */
	unsigned char *before[WORK_ARGS]; /* [bytes] what they held when they were copied in */
	unsigned char *done;              /* [slices] 1: it did the slice since then */
	bool is_trial;                    /* what it does is forgotten by the next copy_in */
};

/* One device of a node, as those who deal slices see it. */
struct live_device {
	const char *name;
	const struct runtime *runtime;
	void *device;
};

/* For runtimes: the copies of a worker that begins; and what copy_in must note of the host's. */
void worker_init(struct worker *worker, const struct runtime *runtime, const struct work *work);
void worker_begin(struct worker *worker);
void worker_free(struct worker *worker);
/* Merges what it wrote into the host's buffers: one worker after the other. */
void worker_gather(struct worker *worker);

int64_t live_now_ns(void);

/* Calls a function of the program in the place of a device, for kernels written otherwise (OpenMP,
 * say). It reads and writes the worker's copies. */
struct host_device {
	/* copies [nargs]: a buffer, or the bytes of a value */
	void (*function)(void *context, void *const *copies, struct slice slice);
	void *context;
};
extern const struct runtime host_runtime;

#endif
