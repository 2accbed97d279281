/* process.h - processes, known by number and start, so that a number used again is another one */
#ifndef LIVE_NODE_PROCESS_H
#define LIVE_NODE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

struct live_process {
	int64_t pid;
	uint64_t started; /* clock ticks since boot */
};

struct live_process process_self(void);
/* It has not ended; one that waits for its parent to notice has. */
bool process_is_alive(struct live_process process);
/* Stopped by a signal or a debugger. */
bool process_is_stopped(struct live_process process);

#endif
