/* bounds.h - what no mapping of a job gets below */
#ifndef MAP_PROBLEM_BOUNDS_H
#define MAP_PROBLEM_BOUNDS_H

#include "map/problem/problem.h"

/*
 * Let c be the greatest room of a node. However ranks are grouped into nodes of at most c, at least
 * so many bytes leave them: the bytes of all ranks, less for each rank the greatest share that
 * groups of up to c have inside, D(k) / k, where D(k) are the most bytes that any k ranks exchange
 * among themselves. A group of several parts shares what the best of them does, so that connected
 * groups are enough; they are enumerated (Wernicke's ESU). Where those are too many, a rank has at
 * most what it exchanges with its c - 1 greatest partners inside.
 *
 * All that leaves goes over the links of the nodes, hence the greatest load; and over as many links
 * as the nearest nodes have between them, hence the hop-bytes. Besides, a rank's own node carries
 * what the rank exchanges with any but its c - 1 greatest partners.
 */
struct map_bounds {
	double leaving; /* bytes that leave nodes */
	double mc, hb;
	bool is_exact_cut; /* groups were enumerated */
	/* Every mapping loads links alike: an all-to-all that fills all slots. */
	bool all_are_alike;
};

void map_bounds_find(struct map_bounds *bounds, const struct map_input *in);

#endif
