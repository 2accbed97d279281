/* slurm.c - Slurm's rule for trees of switches: a router that the job fits, else the
 * fullest ones */
#include "place/policy/policy.h"

/* The router that a job of n nodes fits: with the fewest idle nodes that do (best), or
 * the first. */
static int fitting(const struct alloc *alloc, const struct machine *machine, int n)
{
	int best = -1;

	for (int idle = n; idle <= machine->most; idle++) {
		int router = machine_router_with(machine, idle, 0);

		if (router < 0)
			continue;
		if (pick_is(alloc->pick, "fit", "best"))
			return router;
		if (best < 0 || router < best)
			best = router;
	}
	return best;
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct machine *machine = request->machine;
	size_t wanted = (size_t)request->job->nnodes;
	int router = fitting(alloc, machine, request->job->nnodes);

	(void)err;
	buf_str(reason, router >= 0 ? "one router fits" : "no router fits: fullest ones first");
	if (router >= 0) {
		alloc_take_router(request, router, nodes);
		return 1;
	}
	/* a router that was emptied drops out, so the fullest one is looked for from where
	 * it was */
	for (int idle = 1; nodes->n < wanted;) {
		router = machine_router_with(machine, idle, 0);
		if (router < 0)
			idle++;
		else
			alloc_take_router(request, router, nodes);
	}
	return 1;
}

const struct alloc_policy alloc_policy_slurm = {
	.entry =
		{
			.name = "slurm",
			.example = "slurm",
			.summary = "a router that can hold the whole job, else the "
				   "routers with the fewest idle nodes",
			.paper = "Zhang et al., Level-Spread, §IV",
			.params =
				(const struct param[]){
					{.key = "fit",
					 .type = PARAM_WORD,
					 .choices = "best|first",
					 .def = "best",
					 .meaning = "which router that can hold the job: the "
						    "one with the fewest idle nodes (the "
						    "authors' code), or the first (their "
						    "text)"},
					{0}},
		},
	.choose = choose,
};
