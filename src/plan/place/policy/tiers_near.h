/* tiers_near.h - nodes that are near each other by the tiers of a machine */
#ifndef PLACE_POLICY_TIERS_NEAR_H
#define PLACE_POLICY_TIERS_NEAR_H

#include "place/policy/policy.h"

/* Takes the job's nodes in the lowest domain that has room for it, of these in the one with the
 * fewest idle nodes: the least level at which all nodes meet. */
void tiers_proximate(const struct alloc_request *request, int_vec *nodes, struct buf *reason);

/* Takes nodes of the least sum of levels over all pairs: a knapsack over the tiers. */
void tiers_compact(const struct alloc_request *request, int_vec *nodes, struct buf *reason);

#endif
