/* mail.h - what goes from one partition of a simulation to another */
#ifndef SIM_NETWORK_MAIL_H
#define SIM_NETWORK_MAIL_H

#include "base/mem.h"
#include "sim/network/net_priv.h"

/* A message that will come here: sent when it is made, so it is here before its first packet. */
struct mail_message {
	struct message message;
	char record[NET_RECORD_BYTES];
};

/* A packet on its way to a router here, with what is needed of its message. */
struct mail_packet {
	struct packet packet;
	int64_t arrive_ps;
	int64_t ready_ps; /* of the message, as are the next ones */
	int32_t src, dst;
	uint32_t serial;
	int16_t part; /* of src */
	bool is_home;
	int32_t legs[4]; /* the routing's own: forward_type.leave */
};

/* A credit for a port here. */
struct mail_credit {
	int64_t time;
	int32_t channel;
	int32_t bytes;
	int32_t vc;
};

struct mail_notice {
	int64_t time;
	uint64_t cookie;
	int32_t node;
};

/* From one partition to another in one window. */
struct mail_bag {
	VEC(struct mail_message) messages;
	VEC(struct mail_packet) packets;
	VEC(struct mail_credit) credits;
	VEC(struct mail_notice) notices;
} __attribute__((aligned(64))); /* whole cache lines: each is written by another thread */

void mail_bag_clear(struct mail_bag *bag);
void mail_bag_free(struct mail_bag *bag);
/* At the end of a window: what is to go to others is in the bags. */
void mail_clear_desk(struct net *net);
/* Puts what is in the bag into the partition. */
void mail_take(struct net *net, struct mail_bag *bag);

#endif
