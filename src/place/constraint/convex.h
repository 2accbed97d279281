/* convex.h - sets of nodes whose routes are their own (Def. 4) */
#ifndef PLACE_CONSTRAINT_CONVEX_H
#define PLACE_CONSTRAINT_CONVEX_H

#include "place/constraint/constraint.h"

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
/* Node by node, in or out. */
int convex_literal(const struct space *space, struct search *search);

#endif
