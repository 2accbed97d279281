/* per_node.h - what a job has of each of its nodes: 8(x2),4, or a total over all of them */
#ifndef MODEL_PER_NODE_H
#define MODEL_PER_NODE_H

#include <stdint.h>

#include "base/err.h"

/*
 * Reads numbers node by node: "8(x2),4" is 8 on the first two nodes and 4 on the third; one number
 * alone holds for all. numbers [n]. Returns 0, or -1: not such a list, or not of n nodes.
 */
int per_node_read(const char *text, int64_t *numbers, int n, struct err *err);

/* A total over n nodes, as evenly as it goes: the first ones of the list have one more. Of node i,
 * counted from 0. */
static inline int64_t per_node_of(int64_t total, int n, int i)
{
	return total / n + (i < total % n);
}

#endif
