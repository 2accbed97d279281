/* connected.c - whether a job's nodes hang together (Def. 3) */
#include "measure/checker/pieces.h"

/* In (π ∩ compute) ∪ I/O: other jobs' nodes that also compute are not. */
static bool is_vertex(const struct geometry *geometry, int node)
{
	return geometry_has(geometry, node) || !geometry_computes(geometry, node);
}

/* Puts a router behind the queue if a vertex hangs on it and it was not there yet. */
static void reach(struct geometry *geometry, int router)
{
	const struct topo *topo = geometry->topo;
	const struct topo_graph *graph = topo->graph;

	if (geometry->seen_of[router] == geometry->nseen)
		return;
	for (int64_t i = graph->first[topo->nnodes + router];
	     i < graph->first[topo->nnodes + router + 1] && graph->peer[i] < topo->nnodes; i++)
		if (is_vertex(geometry, graph->peer[i])) {
			geometry->seen_of[router] = geometry->nseen;
			vec_push(&geometry->queue, router);
			return;
		}
}

enum verdict geometry_connected(struct geometry *geometry, const struct region *region,
				struct buf *witness)
{
	const struct topo *topo = geometry->topo;
	const struct topo_graph *graph = topo->graph;

	geometry->nseen++;
	geometry->queue.n = 0;
	reach(geometry, topo->router_of[region->nodes[0]]);
	for (size_t done = 0; done < geometry->queue.n; done++) {
		int vertex = topo->nnodes + geometry->queue.at[done];

		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++)
			if (graph->peer[i] >= topo->nnodes)
				reach(geometry, graph->peer[i] - topo->nnodes);
	}
	for (int i = 1; i < region->n; i++)
		if (geometry->seen_of[topo->router_of[region->nodes[i]]] != geometry->nseen) {
			geometry_say_node(geometry, region->nodes[i], witness);
			buf_str(witness, " is not joined to ");
			geometry_say_node(geometry, region->nodes[0], witness);
			return VERDICT_BROKEN;
		}
	return VERDICT_HOLDS;
}

static int open_connected(struct checker *checker, struct err *err)
{
	if (checker->geometry->is_direct)
		return 0;
	return err_set(err,
		       "the nodes of %s are joined through switches only, where it says nothing; "
		       "expected a network whose routers all have nodes",
		       checker->geometry->topo->name);
}

static enum verdict check(struct checker *checker, const struct region *region, struct buf *witness)
{
	return geometry_connected(checker->geometry, region, witness);
}

const struct param geometry_params_connected[] = {CHECKER_PARAMS, {0}};

const struct checker_type checker_connected = {
	.entry = {.name = "connected",
		  .example = "connected",
		  .summary = "nodes that are joined through each other, or "
			     "through separate I/O nodes",
		  .paper = "Bleuse et al., Def. 3",
		  .params = geometry_params_connected},
	.open = open_connected,
	.check = check,
};
