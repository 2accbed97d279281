/* topo_free.c - a machine and all that was derived from it is freed */
#include <stdlib.h>
#include "model/hierarchy.h"
#include "model/topo_routes.h"
#include "model/topo_type.h"

static void free_graph(struct topo_graph *graph)
{
	if (graph == NULL)
		return;
	free(graph->links);
	free(graph->first);
	free(graph->peer);
	free(graph->channel);
	free(graph);
}

void topo_free(struct topo *topo)
{
	if (topo == NULL)
		return;
	if (topo->type != NULL && topo->type->free_shape != NULL)
		topo->type->free_shape(topo);
	pick_free(&topo->pick);
	free_graph(topo->graph);
	topo_routes_free(topo->routes);
	for (int i = 0; i < topo->ntiers; i++)
		free(topo->tiers[i].of);
	for (int i = 0; i < topo->nio; i++)
		free(topo->io[i].nodes);
	free(topo->io);
	hierarchies_free(topo);
	free(topo->cores_of);
	free(topo->inside_of);
	free(topo->node_names);
	free(topo->counts_to);
	free(topo->router_names);
	map_free(&topo->node_ids);
	map_free(&topo->router_ids);
	free(topo->name);
	free(topo->source);
	arena_free(&topo->arena);
	free(topo);
}
