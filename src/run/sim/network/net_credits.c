/* net_credits.c - rings of credits */
#include "sim/network/net_credits.h"

#include <string.h>

#include "base/mem.h"
#include "sim/network/net_ports.h"

void credits_open(struct credit_rings *rings, uint32_t ncredits)
{
	rings->n = rings->cap = ncredits;
	rings->at = xlarge(ncredits * sizeof(*rings->at));
	memset(rings->free, 0xff, sizeof(rings->free));
}

void credits_close(struct credit_rings *rings)
{
	xlarge_free(rings->at, rings->cap * sizeof(*rings->at));
	rings->at = NULL;
	rings->n = rings->cap = 0;
}

/* Room for 2^bits credits. */
static uint32_t ring_new(struct credit_rings *rings, int bits)
{
	uint32_t at = rings->free[bits];

	if (at != UINT32_MAX) {
		rings->free[bits] = (uint32_t)rings->at[at].bytes;
		return at;
	}
	if (rings->n + (1U << bits) > rings->cap) {
		uint32_t cap = rings->cap * 2 + (1U << bits) + 1024;

		rings->at = xlarge_grow(rings->at, rings->cap * sizeof(*rings->at),
					cap * sizeof(*rings->at));
		rings->cap = cap;
	}
	at = rings->n;
	rings->n += 1U << bits;
	return at;
}

/* Seldom, and so that what is often keeps no registers for it. */
static __attribute__((noinline)) void ring_grow(struct credit_rings *rings, struct port *port)
{
	int bits = port->ring_bits + 1;
	uint32_t ring = ring_new(rings, bits), half = 1U << port->ring_bits;

	memcpy(&rings->at[ring + half], &rings->at[port->ring], half * sizeof(*rings->at));
	port->nfree = (uint16_t)(port->nfree + half);
	if (port->ring_bits > RING_BITS) {
		rings->at[port->ring].bytes = (int32_t)rings->free[port->ring_bits];
		rings->free[port->ring_bits] = port->ring;
	}
	port->ring = ring;
	port->ring_bits = (uint8_t)(bits & 0x7f);
}

static inline int64_t take(struct credit_rings *rings, struct port *port, int64_t time)
{
	struct credit *ring = &rings->at[port->ring];
	const struct credit *first = ring + port->nfree, *at = ring + (1U << port->ring_bits);
	struct credit *left = ring + (1U << port->ring_bits);
	int64_t next = INT64_MAX;

	while (at-- > first) {
		if (at->time <= time) {
			port->credit[at->vc] += at->bytes;
			continue;
		}
		next = at->time < next ? at->time : next;
		*--left = *at;
	}
	port->nfree = (uint16_t)(left - ring);
	return next;
}

int64_t credits_take(struct credit_rings *rings, struct port *port, int64_t time)
{
	return take(rings, port, time);
}

void credits_make_room(struct credit_rings *rings, struct port *port, int64_t now)
{
	take(rings, port, now);
	if (port->nfree < 1U << port->ring_bits >> 2)
		ring_grow(rings, port);
}

int64_t credits_next(const struct credit_rings *rings, const struct port *port, uint16_t vcs)
{
	int64_t time = -1;

	for (uint32_t i = port->nfree; i < 1U << port->ring_bits; i++) {
		const struct credit *credit = &rings->at[port->ring + i];

		if (vcs >> credit->vc & 1 && (time < 0 || credit->time < time))
			time = credit->time;
	}
	return time;
}

int64_t credits_all(struct credit_rings *rings, struct port *port, int vc)
{
	credits_take(rings, port, INT64_MAX);
	return port->credit[vc];
}
