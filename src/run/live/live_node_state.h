/* live_node_state.h - the state of this node: created again, and shown */
#ifndef LIVE_LIVE_NODE_STATE_H
#define LIVE_LIVE_NODE_STATE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/run_context.h"
#include "base/str.h"
#include "model/devices.h"

struct live_reset {
	const char *devices; /* a file or @name */
	const char *policy;  /* a pick of node_policies */
	bool release_changed;
	bool is_forced; /* even if jobs live */
};

/* 0: the state of this node has these devices. */
int live_state_has(const struct devices *devices, struct err *err);
/* Jobs, their processes and devices, as text to context->output. */
int live_ps(const struct run_context *context, struct err *err);
/* What happened, as text: arrivals, takes, releases, completions, and what was decided. */
int live_log(const struct run_context *context, struct err *err);
/* A state without jobs. -1: also when jobs live, unless it is forced. */
int live_reset(const struct live_reset *how, struct err *err);

/* To context->output. */
int live_write_text(const struct run_context *context, struct buf *text, struct err *err);

#endif
