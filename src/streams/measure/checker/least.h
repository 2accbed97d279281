/* least.h - the least diameter, or sum of distances, that a number of nodes of a machine
 * can have */
#ifndef MEASURE_CHECKER_LEAST_H
#define MEASURE_CHECKER_LEAST_H

#include "measure/checker/geometry.h"

enum { LEAST_CENTRES = 64 };
enum least_of { LEAST_MAX, LEAST_SUM };

/* What is known of it: lower ≤ the least ≤ upper. */
struct bounds {
	int n;
	int64_t lower, upper;
};

struct least {
	struct geometry *geometry;
	enum least_of measure;
	bool by_routes;    /* distances are the links of minimal routes, not the fewest there are */
	struct hops *hops; /* searched for; NULL: not needed */
	int_vec serving;   /* nodes that may be given out, in label order */
	/* Seen from some routers, how many nodes are 0, 1, … links away, then -1: each once; made
	 * when first needed. And the nodes in service by their distance from some of them. */
	VEC(int *) profiles;
	int *nearest[LEAST_CENTRES]; /* [serving.n] */
	VEC(struct bounds) known;    /* for the numbers of nodes asked for so far */
};

/* by_routes matters on networks whose minimal routes are not the shortest paths. */
void least_open(struct least *least, struct geometry *geometry, enum least_of measure,
		bool by_routes);
void least_close(struct least *least);

/* Def. 1, for pairs of different nodes. */
int least_distance(const struct least *least, int node_a, int node_b);

/* The largest distance of a pair of nodes [n], or the sum over all pairs; a, b: the pair. */
int64_t least_measure(const struct least *least, const int *nodes, int n, int *a, int *b);

/*
 * Over all sets of n nodes in service. Exact (lower = upper) on hierarchical networks, on lines, of
 * the diameter on two-dimensional meshes, and wherever a search that is bounded in steps comes to
 * its end. n is at most serving.n.
 */
struct bounds least_bounds(struct least *least, int n);

#endif
