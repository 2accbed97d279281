/* failed_sets.h - idle nodes among which no region was found, by the number of nodes */
#ifndef PLACE_CONSTRAINT_FAILED_SETS_H
#define PLACE_CONSTRAINT_FAILED_SETS_H

#include <stdbool.h>
#include <stdint.h>

/* The last ones: queues ask for the same number of nodes again and again, of the same idle ones or
 * fewer. Sets are a bit for each node. */
struct failed_sets {
	int nnodes, nwords;
	int most, n, next; /* kept at a time, so far, and the place of the next one */
	struct failed_set {
		int wanted, before; /* the place of the one before for as many; −1: none */
		int64_t number;     /* rises; what is older than the last `most` is gone */
		bool is_sure;       /* there is none; else a search gave up */
		uint64_t *idle;     /* [nwords] */
	} * at;                     /* [most] */
	int *last;                  /* [nnodes + 1] by wanted: its place; −1: none */
};

void failed_sets_open(struct failed_sets *sets, int nnodes);
void failed_sets_close(struct failed_sets *sets);

enum failed {
	FAILED_UNKNOWN,
	FAILED_SURE,   /* a set with all of these nodes has no region: nor have they */
	FAILED_SAME,   /* a search among the same ones gave up */
	FAILED_WITHIN, /* one among these and others did */
};
enum failed failed_sets_find(const struct failed_sets *sets, const uint64_t *idle, int wanted);
void failed_sets_add(struct failed_sets *sets, const uint64_t *idle, int wanted, bool is_sure);

#endif
