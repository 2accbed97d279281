/* grid_near_priv.h - the exact ways: windows of lines and rings, squares of meshes */
#ifndef PLACE_POLICY_GRID_NEAR_PRIV_H
#define PLACE_POLICY_GRID_NEAR_PRIV_H

#include "place/policy/grid_near.h"

/* Both fill near->best and return the value. */
int64_t near_arc(struct grid_near *near, const struct alloc_request *request, enum near_goal goal);
int64_t near_square(struct grid_near *near, const struct alloc_request *request);

#endif
