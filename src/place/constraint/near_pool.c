/* near_pool.c - idle nodes of each router, to choose regions from; on which machines regions are
 * guessed */
#include "place/constraint/near.h"
#include <stdlib.h>

void pool_init(struct pool *pool, struct distances *distances, const struct machine *machine)
{
	const struct space *space = distances->space;

	*pool = (struct pool){.space = space, .distances = distances};
	pool->has = xcalloc((size_t)space->topo->nnodes, sizeof(*pool->has));
	pool->weight = xcalloc((size_t)space->topo->nrouters, sizeof(*pool->weight));
	for (int node = 0; node < space->topo->nnodes; node++) {
		pool->has[node] =
			machine != NULL ? machine_is_idle(machine, node) : space->serves[node];
		pool->weight[space->topo->router_of[node]] += pool->has[node];
		pool->n += pool->has[node];
	}
}

void pool_free(struct pool *pool)
{
	free(pool->has);
	free(pool->weight);
	*pool = (struct pool){0};
}

void pool_add(const struct pool *pool, int router, int_vec *nodes)
{
	const struct space *space = pool->space;

	for (int k = space->first_node[router]; k < space->first_node[router + 1]; k++)
		if (pool->has[space->node[k]])
			vec_push(nodes, space->node[k]);
}

bool near_is_flat(const struct space *space)
{
	return space->is_grid && !space->is_ring && space->ndims <= 2;
}

bool near_is_guessed(const struct space *space)
{
	return space->is_direct && !near_is_flat(space) && space->ndims != 1 &&
	       space->topo->nrouters > NEAR_CLIQUE_ROUTERS;
}
