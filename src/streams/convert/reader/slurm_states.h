/* slurm_states.h - the states of jobs and nodes as Slurm's commands print them */
#ifndef CONVERT_READER_SLURM_STATES_H
#define CONVERT_READER_SLURM_STATES_H

#include "model/flow.h"

/* What they don't know is counted in the flow; NULL: of other programs' states nothing is known. */

/* "CANCELLED by 0", "COMPLETED", "PD" as one word in small letters; static, or in word. */
const char *slurm_job_state(struct flow *flow, const char *text, char word[32]);

/*
 * The state of a node out of what sinfo or scontrol print (idle*, alloc, IDLE+DRAIN): idle,
 * allocated, mixed, completing, down, drained, draining, planned, …: only a node that can be given
 * out now is idle.
 */
const char *slurm_node_state(struct flow *flow, const char *text, char word[32]);

#endif
