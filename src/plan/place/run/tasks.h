/* tasks.h - jobs that ask for tasks: the nodes that have room for them */
#ifndef PLACE_RUN_TASKS_H
#define PLACE_RUN_TASKS_H

#include "place/run/eligible_priv.h"

/* Leaves of the set left the nodes of which any nnodes have room for all tasks: as many as can be,
 * those with the most room. false: there are none. */
bool tasks_reduce(const struct eligible_choice *choosing);

#endif
