/* least_priv.h - the ways to the least diameter or sum of distances */
#ifndef MEASURE_CHECKER_LEAST_PRIV_H
#define MEASURE_CHECKER_LEAST_PRIV_H

#include "measure/checker/least.h"

/* A router that has nodes in service: one of them, and how many. */
struct place {
	int node, count;
};

/* Hierarchical networks. */
int64_t least_level(const struct least *least, int n);
int64_t least_tree_sum(const struct least *least, int n);

/* Lines, and the diameter on two-dimensional meshes. False: this is no such case. */
bool least_by_coordinates(const struct least *least, int n, struct bounds *bounds);

/* Bounds from balls, then branch and bound. */
void least_search(struct least *least, int n, struct bounds *bounds);

#endif
