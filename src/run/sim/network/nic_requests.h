/* nic_requests.h - nodes that take so many requests at a time */
#ifndef SIM_NETWORK_NIC_REQUESTS_H
#define SIM_NETWORK_NIC_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

struct net;
void net_requests_open(struct net *net);
void net_requests_reset(struct net *net);
/* Whether the packet that has come stays in the NIC's input buffer. */
bool net_requests_keep(struct net *net, int32_t packet);
void net_requests_release(struct net *net, int node);
bool net_requests_are_done(const struct net *net);

#endif
