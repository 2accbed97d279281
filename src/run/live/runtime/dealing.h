/* dealing.h - the slices of a work dealt to devices, which may change meanwhile */
#ifndef LIVE_RUNTIME_DEALING_H
#define LIVE_RUNTIME_DEALING_H

/*
 * Khetawat, dissertation, §§4.3.2, 4.3.3: a thread for each device opens it, copies the input in
 * and takes slices from a bag; after each slice the job asks whether its set of devices has
 * changed. If so no slice starts any more, running ones end, outputs are copied out and merged, the
 * devices are closed, and the work goes on with the new set. Each slice is done once.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "live/kernel/work.h"
#include "live/runtime/runtime.h"

enum { DEALING_DEVICES = 16 };

enum dealing_span { DEALING_OPEN, DEALING_COPY, DEALING_RUN, DEALING_DRAIN, DEALING_HELD };
const char *dealing_span_name(enum dealing_span span);

/* What a dealing took, in the host's nanoseconds. */
struct dealing_costs {
	int64_t nswitches;
	int64_t open_ns, copy_in_ns, run_ns, drain_ns, copy_out_ns, close_ns, release_ns;
	int64_t nslices[DEALING_DEVICES]; /* by device */
	/* With warms_up: copying to all devices at once; back from all, and merging, at the end. */
	int64_t all_in_ns, all_out_ns;
};

struct dealing {
	struct work *work;
	const struct live_device *devices; /* [ndevices] */
	int ndevices;
	uint32_t set;         /* the devices at the beginning */
	const int64_t *order; /* [slices] in which they are dealt; NULL: as they are numbered */
	bool keeps_open;      /* devices that stay in the set aren't closed between */
	/* Devices do two slices before the bag is shared, so that compilers have finished, and then
	 * begin together. */
	bool warms_up;
	/* With warms_up: slices and copies in processor time of the process, over the devices of
	 * the set. What busy devices that are processors take, whatever else the machine does. */
	bool counts_cpu;
	void *context;
	/*
	 * Any of these may be NULL. poll: after each slice, from any thread, one at a time; left:
	 * slices that no device has taken. Returns the set to work on. release: all but those that
	 * are kept are closed; waits for what follows: *set. Never empty.
	 */
	uint32_t (*poll)(void *context, int64_t left);
	int (*release)(void *context, uint32_t closed, uint32_t *set, struct err *err);
	/* A switch is through, but for the new devices, which open next: what all took so far. */
	void (*switched)(void *context, const struct dealing_costs *costs);
	/* From one thread at a time, not in the order of times. */
	void (*slice)(void *context, int device, int64_t number, int64_t start_ns, int64_t end_ns);
	void (*span)(void *context, int device, enum dealing_span span, int64_t start_ns,
		     int64_t end_ns);
};

/* Does all slices; outputs are in work's buffers then. */
int dealing_run(const struct dealing *dealing, struct dealing_costs *costs, struct err *err);

#endif
