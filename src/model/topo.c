/* topo.c - a machine: its end, its names, how its nodes nest */
#include "model/topo.h"

#include <stdlib.h>
#include <string.h>

#include "model/topo_names.h"
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

const struct topo_inside *topo_inside(const struct topo *topo, int node)
{
	if (topo->inside_of != NULL)
		return topo->inside_of[node];
	return topo->inside.nlevels > 0 ? &topo->inside : NULL;
}

int topo_nvertices(const struct topo *topo)
{
	return topo->nnodes + topo->nrouters;
}

const char *topo_node_name(const struct topo *topo, int node, char text[TOPO_NAME])
{
	if (topo->node_names != NULL)
		return topo->node_names[node];
	name_pattern_print(topo->node_pattern, node, text);
	return text;
}

const char *topo_router_name(const struct topo *topo, int router, char text[TOPO_NAME])
{
	if (topo->router_names != NULL)
		return topo->router_names[router];
	name_pattern_print(topo->router_pattern, router, text);
	return text;
}

int topo_node_find(const struct topo *topo, const char *name, size_t n)
{
	if (topo->node_names != NULL)
		return (int)map_get(&topo->node_ids, name, n);
	return name_pattern_find(topo->node_pattern, topo->nnodes, name, n);
}

int topo_router_find(const struct topo *topo, const char *name, size_t n)
{
	if (topo->router_names != NULL)
		return (int)map_get(&topo->router_ids, name, n);
	return name_pattern_find(topo->router_pattern, topo->nrouters, name, n);
}

int topo_tier_find(const struct topo *topo, const char *name)
{
	for (int i = 0; i < topo->ntiers; i++)
		if (str_eq(topo->tiers[i].name, name))
			return i;
	return -1;
}

int topo_domain(const struct topo *topo, int node, int tier)
{
	int domain = topo->router_of[node];

	for (int i = 1; i <= tier && domain >= 0; i++)
		domain = topo->tiers[i].of[domain];
	return domain;
}
