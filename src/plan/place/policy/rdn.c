/* rdn.c - random nodes: each idle node is equally likely */
#include "place/policy/policy.h"

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct alloc_rng rng = alloc_rng(request, "rdn");

	(void)alloc, (void)reason, (void)err;
	while (nodes->n < (size_t)request->job->nnodes) {
		int k = (int)alloc_draw(&rng, (uint64_t)request->machine->nidle);

		alloc_take(request, machine_kth_idle(request->machine, k), nodes);
	}
	return 1;
}

const struct alloc_policy alloc_policy_rdn = {
	.entry =
		{
			.name = "rdn",
			.aliases = "random",
			.example = "rdn",
			.summary = "random idle nodes, without replacement",
			.paper = "Zhang et al., NeDD, §IV-B; Level-Spread, §IV",
		},
	.choose = choose,
};
