/* crew.h - one simulation in several partitions, on several threads */
#ifndef SIM_NETWORK_CREW_H
#define SIM_NETWORK_CREW_H

#include "sim/network/mail.h"

/* Up to *until_ps, which comes closer where a signal asks. Returns whether something is left. */
bool crew_run(struct net *net, int64_t *until_ps);
void crew_start(struct net *net);
/* The ports and nodes of this process are as they are before a run; each partition has the credits
 * of its ports. */
void crew_deal_out(struct net **parts, int nparts);
void crew_close(struct net *net);

#endif
