/* segments.h - whether each segment of a job is in one block */
#ifndef MEASURE_CHECK_SEGMENTS_H
#define MEASURE_CHECK_SEGMENTS_H

#include "measure/check/check.h"

enum { BLOCK_SIZES_MOST = 16 };

/* Slurm's BlockSizes, ascending; n 0: not known. */
struct block_sizes {
	int at[BLOCK_SIZES_MOST], n;
};

/* "30,120": each a power of two times the first. */
int block_sizes_read(struct block_sizes *sizes, const char *text, struct err *err);

/*
 * The number of a job's nodes in each block is a multiple of its segment's: so segments can be told
 * that are in one block each, two of them maybe in the same. A block is a domain of the lowest tier
 * that has one of that many nodes; with sizes, those given or those of the machine's blocks, the
 * consecutive blocks (or routers) that so many nodes are planned for. nodes [n] of the machine, -1:
 * not known.
 */
void segments_check(struct checking *checking, const struct row *row, const int *nodes, size_t n);

#endif
