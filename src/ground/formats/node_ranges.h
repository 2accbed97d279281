/* node_ranges.h - lists of nodes as ranges of consecutive ones, in a separate order */
#ifndef FORMATS_NODE_RANGES_H
#define FORMATS_NODE_RANGES_H

#include "base/mem.h"

/* The nodes first … last. */
struct node_range {
	int first, last;
};

/* Nodes in the order of picking; what ascends by ones is in one range. Zeroed is empty. */
struct node_ranges {
	VEC(struct node_range) of;
	int64_t nnodes;
};

/* Appends first … last. */
void node_ranges_add(struct node_ranges *ranges, int first, int last);
void node_ranges_clear(struct node_ranges *ranges);
void node_ranges_free(struct node_ranges *ranges);

/* The ranges by label, those that touch joined: ranges itself where they are so, else sorted, which
 * holds them until the next call. No node is there twice. */
const struct node_ranges *node_ranges_by_label(const struct node_ranges *ranges,
					       struct node_ranges *sorted);

/* The least node that is there twice, or -1. */
int node_ranges_twice(const struct node_ranges *ranges);

/* Where the run of consecutive nodes that begins at nodes[first] ends: the place behind it. */
size_t node_run_end(const int *nodes, size_t first, size_t n);

/* Writes the nodes one by one to nodes [nnodes]. */
void node_ranges_list(const struct node_ranges *ranges, int *nodes);

#endif
