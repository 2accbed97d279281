/* coming.h - messages that come from other partitions, by their source and number */
#ifndef SIM_NETWORK_COMING_H
#define SIM_NETWORK_COMING_H

#include <stdint.h>

#include "sim/network/net_pool.h"

/*
 * A partition numbers the messages that it sends to another. Those of numbers that follow each
 * other stand on one page, since their packets come at about the same time; a page is there as long
 * as any of them is under way.
 */
enum { COMING_PAGE_BITS = 8, COMING_PAGE = 1 << COMING_PAGE_BITS };
struct coming_page {
	int32_t message[COMING_PAGE]; /* the record here; NOBODY: none */
};

/* The pages of a source, from the one with the oldest message on, in a ring. */
struct coming_ring {
	struct coming_place {
		int32_t page; /* NOBODY: not there */
		int32_t n;    /* of messages on it */
	} * at;               /* [mask + 1] by page number & mask */
	uint32_t mask;
	uint32_t first, n; /* page numbers */
};

/* Zeroed there are none. */
struct coming {
	POOL(struct coming_page);
	struct coming_ring *rings; /* [nrings] by source */
	int nrings;
};

void coming_close(struct coming *coming);
/* part: that sent it; serial: behind those that it sent before. */
void coming_add(struct coming *coming, int part, uint32_t serial, int32_t message);
/* It has come. */
void coming_remove(struct coming *coming, int part, uint32_t serial);
void coming_clear(struct coming *coming);

static inline struct coming_place *coming_place(const struct coming *coming, int part,
						uint32_t serial)
{
	const struct coming_ring *ring = &coming->rings[part];

	return &ring->at[serial >> COMING_PAGE_BITS & ring->mask];
}

/* Where the record's number stands; it is under way. */
static inline int32_t *coming_at(const struct coming *coming, int part, uint32_t serial)
{
	return &coming->at[coming_place(coming, part, serial)->page].message[serial % COMING_PAGE];
}

#endif
