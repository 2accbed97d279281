/* whole_blocks.c - jobs that have their leaf switches alone: Slurm's --exclusive=topo */
#include "place/run/whole_blocks.h"

#include <stdlib.h>

/* When a job is over, as far as it is known. */
static int64_t end_of(const struct outcome *outcome)
{
	return outcome->end_ns != JOB_NO_TIME ? outcome->end_ns : INT64_MAX;
}

/* Whether a job has the node at a time. One that is drained may still have its job. */
static bool is_taken(const struct schedule *schedule, const struct machine *machine, int node,
		     int64_t time_ns)
{
	int holder = schedule->holder[node];

	if (machine_is_idle(machine, node))
		return false;
	if (schedule->use[node] != NODE_AWAY)
		return true;
	return holder >= 0 && schedule->outcomes != NULL &&
	       end_of(&schedule->outcomes[holder]) > time_ns;
}

void whole_blocks_only(const struct schedule *schedule, const struct machine *machine,
		       int64_t time_ns, uint64_t *nodes)
{
	const struct topo *topo = schedule->topo;
	bool *is_shut = xcalloc((size_t)topo->nrouters + 1, sizeof(*is_shut));

	for (int node = 0; node < topo->nnodes; node++)
		is_shut[topo->router_of[node]] |= is_taken(schedule, machine, node, time_ns);
	for (int node = 0; node < topo->nnodes; node++)
		if (is_shut[topo->router_of[node]])
			nodes[node / 64] &= ~(UINT64_C(1) << node % 64);
	free(is_shut);
}

bool *whole_blocks_of(const struct topo *topo, const int_vec *nodes)
{
	bool *is_used = xcalloc((size_t)topo->nrouters + 1, sizeof(*is_used));

	for (size_t i = 0; i < nodes->n; i++)
		is_used[topo->router_of[nodes->at[i]]] = true;
	return is_used;
}

void whole_blocks_add(const struct machine *machine, int_vec *nodes)
{
	const struct topo *topo = machine->topo;
	bool *is_used = whole_blocks_of(topo, nodes), *is_own;

	is_own = xcalloc((size_t)topo->nnodes + 1, sizeof(*is_own));
	for (size_t i = 0; i < nodes->n; i++)
		is_own[nodes->at[i]] = true;
	for (int node = 0; node < topo->nnodes; node++)
		if (is_used[topo->router_of[node]] && !is_own[node] &&
		    machine_is_idle(machine, node))
			vec_push(nodes, node);
	free(is_used);
	free(is_own);
}
