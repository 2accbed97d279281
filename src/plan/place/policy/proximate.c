/* proximate.c - idle nodes of the least largest distance */
#include "place/policy/grid_near.h"
#include "place/policy/tiers_near.h"

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct grid_near *near = alloc->state;

	(void)err;
	if (near->ndims > 0)
		grid_near_take(near, request, NEAR_MAX, nodes, reason);
	else
		tiers_proximate(request, nodes, reason);
	return 1;
}

const struct alloc_policy alloc_policy_proximate = {
	.entry =
		{
			.name = "proximate",
			.example = "proximate",
			.summary = "idle nodes with the least largest distance; exact on "
				   "trees and fat trees",
			.paper = "Bleuse et al., Def. 7",
		},
	.open = grid_near_open,
	.close = grid_near_close,
	.choose = choose,
};
