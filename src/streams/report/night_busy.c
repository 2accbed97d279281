/* night_busy.c - when which nodes were busy */
#include "report/night_busy.h"

#include <stdlib.h>

struct started {
	int64_t start_ns;
	size_t job;
};

static int by_start(const void *a, const void *b)
{
	const struct started *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->job > y->job) - (x->job < y->job);
}

/* In the order of starts, a node is busy anew only beyond the end of what it did so far. */
static void walk_job(const struct night *night, const struct night_job *job, int64_t *busy_until,
		     night_busy_fn *each, void *context)
{
	int_vec nodes = night_nodes(night, job);
	int64_t end = job->end_ns != JOB_NO_TIME ? job->end_ns : night->until_ns;
	int64_t start = job->start_ns > night->since_ns ? job->start_ns : night->since_ns;

	if (start >= end)
		return;
	if (busy_until != NULL && nodes.n == 0 && job->nodelist != NULL)
		return; /* of nodes that the machine lacks */
	if (busy_until == NULL || nodes.n == 0) {
		each(context, -1, job->nnodes, start, end);
		return;
	}
	for (size_t i = 0; i < nodes.n; i++) {
		int64_t *until = &busy_until[nodes.at[i]];
		int64_t from = start > *until ? start : *until;

		if (from >= end)
			continue;
		each(context, nodes.at[i], 1, from, end);
		*until = end;
	}
}

void night_busy(const struct night *night, night_busy_fn *each, void *context)
{
	VEC(struct started) order = {0};
	int64_t *busy_until = NULL;

	for (size_t i = 0; i < night->jobs.n; i++)
		if (night->jobs.at[i].group == 0 && night->jobs.at[i].phase == NIGHT_RAN)
			vec_push(&order, (struct started){night->jobs.at[i].start_ns, i});
	if (order.n > 1)
		qsort(order.at, order.n, sizeof(*order.at), by_start);
	if (night->topo != NULL) {
		busy_until = xmalloc((size_t)night->topo->nnodes * sizeof(*busy_until) + 1);
		for (int node = 0; node < night->topo->nnodes; node++)
			busy_until[node] = night->since_ns;
	}
	for (size_t i = 0; i < order.n; i++)
		walk_job(night, &night->jobs.at[order.at[i].job], busy_until, each, context);
	free(busy_until);
	vec_free(&order);
}
