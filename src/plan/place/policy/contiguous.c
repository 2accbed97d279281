/* contiguous.c - nodes that follow each other in an order, or none */
#include <stdlib.h>

#include "place/policy/runs.h"

static int contiguous_open(struct alloc *alloc, struct err *err)
{
	alloc->state = xcalloc(1, sizeof(struct runs));
	return runs_open(alloc->state, alloc->topo, pick_pick(alloc->pick, "order"), err);
}

static void close(struct alloc *alloc)
{
	if (alloc->state != NULL)
		runs_close(alloc->state);
	free(alloc->state);
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct runs *runs = alloc->state;
	bool is_best = pick_is(alloc->pick, "fit", "best");
	int wanted = request->job->nnodes, at = 0, longest = 0;
	struct run run, chosen = {0};

	(void)err;
	runs_start(runs, request->machine);
	while (runs_next(runs, &at, &run)) {
		longest = run.length > longest ? run.length : longest;
		if (run.length < wanted || (chosen.length > 0 && run.length >= chosen.length))
			continue;
		chosen = run;
		if (!is_best || run.length == wanted)
			break;
	}
	if (chosen.length == 0) {
		buf_printf(reason, "no run of %d nodes is idle, the longest has %d", wanted,
			   longest);
		return 0;
	}
	buf_printf(reason, "a run of %d", chosen.length);
	runs_take(runs, request, &chosen, 0, nodes);
	return 1;
}

const struct alloc_policy alloc_policy_contiguous = {
	.entry =
		{
			.name = "contiguous",
			.example = "contiguous",
			.summary = "consecutive idle nodes of an order; without such a "
				   "run the job waits",
			.paper = "Bleuse et al., Def. 5",
			.params =
				(const struct param[]){
					{.key = "fit",
					 .type = PARAM_WORD,
					 .choices = "first|best",
					 .def = "first",
					 .meaning = "which run that can hold the job: the "
						    "first, or the shortest"},
					RUNS_ORDER,
					{0}},
		},
	.open = contiguous_open,
	.close = close,
	.may_refuse = true,
	.choose = choose,
};
