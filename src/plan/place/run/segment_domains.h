/* segment_domains.h - the domains that segments of a size are placed in */
#ifndef PLACE_RUN_SEGMENT_DOMAINS_H
#define PLACE_RUN_SEGMENT_DOMAINS_H

#include "model/topo.h"

/*
 * Where the machine has blocks of a planned size: the smallest enforced blocks of them that are
 * planned for the segment, as Slurm does it; else the domains of the lowest tier with one that is
 * large enough; else the whole machine. Zeroed is empty.
 */
struct segment_domains {
	int size;            /* of a segment that they are of; 0: none yet */
	int64_t width;       /* base blocks in each; 0: all of them */
	int tier;            /* else the tier; ntiers: the machine */
	int *most;           /* [ntiers] nodes of the largest domain; NULL: not counted yet */
	int n;               /* domains */
	int *of;             /* [nnodes], or -1 */
	int *first, *member; /* nodes of d: member[first[d]] … member[first[d + 1] - 1] */
	int *count;          /* [n] for the user */
};

/* Those of segments of this size; nothing is done where they are so already. Zero it once. */
void segment_domains_make(struct segment_domains *domains, const struct topo *topo, int size);
void segment_domains_free(struct segment_domains *domains);

#endif
