/* low_stall.c - nodes whose routers have the fewest stalls on their network tiles */
#include "place/policy/traffic_order.h"

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	(void)err;
	return traffic_order_choose(alloc, request, BY_STALL, nodes, reason);
}

const struct alloc_policy alloc_policy_low_stall = {
	.entry =
		{
			.name = "low-stall",
			.example = "low-stall",
			.summary =
				"nodes whose routers have the fewest stalls on their network tiles",
			.paper = "Zhang et al., NeDD, §IV-B",
			.params = (const struct param[]){PARAMS_OF_TRAFFIC, {0}},
		},
	.wants_traffic = true,
	.wants_stall = true,
	.open = traffic_order_open,
	.close = traffic_order_close,
	.choose = choose,
};
