/* domains_least.h - the fewest domains of a level that a request fits, and the least left in them
 */
#ifndef MEASURE_METRIC_DOMAINS_LEAST_H
#define MEASURE_METRIC_DOMAINS_LEAST_H

#include <stdint.h>

#include "model/domain_asks.h"

/* A level whose domains are counted. */
struct domains_at {
	struct level_ref level;
	int n;       /* domains */
	int *of;     /* [nnodes] */
	int *sample; /* [n] a node of each, or -1 */
};

void domains_at_open(struct domains_at *at, const struct level_ref *level);
void domains_at_close(struct domains_at *at);

struct domains_least {
	int64_t domains, idle_left;
};

/*
 * Of slices and spread those of the level's hierarchy count, each with its level; within does not.
 * free [nnodes]: idle units of each node; idle [n]: of each domain. False: the units do not fit.
 * Costs of this level alone, exactly: what domains inside can hold is counted; domains outside
 * with a slice or limit are joined by their tables of the least cost of each number of units.
 */
bool domains_least(const struct domains_at *at, const struct domain_asks *asks, const int *free,
		   const int64_t *idle, int64_t units, struct domains_least *least);

#endif
