/* node_states.h - the states of nodes, from a nodes stream or a list of the idle ones */
#ifndef PLACE_NODE_STATES_H
#define PLACE_NODE_STATES_H

#include "place/run/schedule.h"

/*
 * Sets schedule->use from a nodes stream: idle nodes with role compute or both are NODE_IDLE;
 * "allocated", "mixed" and "completing" ones NODE_BUSY; others NODE_AWAY, and so are nodes that the
 * stream does not name. A missing state is idle, a missing role compute. A stream that
 * distinguishes runs apart is refused: a machine is given once. Reservations that schedule->rules
 * has hold from when to when they say, not as the nodes say.
 */
int nodes_read(struct schedule *schedule, struct table_in *in, struct err *err);

/* The nodes of a host list or host file are idle, the others NODE_BUSY. */
int nodes_set_idle(struct schedule *schedule, const char *hosts, struct err *err);
/* The others are NODE_AWAY. */
int nodes_keep(struct schedule *schedule, const char *hosts, struct err *err);

/* What nodes had jobs when they were listed they have no longer: a log says which jobs
 * have them. */
void nodes_forget_jobs(struct schedule *schedule);

#endif
