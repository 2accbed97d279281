/* sleeping.h - devices that sleep as long as slices, copies and opening take by a profile */
#ifndef LIVE_RUNTIME_SLEEPING_H
#define LIVE_RUNTIME_SLEEPING_H

#include <stdint.h>

#include "live/runtime/runtime.h"

/* Times are those of one device, in nanoseconds of the host's clock. */
struct sleeping_device {
	int64_t init_ns; /* before the first opening of the job; the runtime sets it to 0 */
	int64_t open_ns, close_ns, copy_in_ns, copy_out_ns;
	/* One slice, by the set that works. */
	int64_t (*slice_ns)(void *context, int device);
	void *context;
	int number;
};
extern const struct runtime sleeping_runtime;

#endif
