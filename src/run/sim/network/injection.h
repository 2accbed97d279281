/* injection.h - what messages wait for at their node before a NIC has them */
#ifndef SIM_NETWORK_INJECTION_H
#define SIM_NETWORK_INJECTION_H

#include <stdbool.h>
#include <stdint.h>

struct injection {
	int nqueues, nslots; /* of a node; the slot behind the queues is its turn */
	int64_t *free_ps;    /* [nnodes · nslots] */
	bool *is_used;       /* [nnodes] in this run */
	int32_t *used, nused;
};

struct net;
void net_injection_open(struct net *net);
void net_injection_close(struct net *net);
void net_injection_open_part(struct net *net); /* of a partition: the nodes that it has used */
void net_injection_close_part(struct net *net);
void net_injection_reset(struct net *net);
/* From the hand-over of a message until its NIC may begin with it, at least. */
int64_t net_injection_least_ps(const struct net *net);
/* When a NIC may begin with a message that is handed over now and ready then; level: of
 * its link. */
int64_t net_injection_ready(struct net *net, int32_t node, int queue, int level, int64_t bytes,
			    int64_t ready_ps);

#endif
