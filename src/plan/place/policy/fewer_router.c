/* fewer_router.c - routers with most idle nodes first, so that a job spans few of them */
#include "place/policy/policy.h"

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	size_t wanted = (size_t)request->job->nnodes;

	(void)alloc, (void)reason, (void)err;
	/* a router that is taken whole leaves its set, so the counts are those of the decision */
	for (int idle = machine->most; idle > 0 && nodes->n < wanted; idle--)
		for (int router = machine_router_with(machine, idle, 0);
		     router >= 0 && nodes->n < wanted;
		     router = machine_router_with(machine, idle, router + 1))
			alloc_take_router(request, router, nodes);
	return 1;
}

const struct alloc_policy alloc_policy_fewer_router = {
	.entry =
		{
			.name = "fewer-router",
			.example = "fewer-router",
			.summary = "routers with the most idle nodes first; the lowest "
				   "among equals",
			.paper = "Zhang et al., NeDD, §IV-B",
		},
	.choose = choose,
};
