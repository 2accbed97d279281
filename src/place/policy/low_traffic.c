/* low_traffic.c - nodes whose routers have the least network traffic intensity */
#include "place/policy/traffic_order.h"

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	(void)err;
	if (request->traffic == NULL)
		return traffic_order_none(reason);
	traffic_order_make(alloc->state, request->machine, request->traffic,
			   request->traffic->traffic, false,
			   pick_is(alloc->pick, "unsampled", "first"));
	traffic_order_take(alloc->state, request, nodes);
	return 1;
}

const struct alloc_policy alloc_policy_low_traffic = {
	.entry =
		{
			.name = "low-traffic",
			.example = "low-traffic",
			.summary = "nodes whose routers have the lowest network traffic "
				   "intensity",
			.paper = "Zhang et al., NeDD, §IV-B",
			.params = (const struct param[]){PARAM_UNSAMPLED, {0}},
		},
	.wants_traffic = true,
	.open = traffic_order_open,
	.close = traffic_order_close,
	.choose = choose,
};
