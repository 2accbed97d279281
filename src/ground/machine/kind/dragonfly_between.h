/* dragonfly_between.h - how many pairs of nodes of two groups are how far apart */
#ifndef MACHINE_KIND_DRAGONFLY_BETWEEN_H
#define MACHINE_KIND_DRAGONFLY_BETWEEN_H

#include "machine/kind/dragonfly.h"

enum { DRAGONFLY_LONGEST = 5 }; /* row, column, global, row, column */

struct dragonfly_group {
	int number;
	uint64_t nnodes;
};

struct dragonfly_between;

/* Of the nodes at each router, count_of [nrouters], which may change between calls; NULL: one at
 * each. The caller closes it. */
struct dragonfly_between *dragonfly_between_open(const struct dragonfly *df, const int *count_of);
void dragonfly_between_close(struct dragonfly_between *between);
/* Adds the pairs of a node of a and one of b to those with so many links between their routers, by
 * one global link: the time is that of the routers and cables, not of pairs of them. */
void dragonfly_between_count(struct dragonfly_between *between, struct dragonfly_group a,
			     struct dragonfly_group b, uint64_t pairs[DRAGONFLY_LONGEST + 1]);

#endif
