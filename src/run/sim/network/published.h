/* published.h - loads of other routers, as they were a while ago */
#ifndef SIM_NETWORK_PUBLISHED_H
#define SIM_NETWORK_PUBLISHED_H

#include <stdint.h>

#include "base/parcel.h"

struct net;
void net_published_open(struct net *net);
void net_published_close(struct net *net);
/* For a partition: shares the loads with the first one. */
void net_published_open_part(struct net *net, const struct net *first);
void net_published_close_part(struct net *net);
void net_published_reset(struct net *net);
/* Something waits for the channel. */
void net_published_note(struct net *net, int32_t channel);
/* The time of the next publication; INT64_MAX: nothing is published. */
int64_t net_published_next(const struct net *net);
/* Before the next event, which is at event_ps, not before the next publication. told gets what
 * other processes are to know; NULL: there are none. */
void net_publish(struct net *net, int64_t event_ps, struct parcel *told);
/* What net_publish told in all processes; net: the first partition, for all. */
void net_published_take(struct net *net, struct parcel *told);
/* The load of a link of the graph, as the routing reads it, at the last publication. */
int64_t net_published_load(const struct net *net, int32_t channel);

#endif
