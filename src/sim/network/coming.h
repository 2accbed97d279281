/* coming.h - messages that come from other partitions, by their source and number */
#ifndef SIM_NETWORK_COMING_H
#define SIM_NETWORK_COMING_H

#include <stdint.h>

#include "base/umap.h"
#include "sim/network/net_pool.h"

/*
 * A partition numbers the messages that it sends to another. Those of numbers that follow each
 * other stand on one page, since their packets come at about the same time; a page is there as long
 * as any of them is under way.
 */
enum { COMING_PAGE_BITS = 8, COMING_PAGE = 1 << COMING_PAGE_BITS };
struct coming_page {
	int32_t message[COMING_PAGE]; /* the record here; NOBODY: none */
	int32_t n;                    /* of messages */
};

/* Zeroed there are none. */
struct coming {
	struct umap place_of; /* of pages, by source and serial / COMING_PAGE */
	POOL(struct coming_page);
};

void coming_close(struct coming *coming);
/* part: that sent it. */
void coming_add(struct coming *coming, int part, uint32_t serial, int32_t message);
int32_t coming_get(const struct coming *coming, int part, uint32_t serial);
/* It has come. */
void coming_remove(struct coming *coming, int part, uint32_t serial);
void coming_clear(struct coming *coming);

#endif
