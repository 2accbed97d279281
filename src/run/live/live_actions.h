/* live_actions.h - the words of clslice's command line, and what each does */
#ifndef LIVE_LIVE_ACTIONS_H
#define LIVE_LIVE_ACTIONS_H

#include "live/live_jobs.h"
#include "live/live_node_state.h"
#include "live/live_program.h"
#include "live/live_run.h"
#include "live/live_switch.h"

/* What the options say; each action reads its part. */
struct live_request {
	struct live_options how;
	struct live_reset reset;
	struct live_program program;
	struct live_jobs jobs;
};

/* operands: a word and what follows it, or a kernel alone; ends in NULL. Returns the status of the
 * tool, or -1. */
int live_act(const struct run_context *context, struct live_request *request, char **operands,
	     struct err *err);

#endif
