/* topo_inside.h - how the cores of a node nest */
#ifndef MODEL_TOPO_INSIDE_H
#define MODEL_TOPO_INSIDE_H

#include <stddef.h>

#include "base/err.h"

enum { INSIDE_LEVELS = 8, INSIDE_NAME = 16, INSIDE_TEXT = INSIDE_LEVELS * (INSIDE_NAME + 8) };

/*
 * From the outside in: a node of package:2+core:4 has two packages of four cores each. Cores are
 * numbered from 0 through the first part, then the next, as hwloc numbers them logically.
 */
struct topo_inside {
	int nlevels;
	int count[INSIDE_LEVELS]; /* parts of each part of the level above, from 1 */
	char name[INSIDE_LEVELS][INSIDE_NAME];
};

/* "package:2+core:4" [n]; the message has no FILE:LINE. */
int topo_inside_parse(struct topo_inside *inside, const char *text, size_t n, struct err *err);
void topo_inside_print(const struct topo_inside *inside, char text[INSIDE_TEXT]);
int topo_inside_ncores(const struct topo_inside *inside);
/* Cores in each part of the innermost level but one: those that are nearest to each other. */
int topo_inside_nearest(const struct topo_inside *inside);
/* Levels to climb from core a to a part that has core b too: 0 of a core to itself, nlevels where
 * that is the whole node. NULL: all cores are 1 apart. */
int topo_inside_distance(const struct topo_inside *inside, int a, int b);

#endif
