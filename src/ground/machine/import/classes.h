/* classes.h - link levels of cables that differ in where they are and how fast */
#ifndef MACHINE_IMPORT_CLASSES_H
#define MACHINE_IMPORT_CLASSES_H

#include "machine/import/switch_ranks.h"
#include "model/topo_build.h"

/*
 * The cables of a level have one bandwidth. Those in one place ("terminal", "leaf-spine") that have
 * different rates are different levels: the rate of the most has the plain name, another one is
 * added to it: "terminal-4xDDR". Terminal comes first, then the places by their ranks.
 */
struct link_class {
	char place[2 * RANK_NAME];
	const char *rate; /* the caller's, "": unknown */
	double bandwidth; /* bytes/s; 0: unknown */
	int order;        /* of the place */
	int ncables;
	int level; /* in the machine */
};
typedef VEC(struct link_class) class_vec;

/* The place of a cable between two ranks; of a node's cable with rank_a -1. */
void class_set(struct link_class *class, int rank_a, int rank_b, const char *rate,
	       double bandwidth);
void class_count(class_vec *classes, const struct link_class *class);
/* After all are counted. */
int class_build(class_vec *classes, struct topo_build *build, struct err *err);
int class_level(const class_vec *classes, const struct link_class *class);

#endif
