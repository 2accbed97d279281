/* live_own_state.h - a state for one process and its children, gone when they are */
#ifndef LIVE_LIVE_OWN_STATE_H
#define LIVE_LIVE_OWN_STATE_H

#include <sys/types.h>

#include "live/live_node_state.h"

struct live_own_state {
	char folder[64];
	int alive; /* closed when nobody uses the folder any more */
};

/* Not the node's: in a folder of its own, which goes also if the process is killed, with the last
 * of its children. */
int live_own_state_begin(struct live_own_state *own, const struct live_reset *how, struct err *err);
void live_own_state_end(struct live_own_state *own);
/* In a child: it does not outlive its parent. -1: that is dead already. */
int live_own_state_child(pid_t parent);

#endif
