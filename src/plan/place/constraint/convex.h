/* convex.h - sets of nodes whose routes are their own (Def. 4) */
#ifndef PLACE_CONSTRAINT_CONVEX_H
#define PLACE_CONSTRAINT_CONVEX_H

#include "place/constraint/constraint.h"

/* Groups of a dragonfly at most, and the steps of a search over them. */
enum { CONVEX_GROUPS = 4096, CONVEX_STEPS = 500000 };

/*
 * Closed: all nodes at one router; or every router on every route between two of them belongs to
 * the set (all nodes that compute below it do, none below it: it belongs to every set), and no link
 * of these routes joins two I/O nodes. 1, 0, or -1: unknown, the steps were spent.
 */
int convex_is_closed(const struct space *space, const int *nodes, int n, struct search *search);
/* Literal: no link of a route between two of them is one between two other nodes that compute. */
int convex_is_literal(const struct space *space, const int *nodes, int n, struct search *search);

/* Any wanted idle nodes of one router. */
int convex_routers(const struct space *space, struct search *search);
/* Routes that may lead anywhere: nodes of one router that do not leave it, or the whole machine. */
int convex_adaptive(const struct space *space, struct search *search);
/* Boxes of a grid under dimension order. Visits the least by rank, or all. */
int convex_boxes(const struct space *space, struct search *search);
/* Whole subtrees of fat trees and trees. */
int convex_subtrees(const struct space *space, struct search *search);
/* Routers of one group that are all next to each other. */
int convex_groups(const struct space *space, struct search *search);
/* Whatever the routes: closed sets of routers, one router after the other. */
int convex_hulls(const struct space *space, struct search *search);
/* The same over the groups of a flat dragonfly with one cable between two of them, routes minimal
 * and no separate I/O nodes. NULL: it is none. */
struct convex_gates;
struct convex_gates *convex_gates_new(const struct space *space);
void convex_gates_free(struct convex_gates *gates); /* NULL is allowed */
/* Whether there is a closed set of n idle nodes: 1, 0, or -1: the bound was reached. */
int convex_gates_fit(struct convex_gates *gates, const uint64_t *idle, int n);
/* One over several groups: of those that the steps allow to see, the one with the least sum of
 * ranks. */
int convex_gates_best(struct convex_gates *gates, struct search *search);
/* Node by node, in or out. */
int convex_literal(const struct space *space, struct search *search);

#endif
