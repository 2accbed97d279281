/* line_greedy.c - consecutive nodes beside an I/O node, where the least is left over */
#include <stdlib.h>

#include "place/policy/runs.h"

struct greedy {
	struct runs runs;
	int *to_io; /* [runs.n] places along the line to the nearest I/O node; nnodes: none */
	bool has_io;
};

/* Both ways along the line, twice where it is closed. */
static void measure(struct greedy *greedy, const struct topo *topo, const int *order)
{
	int n = greedy->runs.n, nplaces = topo->nnodes, rounds = greedy->runs.is_closed ? 2 : 1;
	bool *is_io = xcalloc((size_t)topo->nnodes, sizeof(*is_io));
	int *place_of = xmalloc((size_t)topo->nnodes * sizeof(*place_of));

	greedy->to_io = xmalloc((size_t)n * sizeof(*greedy->to_io));
	for (int i = 0; i < n; i++) {
		greedy->to_io[i] = nplaces;
		place_of[greedy->runs.node_at[i]] = i;
	}
	for (int i = n; i < nplaces; i++)
		place_of[greedy->runs.node_at[i]] = -1;
	for (int i = 0; i < topo->nio; i++)
		for (int k = 0; topo->io[i].nodes != NULL && k < topo->io[i].nnodes; k++)
			is_io[topo->io[i].nodes[k]] = greedy->has_io = true;
	for (int way = 0; way < 2; way++) {
		int far = nplaces;

		for (int i = 0; i < rounds * nplaces; i++) {
			int at = i % nplaces, node = order[way == 0 ? at : nplaces - 1 - at];

			far = is_io[node] ? 0 : far < nplaces ? far + 1 : far;
			if (place_of[node] >= 0 && far < greedy->to_io[place_of[node]])
				greedy->to_io[place_of[node]] = far;
		}
	}
	free(place_of);
	free(is_io);
}

static int line_greedy_open(struct alloc *alloc, struct err *err)
{
	struct greedy *greedy = xcalloc(1, sizeof(*greedy));
	int nnodes = alloc->topo->nnodes, *order;

	alloc->state = greedy;
	if (runs_open(&greedy->runs, alloc->topo, pick_pick(alloc->pick, "order"), err) != 0 ||
	    order_make(&order, alloc->topo, pick_pick(alloc->pick, "order"), err) != 0)
		return -1;
	if (order == NULL) {
		order = xmalloc((size_t)nnodes * sizeof(*order));
		for (int i = 0; i < nnodes; i++)
			order[i] = i;
	}
	measure(greedy, alloc->topo, order);
	free(order);
	return 0;
}

static void close(struct alloc *alloc)
{
	struct greedy *greedy = alloc->state;

	if (greedy == NULL)
		return;
	runs_close(&greedy->runs);
	free(greedy->to_io);
	free(greedy);
}

/* A place in a run; the less of each the better, in this order. */
struct offer {
	struct run run;
	int from, to_io, left;
};

static bool is_better(const struct offer *a, const struct offer *b)
{
	if (a->to_io != b->to_io)
		return a->to_io < b->to_io;
	return a->left < b->left;
}

/*
 * Windows of a run, from its beginning to its end. Whether one is beside an I/O node is counted as
 * it moves; of one that is not, an end is the node that is nearest to any.
 */
static void look_at(const struct greedy *greedy, struct run run, int wanted, struct offer *best)
{
	int n = greedy->runs.n, nbeside = 0, most = run.length;

	/* all windows are alike where there is no I/O node, or the run is too long anyway */
	if (best->run.length > 0 && best->to_io <= 1 && run.length >= best->run.length)
		return;
	if (!greedy->has_io)
		most = wanted;
	for (int i = 0; i < most; i++) {
		int end = greedy->to_io[(run.first + i) % n], begin, from = i - wanted + 1;
		struct offer offer;

		nbeside += end <= 1;
		if (from < 0)
			continue;
		begin = greedy->to_io[(run.first + from) % n];
		offer = (struct offer){run, from, begin < end ? begin : end, run.length - wanted};
		/* in the closed neighbourhood (Def. 6) one I/O node is as good as another */
		if (nbeside > 0)
			offer.to_io = 1;
		nbeside -= begin <= 1;
		if (best->run.length == 0 || is_better(&offer, best))
			*best = offer;
	}
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct greedy *greedy = alloc->state;
	int wanted = request->job->nnodes, at = 0, longest = 0;
	struct offer best = {0};
	struct run run;

	(void)err;
	runs_start(&greedy->runs, request->machine);
	while (runs_next(&greedy->runs, &at, &run)) {
		longest = run.length > longest ? run.length : longest;
		if (run.length >= wanted)
			look_at(greedy, run, wanted, &best);
	}
	if (best.run.length == 0) {
		buf_printf(reason, "no run of %d nodes is idle, the longest has %d", wanted,
			   longest);
		return 0;
	}
	if (best.to_io < alloc->topo->nnodes)
		buf_printf(reason, "a run of %d, %s an I/O node", best.run.length,
			   best.to_io <= 1 ? "beside" : "not beside");
	else
		buf_printf(reason, "a run of %d", best.run.length);
	runs_take(&greedy->runs, request, &best.run, best.from, nodes);
	return 1;
}

const struct alloc_policy alloc_policy_line_greedy = {
	.entry =
		{
			.name = "line-greedy",
			.example = "line-greedy",
			.summary = "consecutive idle nodes of a line or ring, next to an "
				   "I/O node if possible, in the shortest such run; else "
				   "the job waits",
			.paper = "our reading of the greedy rule for lines and "
				 "rings that Bleuse et al. cite",
			.params = (const struct param[]){RUNS_ORDER, {0}},
		},
	.open = line_greedy_open,
	.close = close,
	.may_refuse = true,
	.choose = choose,
};
