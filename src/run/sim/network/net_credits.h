/* net_credits.h - credits on their way back to ports */
#ifndef SIM_NETWORK_NET_CREDITS_H
#define SIM_NETWORK_NET_CREDITS_H

#include <stdint.h>

struct port;

enum { RING_BITS = 2 };

/* A credit on its way back. */
struct credit {
	int64_t time;
	int32_t bytes;
	int32_t vc;
};

/* Rings of credits; that of port p begins as at[p · 2^RING_BITS]. */
struct credit_rings {
	struct credit *at;
	uint32_t n, cap;
	uint32_t free[16]; /* lists by size: the next one stands in the first credit */
};

void credits_open(struct credit_rings *rings, uint32_t ncredits);
void credits_close(struct credit_rings *rings);
/* Takes the credits that are back by time. Returns when the first of the others will be; INT64_MAX:
 * there is none. */
int64_t credits_take(struct credit_rings *rings, struct port *port, int64_t time);
/* Room for another one in a full ring, by taking those that are back now or by a larger ring. */
void credits_make_room(struct credit_rings *rings, struct port *port, int64_t now);
/* The time of the first credit for one of the VCs in the mask; −1: none is under way. */
int64_t credits_next(const struct credit_rings *rings, const struct port *port, uint16_t vcs);
/* When all are back. */
int64_t credits_all(struct credit_rings *rings, struct port *port, int vc);

#endif
