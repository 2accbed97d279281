/* nic.h - the NICs of nodes: queues of messages; copies inside nodes */
#ifndef SIM_NETWORK_NIC_H
#define SIM_NETWORK_NIC_H

#include <stdint.h>

#include "sim/network/net_queue.h"

struct nic {
	int64_t pump_ps;   /* the event that counts; < 0: none */
	int32_t turn;      /* the queue that is served first next time */
	struct queue kept; /* packets that have come and are not taken: nic_requests.c */
	int64_t nwaiting;  /* bytes of messages of which no packet was made; with several NICs */
};

struct nics {
	struct nic *at;        /* [channel] of the nodes' channels, by of_channel */
	int32_t *of_channel;   /* [channel] of a node */
	struct queue *queues;  /* [nic · nqueues + queue] of messages */
	int nqueues;           /* injection queues of a NIC, of all classes */
	int class_queues;      /* of a class */
	int32_t *nheld;        /* [nnodes] places that requests hold; NULL: any number may */
	int32_t *first_up;     /* [nnodes + 1] the graph's channels out of node n: from here on */
	int64_t *copy_free_ps; /* [nnodes · copy_servers] */
	int32_t *copiers;      /* nodes that have copied in this run */
	int32_t ncopiers;
};

struct net;
void net_nics_open(struct net *net); /* room for all; those of a node: net_nics_open_node */
void net_nics_open_node(struct net *net, int32_t node);
void net_nics_close(struct net *net);
void net_nics_reset(struct net *net);
/* Its hops are counted where that is asked for. */
int32_t net_message_new(struct net *net);
/* Where messages take turns: the queue's first one, of which a packet was sent, goes behind; and
 * one that is ready comes first in each queue of a NIC. */
void net_nic_turn(struct net *net, struct queue *queue);
void net_nic_bring_ready(struct net *net, int32_t nic);
void net_nic_pump(struct net *net, int32_t channel);      /* the link takes more */
void net_message_start(struct net *net, int32_t message); /* the event START */
void net_packet_come(struct net *net, int32_t packet);
void net_packet_take(struct net *net, int32_t packet);
void net_message_left(struct net *net, int32_t message);
void net_message_come(struct net *net, int32_t message);

#endif
