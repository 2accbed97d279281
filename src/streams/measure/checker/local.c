/* local.c - whether a job's I/O nodes are beside its nodes (Def. 6) */
#include "measure/checker/pieces.h"

/* A compute node of the job that the place is adjacent to; at a switch: that is below it. */
static bool is_beside(struct geometry *geometry, const struct region *region,
		      const struct io_place *place)
{
	const struct topo *topo = geometry->topo;
	const struct topo_graph *graph = topo->graph;
	int_vec *queue = &geometry->queue;

	if (place->node >= 0) {
		for (int i = 0; i < region->n; i++)
			if (geometry_adjacent(geometry, region->nodes[i], place->node))
				return true;
		return false;
	}
	/* down from the switch, to routers of lower rank */
	geometry->nseen++;
	queue->n = 0;
	vec_push(queue, place->router);
	for (size_t done = 0; done < queue->n; done++) {
		int r = queue->at[done], vertex = topo->nnodes + r;

		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			int router = graph->peer[i] - topo->nnodes;

			if (router < 0) {
				if (geometry_has(geometry, graph->peer[i]))
					return true;
			} else if (geometry->rank[router] < geometry->rank[r] &&
				   geometry->seen_of[router] != geometry->nseen) {
				geometry->seen_of[router] = geometry->nseen;
				vec_push(queue, router);
			}
		}
	}
	return false;
}

static enum verdict check(struct checker *checker, const struct region *region, struct buf *witness)
{
	struct geometry *geometry = checker->geometry;

	/* on hierarchical networks connectivity says nothing (section 4) */
	if (geometry->is_direct && geometry_connected(geometry, region, witness) == VERDICT_BROKEN)
		return VERDICT_BROKEN;
	for (int i = 0; i < region->nio; i++) {
		const struct io_place *place = &region->io[i];

		if (is_beside(geometry, region, place))
			continue;
		if (place->node >= 0)
			geometry_say_node(geometry, place->node, witness);
		else
			geometry_say_router(geometry, place->router, witness);
		buf_str(witness, ", where it does its I/O, is not beside any of its nodes");
		return VERDICT_BROKEN;
	}
	return VERDICT_HOLDS;
}

const struct param geometry_params_local[] = {CHECKER_PARAMS, {0}};

const struct checker_type checker_local = {
	.entry = {.name = "local",
		  .example = "local",
		  .summary = "connected nodes, whose I/O nodes are all adjacent to one of them",
		  .paper = "Bleuse et al., Def. 6",
		  .params = geometry_params_local},
	.check = check,
};
