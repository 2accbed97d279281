/* low_traffic.c - nodes whose routers have the least network traffic intensity */
#include "place/policy/traffic_order.h"

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	(void)err;
	return traffic_order_choose(alloc, request, BY_TRAFFIC, nodes, reason);
}

const struct alloc_policy alloc_policy_low_traffic = {
	.entry =
		{
			.name = "low-traffic",
			.example = "low-traffic",
			.summary = "nodes whose routers have the lowest network traffic "
				   "intensity",
			.paper = "Zhang et al., NeDD, §IV-B",
			.params = (const struct param[]){PARAMS_OF_TRAFFIC, {0}},
		},
	.wants_traffic = true,
	.open = traffic_order_open,
	.close = traffic_order_close,
	.choose = choose,
};
