/* nested_tree.h - the best choice of units in a tree of domains, exactly */
#ifndef PLACE_POLICY_NESTED_TREE_H
#define PLACE_POLICY_NESTED_TREE_H

#include <stdbool.h>

#include "model/hierarchy.h"

/* Levels below the root, and the root. */
enum { NESTED_LEVELS = DOMAIN_LEVELS_MOST + 2 };

/*
 * Vertices are numbered level by level: 0 is the root, those of level l are first[l] … first[l + 1]
 * - 1, so that children come after their parents. The leaves are those of the last level.
 */
struct nested_tree {
	int nlevels; /* below the root */
	int first[NESTED_LEVELS + 2];
	int *parent;              /* [vertices]; -1: not below the root */
	int *child_first, *child; /* of v: child[child_first[v]] … child[child_first[v + 1] - 1] */
	int *idle;                /* [vertices] units; of leaves set by the caller */
};

/* By level; 0: no such condition. Slices divide those outside them. */
struct nested_request {
	int units;
	int slice[NESTED_LEVELS];                      /* what a domain gives is a multiple of it */
	int most[NESTED_LEVELS], least[NESTED_LEVELS]; /* units of a domain that is used */
	int single;                                    /* levels 1 … single use one domain */
	int balance; /* the level whose least share is to be as large as it can be */
};

/* parent [first[nlevels + 1]] is taken over; children are listed. */
void nested_tree_make(struct nested_tree *tree, int *parent);
void nested_tree_free(struct nested_tree *tree);

/*
 * The fewest domains of level 1, then of level 2, …; then the fewest idle units left in those that
 * are used, level 1 first; then (balance) the largest least share which that allows, as far as
 * domains go. Of equal choices the one with the lowest numbers. taken [vertices] are the units of
 * each. False: there is none. Exact: a domain's cost adds up over its children, so tables of the
 * least cost of each number of units are joined.
 */
bool nested_best(struct nested_tree *tree, const struct nested_request *request, int *taken);

#endif
