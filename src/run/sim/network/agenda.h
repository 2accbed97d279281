/* agenda.h - what nodes wait for */
#ifndef SIM_NETWORK_AGENDA_H
#define SIM_NETWORK_AGENDA_H

#include <stdint.h>

#include "sim/network/net_pool.h"

/* What waits for its time at a node. */
enum item_kind {
	LEFT,     /* message: its last byte has left the node */
	COME,     /* message: the NIC has it */
	START,    /* message: its injection queue begins with it */
	TIMER,    /* cookie */
	HANDOVER, /* cookie; a timer that is worked off later, without an event */
	NOTICE    /* cookie; after the other items of the same time */
};
struct item {
	int64_t time;
	union {
		uint64_t cookie;
		int32_t message;
	};
	int32_t next; /* later ones */
	enum item_kind kind;
};

struct agenda {
	LINKED_POOL(struct item);
	struct queue *of_node; /* [nnodes] of items, by time; those of one time in their order */
	int32_t nhandovers;
	int64_t lag_ps;   /* from a handover until its message's START, at least; 0: none wait */
	int64_t event_ps; /* of the handover that is worked off; -1: none is, or a START has it */
};

struct net;
void net_agenda_open(struct net *net); /* room for all nodes */
void net_agenda_open_node(struct net *net, int32_t node);
void net_agenda_close(struct net *net);
void net_agenda_open_part(struct net *net); /* of a partition: the items */
void net_agenda_close_part(struct net *net);
void net_agenda_reset(struct net *net);
void net_agenda_add(struct net *net, int32_t node, const struct item *item);
void net_agenda_next(struct net *net, int32_t node); /* the event NODE */
/* Handovers of the node before the present time are worked off. */
void net_agenda_catch_up(struct net *net, int32_t node);
/* Those of all nodes of this partition, up to until_ps, where a run stops. */
void net_agenda_settle(struct net *net, int64_t until_ps);

#endif
