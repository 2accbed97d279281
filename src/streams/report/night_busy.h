/* night_busy.h - when which nodes were busy */
#ifndef REPORT_NIGHT_BUSY_H
#define REPORT_NIGHT_BUSY_H

#include "report/night.h"

/*
 * Calls each for the times in which nodes were busy with jobs of the first policy, within the
 * window: from_ns … to_ns. Where the machine and node lists are known a node that several jobs
 * share counts once, and node is its number; else it is -1, and nnodes nodes were the job's.
 */
typedef void night_busy_fn(void *context, int node, int nnodes, int64_t from_ns, int64_t to_ns);
void night_busy(const struct night *night, night_busy_fn *each, void *context);

#endif
