/* fragment.c - runs of idle nodes at random places, as a fragmented machine has them left */
#include <stdlib.h>

#include "base/explog.h"
#include "place/policy/policy.h"

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* From an idle node on, idle nodes in label order, as many as an exponential length says. */
static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct alloc_rng rng = alloc_rng(request, "fragment");
	struct machine *machine = request->machine;
	double mean = pick_real(alloc->pick, "mean");
	const uint64_t steps = UINT64_C(1) << 53;

	(void)reason, (void)err;
	while (nodes->n < (size_t)request->job->nnodes) {
		int at = machine_kth_idle(machine, (int)alloc_draw(&rng, (uint64_t)machine->nidle));
		double unit = (double)(alloc_draw(&rng, steps) + 1) / (double)steps;
		double left = -mean * same_log(unit);

		do {
			alloc_take(request, at, nodes);
			at = bitset_next(&machine->idle, at + 1);
			left -= 1;
		} while (left > 0 && at >= 0 && nodes->n < (size_t)request->job->nnodes);
	}
	qsort(nodes->at, nodes->n, sizeof(*nodes->at), by_number);
	return 1;
}

const struct alloc_policy alloc_policy_fragment = {
	.entry =
		{
			.name = "fragment",
			.example = "fragment:mean=64",
			.summary = "runs of idle nodes that begin at random, with exponential "
				   "lengths; the job's nodes in label order",
			.paper = "Khetawat 2022, §2.6.2: allocations as Titan's log has them",
			.params = (const struct param[]){{.key = "mean",
							  .type = PARAM_REAL,
							  .min = 1e-9,
							  .max = 1e9,
							  .def = "64",
							  .unit = "nodes",
							  .meaning = "mean length of a run"},
							 {0}},
		},
	.choose = choose,
};
