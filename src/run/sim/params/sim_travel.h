/* sim_travel.h - how the messages of a job go through a network, by the parameters of a profile */
#ifndef SIM_PARAMS_SIM_TRAVEL_H
#define SIM_PARAMS_SIM_TRAVEL_H

#include "base/err.h"
#include "map/problem/travel.h"
#include "model/topo.h"

/* profile: a pick of sim_profiles, or NULL: default; largest: bytes of the job's largest message.
 * In parts of it, and of its time on a link of capacity 1. */
int sim_travel(struct travel *travel, struct topo *topo, const char *profile, double largest,
	       struct err *err);

#endif
