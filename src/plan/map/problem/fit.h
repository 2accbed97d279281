/* fit.h - which nodes parts may take so that the other parts still fit */
#ifndef MAP_PROBLEM_FIT_H
#define MAP_PROBLEM_FIT_H

#include "map/problem/problem.h"

/*
 * Parts that take one node each fit as long as there are, for every size, as many free nodes with
 * at least that room as unmapped parts of at least that size. slack counts how many more nodes
 * there are; a part may take a node as long as no count falls below 0.
 */
struct map_fit {
	int most;   /* the largest room */
	int *slack; /* [most + 2] */
};

void map_fit_open(struct map_fit *fit, const struct map_input *in, const struct map_parts *parts);
void map_fit_close(struct map_fit *fit);
/* The largest room that a part of this size may take; it may take any from its size up to that. */
int map_fit_most(const struct map_fit *fit, int size);
/* A part takes a node. */
void map_fit_take(struct map_fit *fit, int size, int room);

#endif
