/* simple.c - the first idle nodes in label order */
#include "algo/alloc/alloc.h"

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	int node = -1;

	(void)alloc, (void)reason, (void)err;
	while (nodes->n < (size_t)request->job->nnodes) {
		node = bitset_next(&request->machine->idle, node + 1);
		alloc_take(request, node, nodes);
	}
	return 1;
}

const struct alloc_policy alloc_policy_simple = {
	.entry =
		{
			.name = "simple",
			.example = "simple",
			.summary = "the first idle nodes in label order",
			.paper = "Zhang et al., Level-Spread, §IV",
		},
	.choose = choose,
};
