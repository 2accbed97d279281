/* others.h - what else a mapper found that may lead as far */
#ifndef MAP_PROBLEM_OTHERS_H
#define MAP_PROBLEM_OTHERS_H

#include "model/topo.h"

/* Mappings of one job, best first, at most so many of them. */
struct map_others {
	int most, n;
	int_vec node_of; /* [n * nranks] */
};

/* So much of the best one's load of a link others may have: else loads would depend on chance. */
extern const double map_others_load;

/* Keeps a mapping if it differs from those kept, and there is room. others: NULL: not requested.
 * node_of [nranks] */
void map_others_add(struct map_others *others, const int *node_of, size_t nranks);
void map_others_free(struct map_others *others);

#endif
