/* cut.h - cutting a machine in two: moves of routers from side to side */
#ifndef MACHINE_STATS_CUT_H
#define MACHINE_STATS_CUT_H

#include "model/topo.h"

/*
 * The routers in the order of their first node (those without nodes last, in theirs), each with
 * the number of nodes that hang on it alone; then the nodes on several routers, of weight 1.
 * Parallel cables are one joint.
 */
struct cut_graph {
	int n, nweighted;
	int64_t total; /* weight */
	int64_t heaviest;
	int64_t *weight; /* [n] */
	int64_t *first;  /* [n + 1] */
	int *peer;       /* [first[n]] */
	double *width;   /* [first[n]] bytes/s in one direction */
};
void cut_graph_make(struct cut_graph *graph, struct topo *topo);
void cut_graph_free(struct cut_graph *graph);

/* side [n] is 0 or 1. */
double cut_width(const struct cut_graph *graph, const char *side);
/* The parts differ by no more than the heaviest vertex. */
bool cut_is_balanced(const struct cut_graph *graph, const char *side);
/* One pass: every vertex is moved once, the best first; what came out best on the way stays.
 * Returns whether the cut has become narrower, or balanced. */
bool cut_improve(const struct cut_graph *graph, char *side);

#endif
