/* near_pool.c - idle nodes of each router, to choose regions from; on which machines regions are
 * guessed */
#include "place/constraint/near.h"
#include <stdlib.h>

static void add(struct pool *pool, int node)
{
	pool->has[node] = true;
	pool->weight[pool->space->topo->router_of[node]]++;
	pool->n++;
}

void pool_init(struct pool *pool, struct distances *distances, const struct machine *machine)
{
	const struct space *space = distances->space;

	*pool = (struct pool){.space = space, .distances = distances};
	pool->has = xcalloc((size_t)space->topo->nnodes, sizeof(*pool->has));
	pool->weight = xcalloc((size_t)space->topo->nrouters, sizeof(*pool->weight));
	for (int node = 0; machine == NULL && node < space->topo->nnodes; node++)
		if (space->serves[node])
			add(pool, node);
	for (int node = -1; machine != NULL && (node = bitset_next(&machine->idle, node + 1)) >= 0;)
		add(pool, node);
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
