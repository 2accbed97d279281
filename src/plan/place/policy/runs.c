/* runs.c - runs of idle nodes that follow each other in an order, for policies */
#include "place/policy/runs.h"

#include <stdlib.h>

#include "model/topo_type.h"

static bool *separate_io(const struct topo *topo)
{
	bool *is_io = xcalloc((size_t)topo->nnodes, sizeof(*is_io));

	for (int i = 0; i < topo->nio; i++)
		for (int k = 0;
		     topo->io[i].is_separate && topo->io[i].nodes != NULL && k < topo->io[i].nnodes;
		     k++)
			is_io[topo->io[i].nodes[k]] = true;
	return is_io;
}

int runs_open(struct runs *runs, struct topo *topo, const struct pick *order, struct err *err)
{
	int *nodes, ndims = -1, nio = 0;
	const int *sizes;
	bool is_ring = false, *is_io;

	if (order_make(&nodes, topo, order, err) != 0)
		return -1;
	is_io = separate_io(topo);
	runs->node_at = xmalloc((size_t)topo->nnodes * sizeof(*runs->node_at));
	for (int i = 0; i < topo->nnodes; i++) {
		int node = nodes != NULL ? nodes[i] : i;

		if (is_io[node])
			runs->node_at[topo->nnodes - ++nio] = node;
		else
			runs->node_at[runs->n++] = node;
	}
	free(is_io);
	free(nodes);
	if (topo->type->dims != NULL)
		ndims = topo->type->dims(topo, &sizes, &is_ring);
	runs->is_closed = ndims == 1 && is_ring;
	return 0;
}

void runs_close(struct runs *runs)
{
	idle_order_stop(&runs->idle);
	free(runs->node_at);
}

void runs_start(struct runs *runs, struct machine *machine)
{
	idle_order_keep(&runs->idle, machine, runs->node_at);
}

bool runs_next(const struct runs *runs, int *at, struct run *run)
{
	const struct bitset *idle = &runs->idle.idle;
	int first = idle_order_next(&runs->idle, *at), end, over = 0;

	if (first < 0 || first >= runs->n)
		return false;
	end = bitset_next_gap(idle, first);
	end = end < runs->n ? end : runs->n;
	*at = end;
	if (runs->is_closed && (first == 0) != (end == runs->n) && bitset_has(idle, 0) &&
	    bitset_has(idle, runs->n - 1)) {
		if (first == 0) /* the end of the last run */
			return runs_next(runs, at, run);
		over = bitset_next_gap(idle, 0);
	}
	*run = (struct run){first, end - first + over};
	return true;
}

void runs_take(const struct runs *runs, const struct alloc_request *request, const struct run *run,
	       int from, int_vec *nodes)
{
	size_t first = nodes->n;

	for (int i = 0; i < request->job->nnodes; i++)
		vec_push(nodes, runs->node_at[(run->first + from + i) % runs->n]);
	machine_take_all(request->machine, nodes->at + first, nodes->n - first);
}
