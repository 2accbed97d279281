/* whereabouts.h - whether a job's nodes are where it may be: one island, its partition
 * and features */
#ifndef MEASURE_CHECK_WHEREABOUTS_H
#define MEASURE_CHECK_WHEREABOUTS_H

#include "measure/check/check.h"

struct whereabouts {
	int *island_of; /* [nnodes of the machine], NULL: not known, or all are in one */
};

void whereabouts_open(struct whereabouts *whereabouts, const struct topo *topo);
void whereabouts_close(struct whereabouts *whereabouts);

/* Whether there is anything to find of a job: else its nodes need not be looked at. */
bool whereabouts_matter(const struct whereabouts *whereabouts, const struct checking *checking,
			const struct row *row);

/* Finds what is wrong with the nodes of a job; names [n]. */
void whereabouts_check(const struct whereabouts *whereabouts, struct checking *checking,
		       const struct row *row, const char *const *names, size_t n);

#endif
