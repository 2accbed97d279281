/* live_switch.h - what it takes to go from one set of devices to another, part by part */
#ifndef LIVE_LIVE_SWITCH_H
#define LIVE_LIVE_SWITCH_H

#include <stdbool.h>

#include "base/err.h"
#include "base/run_context.h"
#include "live/live_run.h"

/* A table of medians, in µs, for each pair of sets, to context->output. keeps_open: devices that
 * stay in the set aren't closed. Sets XDG_RUNTIME_DIR. */
int live_switch(const struct run_context *context, const struct live_options *options,
		bool keeps_open, struct err *err);

#endif
